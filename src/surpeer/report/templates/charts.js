// Charts: the specifications of the report filled with data, in the colours of the page.

const charts = JSON.parse(byId("charts").textContent);
const darkMode = window.matchMedia("(prefers-color-scheme: dark)");
const drawing = new Set(); // promises of charts that are not there yet
let printing = false;

const themeName = () => (darkMode.matches && !printing ? "dark" : "light");

// A chart is never laid out narrower than its words need; where there is less room the picture is made smaller.
const LEAST_WIDTH = 440;
const PAPER_WIDTH = 640;
const PAPER_HEIGHT = 780;
const PAPER_STEP = 24; // of a row

// So many pixels for each different value of the field by which the chart has rows.
function heightOfRows({ height: { step }, usermeta, data: { name } }, data) {
  const rows = Math.max(1, new Set(data[name].map((row) => row[usermeta.rows_by]).filter(known)).size);
  return rows * (printing ? Math.min(step, PAPER_STEP, PAPER_HEIGHT / rows) : step);
}

function filledSpec({ name, data, options }, room) {
  const spec = structuredClone(charts.specs[name]);
  const width = Math.max(printing ? options.printWidth ?? PAPER_WIDTH : room || PAPER_WIDTH, LEAST_WIDTH);
  const autosize = { type: "fit-x", contains: "padding" };
  const height = spec.height.step ? heightOfRows(spec, data) : spec.height; // Vega-Lite does not fit what it has to count
  return { ...spec, width, height, autosize, datasets: data };
}

function embed(box, room, chart, theme) {
  const spec = filledSpec(chart, room);
  const config = structuredClone(charts.themes[theme]);
  config.axisX = { ...config.axisX, titleLimit: spec.width - 60 };
  config.axis.labelLimit = Math.min(Math.max(spec.width * 0.3, 140), 330);
  const many = Object.values(chart.data).some((rows) => rows.length > charts.many_points);
  return window.vegaEmbed(box, spec, {
    mode: "vega-lite",
    ast: true, // expressions are interpreted: the page allows no code made from text
    logLevel: 1, // errors
    actions: false,
    defaultStyle: false,
    renderer: many ? "canvas" : "svg",
    config,
    tooltip: showTooltip,
  });
}

// Show a chart in an element; again in the same element replaces it. What is shown there stands in `host.chart`.
function draw(host, name, data, options = {}) {
  const chart = { name, data, options, view: null };
  endChart(host);
  host.chart = chart;
  host.setAttribute("role", "img");
  host.setAttribute("aria-label", charts.specs[name].description);
  const done = show(host, chart).finally(() => drawing.delete(done));
  drawing.add(done);
}

// The old picture stays until the new one is complete, so that the page does not jump.
async function show(host, chart) {
  const box = make("div");
  try {
    const { view } = await embed(box, host.clientWidth, chart, themeName());
    if (host.chart !== chart) return view.finalize(); // another one was asked for meanwhile
    chart.view = view;
    const { onPoint } = chart.options;
    if (onPoint) view.addEventListener("click", (_, item) => item?.datum?.id !== undefined && onPoint(item.datum));
  } catch (problem) {
    box.replaceChildren(make("p", { class: "quiet" }, `This chart could not be drawn: ${problem.message}`));
  }
  if (host.chart === chart) host.replaceChildren(box);
}

// A chart whose view is not ended keeps its data and listeners, even when its element is gone.
function endChart(host) {
  host.chart?.view?.finalize();
  host.chart = null;
}

// To be called before the content of an element is replaced.
function endCharts(place) {
  place.querySelectorAll(".chart").forEach(endChart);
  tooltip.classList.remove("shown");
}

function redrawAll() {
  for (const host of document.querySelectorAll(".chart")) {
    if (host.chart) draw(host, host.chart.name, host.chart.data, host.chart.options);
  }
}

darkMode.addEventListener("change", redrawAll);

let roomBefore = window.innerWidth;
let resized = 0;
window.addEventListener("resize", () => {
  window.clearTimeout(resized);
  resized = window.setTimeout(() => {
    if (printing || roomBefore === window.innerWidth) return;
    roomBefore = window.innerWidth;
    redrawAll();
  }, 150);
});

// The chart alone, in light colours, as a file.
async function savePicture({ chart, clientWidth }) {
  const { view } = await embed(make("div"), clientWidth, chart, "light");
  const address = URL.createObjectURL(new Blob([await view.toSVG()], { type: "image/svg+xml" }));
  view.finalize();
  make("a", { href: address, download: `${chart.name}.svg` }).click();
  window.setTimeout(() => URL.revokeObjectURL(address), 10_000); // when the browser has certainly fetched it
}

for (const button of document.querySelectorAll("button[data-save]")) {
  button.addEventListener("click", () => savePicture(byId(button.dataset.save)));
}

const tooltip = make("div", { class: "tooltip", "aria-hidden": "true" });
document.body.append(tooltip);

function showTooltip(_, event, __, value) {
  tooltip.classList.toggle("shown", known(value) && value !== "");
  if (!tooltip.classList.contains("shown")) return;
  const rows = typeof value === "object" ? Object.entries(value).filter(([, text]) => known(text) && text !== "") : [["", String(value)]];
  tooltip.replaceChildren(
    ...rows.map(([label, text]) => make("div", {}, label ? make("span", { class: "quiet" }, `${label} `) : null, make("span", { class: "text", dir: "auto" }, String(text)))),
  );
  (event.target.closest?.("dialog") ?? document.body).append(tooltip);
  const { clientX, clientY } = event;
  const left = Math.min(clientX + 14, window.innerWidth - tooltip.offsetWidth - 8);
  const below = clientY + 18 + tooltip.offsetHeight < window.innerHeight;
  tooltip.style.left = `${Math.max(8, left)}px`;
  tooltip.style.top = `${below ? clientY + 18 : Math.max(8, clientY - tooltip.offsetHeight - 12)}px`;
}
