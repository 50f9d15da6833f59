// Keeps the overview of a venue up to date. Without this script the page shows what was true when it was loaded.
const section = document.querySelector("[data-progress-address]");
const EVERY = 4000;
const LONGEST = 60000;
let pause = EVERY;
let latest = "";

function show(progress) {
  for (const place of document.querySelectorAll("[data-progress]")) {
    const text = String(progress[place.dataset.progress]);
    if (place.textContent !== text) place.textContent = text; // what did not change is not read out again
  }
  const bar = section.querySelector("[data-progress-bar]");
  bar.max = progress.assigned || 1;
  bar.value = progress.done;
  const now = JSON.stringify(progress.latest);
  if (progress.latest.length && now !== latest) replace(section.querySelector("[data-progress-latest]"), progress.latest);
  latest = now;
}

function replace(table, arrivals) {
  const inside = table.contains(document.activeElement) ? document.activeElement.href : null;
  table.replaceChildren(...arrivals.map(row));
  const same = inside && [...table.querySelectorAll("a")].find((one) => one.href === inside);
  if (same) same.focus({ preventScroll: true }); // whoever was on a link stays on it
}

function row(arrival) {
  const line = document.createElement("tr");
  const who = document.createElement("th");
  who.scope = "row";
  who.append(link(arrival.reviewer, arrival.reviewer_address));
  const paper = document.createElement("td");
  paper.append(link(arrival.title || arrival.paper, arrival.paper_address));
  if (arrival.title) paper.append(" ", quiet(arrival.paper));
  if (arrival.revised) paper.append(" (revised)");
  const when = document.createElement("td");
  when.textContent = arrival.when;
  when.className = "time";
  who.className = paper.className = "text";
  line.append(who, paper, when);
  return line;
}

function link(text, address) {
  const shown = document.createElement("a");
  shown.className = "text";
  shown.href = address;
  shown.textContent = text;
  return shown;
}

function quiet(text) {
  const shown = document.createElement("span");
  shown.className = "quiet";
  shown.textContent = text;
  return shown;
}

async function ask() {
  if (!document.hidden) {
    const asked = performance.now();
    try {
      const answer = await fetch(section.dataset.progressAddress, { headers: { Accept: "application/json" } });
      if (answer.redirected || answer.status === 403 || answer.status === 404) return; // signed out: the page stays as it is
      if (!answer.ok) throw new Error(answer.status);
      show(await answer.json());
      pause = Math.max(EVERY, 10 * (performance.now() - asked)); // a large venue, or a slow server, is asked less often
    } catch {
      pause = Math.min(2 * pause, LONGEST); // the server is away: ask less often
    }
  }
  setTimeout(ask, pause);
}

if (section) {
  document.querySelector("[data-progress-live]").hidden = false;
  setTimeout(ask, pause);
}
