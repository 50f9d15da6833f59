// Adds, removes and fills in levels of a scale without a round trip, and proposes the time zone of this computer for a
// new venue.
const scale = document.querySelector("[data-scale]");
const rows = scale && scale.querySelector("[data-scale-rows]");
const preset = scale && scale.querySelector("[data-scale-preset]");
const MOST_LEVELS = 101;

function number() {
  [...rows.children].forEach((row, at) => {
    const [label, value] = row.querySelectorAll("input");
    label.setAttribute("aria-label", `Label of level ${at + 1}`);
    value.setAttribute("aria-label", `Value of level ${at + 1}`);
    row.querySelector("button").value = at;
    row.querySelector("button .unseen").textContent = ` level ${at + 1}`;
  });
}

function typed() {
  return [...rows.children].map((row) => [...row.querySelectorAll("input")].map((input) => input.value.trim()));
}

// The list says what the rows are: one of its scales, or your own, to which one can come back.
let own = '[["", ""], ["", ""]]';
function name() {
  const now = JSON.stringify(typed());
  const ready = [...preset.options].filter((option) => option.dataset.rows);
  const known = ready.find((option) => JSON.stringify(JSON.parse(option.dataset.rows)) === now);
  preset.value = known ? known.value : "";
  if (!known) own = now;
}

function fill() {
  const chosen = JSON.parse(preset.selectedOptions[0].dataset.rows || own);
  while (rows.children.length > chosen.length) rows.lastElementChild.remove();
  while (rows.children.length < chosen.length) rows.append(rows.lastElementChild.cloneNode(true));
  chosen.forEach((cells, at) => {
    const [label, value] = rows.children[at].querySelectorAll("input");
    [label.value, value.value] = cells;
  });
  number();
}

function add(event) {
  const last = rows.lastElementChild;
  if (!last || rows.children.length >= MOST_LEVELS) return; // the server knows how
  event.preventDefault();
  const row = last.cloneNode(true);
  for (const input of row.querySelectorAll("input")) input.value = "";
  rows.append(row);
  number();
  name();
  row.querySelector("input").focus();
}

function remove(event) {
  const button = event.target.closest("button[name=remove_level]");
  if (!button || rows.children.length < 2) return;
  event.preventDefault();
  button.closest("li").remove();
  number();
  name();
  scale.querySelector("[data-scale-add]").focus();
}

if (rows && preset && rows.children.length) {
  scale.querySelector("[data-scale-add]").addEventListener("click", add);
  scale.querySelector("[data-scale-use]").hidden = true;
  rows.addEventListener("click", remove);
  rows.addEventListener("input", name);
  preset.addEventListener("change", fill);
  const chosen = [...preset.options].some((option) => option.selected !== option.defaultSelected);
  const typedIn = [...rows.querySelectorAll("input")].some((input) => input.value !== input.defaultValue);
  if (chosen && !typedIn) fill(); // before this script was there
  else name(); // a browser may have kept an earlier choice, or earlier rows
}

const form = document.querySelector("[data-venue-form=new]");
const zone = form && form.querySelector("[name=time_zone]");
const isFirstVisit = () => {
  const title = form.querySelector("[name=name]");
  const [visit] = performance.getEntriesByType("navigation");
  return visit.type === "navigate" ? !title.defaultValue : !title.value; // a browser may have kept what was chosen earlier
};
if (zone && zone.selectedIndex === 0 && isFirstVisit()) {
  const here = Intl.DateTimeFormat().resolvedOptions().timeZone;
  if ([...zone.options].some((option) => option.value === here)) zone.value = here;
}
