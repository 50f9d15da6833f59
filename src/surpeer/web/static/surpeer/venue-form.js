// Adds and removes levels of a scale without a round trip, and proposes the time zone of this computer for a new venue.
const scale = document.querySelector("[data-scale]");
const rows = scale && scale.querySelector("[data-scale-rows]");
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

function add(event) {
  const last = rows.lastElementChild;
  if (!last || rows.children.length >= MOST_LEVELS) return; // the server knows how
  event.preventDefault();
  const row = last.cloneNode(true);
  for (const input of row.querySelectorAll("input")) input.value = "";
  rows.append(row);
  number();
  row.querySelector("input").focus();
}

function remove(event) {
  const button = event.target.closest("button[name=remove_level]");
  if (!button || rows.children.length < 2) return;
  event.preventDefault();
  button.closest("li").remove();
  number();
  scale.querySelector("[data-scale-add]").focus();
}

if (rows && scale.querySelector("[data-scale-add]")) {
  scale.querySelector("[data-scale-add]").addEventListener("click", add);
  rows.addEventListener("click", remove);
}

const form = document.querySelector("[data-venue-form=new]");
const zone = form && form.querySelector("[name=time_zone]");
if (zone && !form.querySelector("[name=name]").value && zone.selectedIndex === 0) {
  const here = Intl.DateTimeFormat().resolvedOptions().timeZone;
  if ([...zone.options].some((option) => option.value === here)) zone.value = here;
}
