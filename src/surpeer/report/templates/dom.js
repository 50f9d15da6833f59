// Elements and numbers. Text from the data enters the page only as text nodes, never as markup.

const byId = (id) => document.getElementById(id);

function make(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== null && value !== undefined) element.setAttribute(name, value);
  }
  element.append(...children.filter((child) => child !== null && child !== undefined));
  return element;
}

function shape(tag, attributes) {
  const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  return element;
}

const known = (value) => value !== null && value !== undefined;
const DASH = "–";

function decimal(value, digits = 2) {
  if (!known(value)) return DASH;
  const text = value.toFixed(digits);
  return Number(text) === 0 ? text.replace("-", "") : text.replace("-", "−");
}

function signed(value, digits = 2) {
  const text = decimal(value, digits);
  return Number(text) > 0 ? `+${text}` : text; // neither the dash nor a minus sign is a number above zero
}

// The same rule as in the template (`pct`) and in charts (`percent_text` in charts/parts.py).
function percent(share) {
  if (!known(share)) return DASH;
  if (share > 0 && share < 0.005) return "<1%";
  if (share < 1 && share >= 0.995) return ">99%";
  return `${Math.round(share * 100)}%`;
}

// Shares that together are a whole, in thousandths, rounded so that what is shown adds up, too: each is rounded down, and
// what is then missing goes to those that lost most (`rounded_parts` in number_text.py).
function percents(shares) {
  if (!shares.every(known)) return shares.map((share) => percent(known(share) ? share / 1000 : null));
  const whole = shares.map((share) => Math.floor(share / 10));
  const sum = (numbers) => numbers.reduce((total, number) => total + number, 0);
  const missing = Math.round(sum(shares) / 10) - sum(whole);
  const lostMost = shares.map((_, at) => at).sort((a, b) => (shares[b] % 10) - (shares[a] % 10));
  for (const at of lostMost.slice(0, missing)) whole[at] += 1;
  return whole.map((number, at) => {
    if (number === 0 && shares[at] > 0) return "<1%";
    return number === 100 && shares[at] < 1000 ? ">99%" : `${number}%`;
  });
}

// What somebody chose is not rounded: 99.9%.
const exactPercent = (share) => `${Number((100 * share).toPrecision(6))}%`;

// A probability is never quite 0 or 100%.
const chanceText = (chance) => percent(known(chance) ? Math.min(Math.max(chance, 0.001), 0.999) : null);

const counted = (number, one, many = `${one}s`) => `${number.toLocaleString("en")} ${number === 1 ? one : many}`;

// A table with a heading for each column, and for each row where `rowHeads` says so.
function makeTable(caption, heads, rows, rowHeads = false) {
  const side = (column) => (column && /^[\d−+<>–]/.test(rows[0]?.[column] ?? "") ? "number" : null);
  const cell = (value, column) =>
    rowHeads && column === 0 ? make("th", { scope: "row" }, value) : make("td", { class: side(column) }, value);
  const head = make("tr", {}, ...heads.map((text, column) => make("th", { scope: "col", class: side(column) }, text)));
  const body = rows.map((row) => make("tr", {}, ...row.map(cell)));
  const table = make("table", {}, make("caption", {}, caption), make("thead", {}, head), make("tbody", {}, ...body));
  return make("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": caption }, table);
}
