// On paper: light colours, all rows, and the cards, which are made for the occasion and taken away afterwards.

const ALL_CARDS = 40;
const DISCUSSED_CARDS = 60;

function printedPapers() {
  const all = Array.from({ length: paperCount }, (_, paper) => paper);
  if (paperCount <= ALL_CARDS) return [all, ""];
  const discussed = all.filter((paper) => proposalOf(paper) === "discuss");
  const some = discussed.length > DISCUSSED_CARDS ? `the first ${DISCUSSED_CARDS} of ${counted(discussed.length, "paper")}` : counted(discussed.length, "paper");
  return [discussed.slice(0, DISCUSSED_CARDS), `Here are the cards of ${some} to discuss; those of all ${paperCount.toLocaleString("en")} are in the file of this report.`];
}

function printCards() {
  const [chosen, note] = printedPapers();
  const later = [];
  const cards = chosen.map((paper) => make("article", { class: "card" }, ...cardContent(paper, later)));
  byId("print-cards").replaceChildren(make("h2", {}, "Cards of papers"), ...(note ? [make("p", { class: "quiet" }, note)] : []), ...cards);
  byId("print-cards").hidden = !cards.length;
  later.forEach((drawChart) => drawChart());
}

function startPrinting() {
  if (printing) return;
  printing = true;
  if (card?.open) card.close();
  if (papers) showTable();
  redrawAll();
  if (papers) drawMoved();
  if (papers) printCards();
}

function stopPrinting() {
  if (!printing) return;
  printing = false;
  if (papers) {
    endCharts(byId("print-cards"));
    byId("print-cards").replaceChildren();
    byId("print-cards").hidden = true;
    showTable();
  }
  redrawAll();
}

window.addEventListener("beforeprint", startPrinting);
window.addEventListener("afterprint", stopPrinting);
window.matchMedia("print").addEventListener("change", ({ matches }) => (matches ? startPrinting() : stopPrinting()));
