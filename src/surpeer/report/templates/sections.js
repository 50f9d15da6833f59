// The other sections: who moved, and what the predictions were worth.

const MOVERS = 5;

// On screen the list of papers to discuss begins short.
function foldDiscussion() {
  const list = byId("discussion");
  if (!list) return;
  list.classList.add("folded");
  byId("unfold").addEventListener("click", ({ target }) => {
    list.classList.remove("folded");
    target.hidden = true;
  });
}

function mover(paper) {
  const far = counted(Math.abs(papers.moved[paper]), "place");
  const way = papers.moved[paper] > 0 ? `▲ ${far} up` : `▼ ${far} down`;
  return make(
    "li",
    {},
    paperLink(paper, { running: true }),
    make("span", { class: "moved" }, `${way}, from rank ${meanPlaces(paper)} by mean rating to ${papers.rank[paper]}`),
    make("span", { class: "why text", dir: "auto" }, column("why", paper)),
  );
}

function showMovers() {
  if (!byId("movers-up")) return; // scores are the mean ratings
  const order = Array.from({ length: paperCount }, (_, paper) => paper).sort((a, b) => papers.moved[b] - papers.moved[a] || a - b);
  const up = order.slice(0, MOVERS).filter((paper) => papers.moved[paper] > 0);
  const down = order.slice(-MOVERS).reverse().filter((paper) => papers.moved[paper] < 0);
  for (const [id, movers] of [["movers-up", up], ["movers-down", down]]) {
    byId(id).replaceChildren(...(movers.length ? movers.map(mover) : [make("li", { class: "quiet" }, "no paper")]));
  }
}

// What a chart shows, as a table for those who cannot see it.
const NUMBERS = {
  curve: ["The ranking in steps", ["ranks", "mean score", "from", "to", "accept", "discuss", "reject"],
    (row) => [row.first === row.last ? `${row.first}` : `${row.first}–${row.last}`, decimal(row.score), decimal(row.low), decimal(row.high), `${row.accept}`, `${row.discuss}`, `${row.reject}`]],
  spread: ["Papers by mean rating and score", ["mean rating", "score", "papers"],
    (row) => [decimal(row.mean), decimal(row.score), `${row.papers}`]],
  calibration: ["Predicted shares and what came", ["predicted share", "came true", "from", "to", "shares", "papers"],
    (row) => [percent(row.said), percent(row.came), percent(row.low), percent(row.high), `${row.shares}`, `${row.papers}`]],
  pushes: ["Papers by how far their ratings were pushed", ["track", "from", "to", "papers"],
    (row) => [row.track ?? "all", signed(row.from), signed(row.to), `${row.papers}`]],
};

function showNumbers(name, rows) {
  const box = byId(`numbers-${name}`);
  if (!box) return;
  const [caption, heads, cells] = NUMBERS[name];
  box.addEventListener("toggle", () => {
    if (box.childElementCount === 1) box.append(makeTable(caption, heads, rows.map(cells)));
  });
}

// Each chart of the whole venue that has a place in this page, with its data.
function drawVenueCharts() {
  const { curve, spread, predictions: { calibration, pushes } } = report;
  drawVenueChart("curve", { curve, cut: cutRows });
  drawVenueChart("spread", { spread });
  drawVenueChart("calibration", { calibration }, HALF_A_PAGE);
  drawVenueChart("pushes", { pushes }, HALF_A_PAGE);
  if (paperCount <= charts.many_points) drawMoved();
}

function drawVenueChart(name, data, options) {
  const host = byId(`chart-${name}`);
  if (!host || !data[name].length) return;
  draw(host, name, data, options);
  showNumbers(name, data[name]);
}

function drawMoved() {
  const host = byId("chart-moved");
  if (!host || host.chart) return;
  const rows = Array.from({ length: paperCount }, (_, paper) => paperRow(paper));
  draw(host, "moved", { papers: rows, cut: cutRows }, { onPoint: openPoint });
}

// With very many points the chart takes a second, and is drawn when somebody comes near it.
function drawMovedWhenNear() {
  const host = byId("chart-moved");
  if (!host) return;
  const watch = new IntersectionObserver((seen) => {
    if (!seen.some((one) => one.isIntersecting)) return;
    watch.disconnect();
    drawMoved();
  }, { rootMargin: "400px" });
  watch.observe(host);
}
