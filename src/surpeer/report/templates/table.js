// The table of the ranking: search, filters, sorting, pages. Only the rows of one page are in the document.

const table = { query: "", proposal: "", track: "", key: "rank", descending: false, page: 0, size: 25, order: [], shown: [] };
const PRINTED_ROWS = 500;

// What each column sorts by. Numbers inside an identifier count as numbers: P9 comes before P10.
const SORT_KEYS = {
  rank: (paper) => paper,
  id: (paper) => papers.id[paper].toLowerCase().replace(/\d+/g, (digits) => digits.padStart(12, "0")),
  track: (paper) => trackOf(paper).toLowerCase() || null,
  reviews: (paper) => papers.reviews[paper],
  mean: (paper) => papers.mean[paper],
  moved: (paper) => papers.moved[paper],
  score: scoreOf,
  interval: (paper) => (known(column("low", paper)) ? papers.high[paper] - papers.low[paper] : null),
  p_accept: (paper) => column("p_accept", paper),
  proposal: (paper) => column("proposal", paper),
};
const ASCENDING_FIRST = new Set(["rank", "id", "track", "proposal"]);

const orders = new Map(); // each order is worked out once

function ordered(key, descending) {
  const name = `${key} ${descending}`;
  if (!orders.has(name)) orders.set(name, sortedPapers(SORT_KEYS[key], descending ? -1 : 1));
  return orders.get(name);
}

function sortedPapers(sortKey, sign) {
  const keys = Array.from({ length: paperCount }, (_, paper) => sortKey(paper));
  const all = keys.map((_, paper) => paper);
  const compare = (a, b) => (keys[a] < keys[b] ? -sign : keys[a] > keys[b] ? sign : a - b);
  return [...all.filter((paper) => known(keys[paper])).sort(compare), ...all.filter((paper) => !known(keys[paper]))];
}

// Letters without their accents, so that "Muller" finds "Müller".
const folded = (text) => text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();
let searchable = null;

function selectPapers() {
  const words = folded(table.query).split(/\s+/).filter(Boolean);
  if (words.length && !searchable) searchable = papers.id.map((_, paper) => folded(`${papers.id[paper]} ${column("title", paper) ?? ""} ${trackOf(paper)}`));
  table.order = ordered(table.key, table.descending).filter(
    (paper) =>
      (!table.proposal || proposalOf(paper) === table.proposal) &&
      (!table.track || trackOf(paper) === table.track) &&
      words.every((word) => searchable[paper].includes(word)),
  );
}

const CELLS = {
  rank: (paper) => `${papers.rank[paper]}`,
  id: (paper) => paperCell(paper),
  track: (paper) => make("span", { class: "text", dir: "auto" }, trackOf(paper)),
  reviews: (paper) => `${papers.reviews[paper]}`,
  mean: (paper) => decimal(papers.mean[paper]),
  moved: (paper) => make("span", { title: `by mean rating: ${meanPlaces(paper)}`, class: "moved" }, movedText(paper)),
  score: scoreText,
  interval: (paper) => intervalBar(paper),
  p_accept: (paper) => chanceText(column("p_accept", paper)),
  proposal: (paper) => proposalMark(proposalOf(paper)),
};

function paperCell(paper) {
  const words = flagsIn(papers.flags[paper] & ~everywhere).join("; ");
  const flag = words ? make("span", { class: "flag", title: words }, "⚑", make("span", { class: "unseen" }, ` note: ${words}`)) : null;
  return make("span", { class: "paper" }, paperLink(paper), flag ? "\u00a0" : null, flag);
}

// From the lowest to the highest score that an interval of any paper reaches: the same for all bars.
function scoreRange() {
  let [from, to] = [Infinity, -Infinity];
  for (const values of [papers.low, papers.high]) {
    for (const value of values) if (known(value)) [from, to] = [Math.min(from, value), Math.max(to, value)];
  }
  return { from, width: Math.max(to - from, 1e-9) };
}

let barRange = null;

function intervalBar(paper) {
  const [low, high, score] = [column("low", paper), column("high", paper), papers.score[paper]];
  if (!known(low) || !known(score)) return DASH;
  barRange ??= scoreRange();
  const x = (value) => 5 + (110 * (value - barRange.from)) / barRange.width;
  const words = `${decimal(low)} to ${decimal(high)}`;
  const bar = shape("svg", { class: `bar ${proposalOf(paper)}`, viewBox: "0 0 120 16", role: "img", "aria-label": words });
  if (known(cutRows[0]?.score)) bar.append(shape("line", { class: "at-cut", x1: x(cutRows[0].score), x2: x(cutRows[0].score), y1: 0, y2: 16 }));
  bar.append(shape("line", { class: "reach", x1: x(low), x2: x(high), y1: 8, y2: 8 }), barPoint(proposalOf(paper), x(score)));
  return make("span", { title: words }, bar);
}

function barPoint(proposal, x) {
  if (proposal === "accept") return shape("path", { d: `M${x - 5} 12 L${x + 5} 12 L${x} 3 Z` });
  if (proposal === "reject") return shape("rect", { x: x - 4, y: 4, width: 8, height: 8 });
  return shape("circle", { cx: x, cy: 8, r: 4.5 });
}

const tableHeads = () => [...byId("ranking-table").querySelectorAll("thead th")];

function tableRow(paper) {
  const cells = tableHeads().map(({ dataset: { key }, className }) =>
    key === "id" ? make("th", { scope: "row", class: className }, CELLS.id(paper)) : make("td", { class: className }, CELLS[key](paper)),
  );
  const row = make("tr", { "data-paper": paper, class: proposalOf(paper) }, ...cells);
  return row;
}

const aboveCut = (paper) => paper < places;

// The line of the cut stands between two papers wherever the table is in the order of the ranking.
function tableRows(from, to) {
  const rows = [];
  for (let place = from; place < to; place += 1) {
    const [before, paper] = [table.order[place - 1], table.order[place]];
    if (places && table.key === "rank" && place > 0 && aboveCut(before) !== aboveCut(paper)) {
      const words = `the cut: ${counted(places, "place")} above this line`;
      rows.push(make("tr", { class: "cut" }, make("td", { colspan: tableHeads().length }, words)));
    }
    rows.push(tableRow(paper));
  }
  return rows;
}

function showTable() {
  const all = printing && table.order.length <= PRINTED_ROWS;
  const pages = Math.max(1, Math.ceil(table.order.length / table.size));
  table.page = Math.min(table.page, pages - 1);
  const from = all ? 0 : table.page * table.size;
  const to = all ? table.order.length : Math.min(from + table.size, table.order.length);
  table.shown = table.order.slice(from, to);
  byId("ranking-table").tBodies[0].replaceChildren(...tableRows(from, to));
  showTableState(from, to, pages);
  drawIntervals();
}

function showTableState(from, to, pages) {
  const total = table.order.length;
  const of = total === paperCount ? counted(total, "paper") : `${total.toLocaleString("en")} of ${counted(paperCount, "paper")}`;
  byId("table-count").textContent = total ? `${(from + 1).toLocaleString("en")}–${to.toLocaleString("en")} · ${of}` : `no paper fits (of ${counted(paperCount, "paper")})`;
  byId("page-number").textContent = `page ${table.page + 1} of ${pages}`;
  byId("page-first").disabled = byId("page-back").disabled = table.page === 0;
  byId("page-on").disabled = byId("page-last").disabled = table.page >= pages - 1;
  byId("print-rows").hidden = !(printing && to - from < total);
  for (const head of tableHeads()) {
    const sorting = head.dataset.key === table.key ? (table.descending ? "descending" : "ascending") : "none";
    head.setAttribute("aria-sort", sorting);
  }
}

function drawIntervals() {
  const host = byId("chart-intervals");
  if (!host) return;
  const shown = table.shown.filter((paper) => known(papers.score[paper])).slice(0, charts.most_rows);
  host.closest("figure").hidden = !shown.length;
  byId("intervals-note").textContent = table.shown.length > charts.most_rows ? `The first ${charts.most_rows} of these papers.` : "";
  if (shown.length) draw(host, "intervals", { papers: shown.map(paperRow), cut: cutRows }, { onPoint: openPoint });
  else endChart(host);
}

// Change something about the table and show it from its first page (or from the page that was asked for).
function changeTable(changes) {
  Object.assign(table, { page: 0 }, changes);
  selectPapers();
  showTable();
}

function sortTable(key) {
  const descending = table.key === key ? !table.descending : !ASCENDING_FIRST.has(key);
  changeTable({ key, descending });
}

function startTable() {
  for (const head of tableHeads()) {
    const button = make("button", { type: "button", class: "sort", title: head.title }, head.textContent.trim());
    button.addEventListener("click", () => sortTable(head.dataset.key));
    head.replaceChildren(button);
    head.removeAttribute("title");
  }
  for (const [id, name] of [["search", "query"], ["filter-proposal", "proposal"], ["filter-track", "track"], ["page-size", "size"]]) {
    byId(id)?.addEventListener("input", ({ target }) => changeTable({ [name]: name === "size" ? Number(target.value) : target.value }));
  }
  const turn = { "page-first": () => 0, "page-back": () => table.page - 1, "page-on": () => table.page + 1, "page-last": () => Infinity };
  for (const [id, page] of Object.entries(turn)) byId(id).addEventListener("click", () => changeTable({ page: page() }));
  byId("ranking-table").tBodies[0].addEventListener("click", ({ target }) => {
    const row = target.closest("tr[data-paper]");
    if (row && !target.closest("a") && !String(window.getSelection())) location.hash = addressOf(Number(row.dataset.paper));
  });
  byId("flags-note").textContent = flagsIn(everywhere).map((meaning) => `Every paper: ${meaning}.`).join(" ");
  changeTable({});
}
