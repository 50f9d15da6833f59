// The document of the report, and what the page asks of a paper. Papers are numbered by their place in the ranking, from 0.

const report = JSON.parse(byId("document").textContent);
const papers = report.papers;
const paperCount = papers ? papers.id.length : 0;
const positions = new Map(papers ? papers.id.map((id, paper) => [id, paper]) : []);
const places = report.decision ? report.decision.places : null;
const levels = report.scale.labels;

// Sentences are packed (surpeer/report/packing.py): `0|4.25|4` is pattern 0 with 4.25 and 4 in its gaps. Each is put
// together when it is shown: all at once would keep a page of 20,000 papers waiting.
const GAP = "\ue000";

function unpacked({ patterns, rows }, paper) {
  if (!known(rows[paper])) return null;
  const [number, ...gaps] = rows[paper].split("|");
  return patterns[Number(number)].split(GAP).map((piece, at) => piece + (gaps[at] ?? "")).join("");
}

function column(name, paper) {
  const cells = papers[name];
  return !cells ? null : cells.patterns ? unpacked(cells, paper) : cells[paper];
}

const trackOf = (paper) => (papers.track && known(papers.track[paper]) ? report.tracks[papers.track[paper]] : "");
const proposalOf = (paper) => (papers.proposal && known(papers.proposal[paper]) ? report.words.proposals[papers.proposal[paper]] : "");
const statusOf = (paper) => report.words.statuses[papers.status[paper]] ?? ["", ""];
const addressOf = (paper) => `#paper=${encodeURIComponent(papers.id[paper])}`;

// A flag that every paper has tells papers apart no longer; it is said once.
const everywhere = paperCount > 1 ? papers.flags.reduce((common, flags) => common & flags) : 0;
const flagsIn = (bits) => report.words.flags.filter((_, bit) => (bits >> bit) & 1).map(([, meaning]) => meaning);

// A score without end is not in the document as a number, but its status says which end.
const ENDLESS = { plus_infinity: Infinity, minus_infinity: -Infinity };
const scoreOf = (paper) => papers.score[paper] ?? ENDLESS[statusOf(paper)[0]] ?? null;

function scoreText(paper) {
  const score = scoreOf(paper);
  return Number.isFinite(score) ? decimal(score) : score === Infinity ? "+∞" : score === -Infinity ? "−∞" : DASH;
}

function meanPlaces(paper) {
  const first = papers.mean_rank[paper];
  const last = papers.mean_rank_last[paper];
  return first === last ? `${first}` : `${first}–${last}`;
}

function movedText(paper) {
  const moved = papers.moved[paper];
  return moved > 0 ? `▲ ${moved}` : moved < 0 ? `▼ ${-moved}` : "=";
}

// Where the evidence separates a paper from others, in words; null where scores have no errors.
function apartText(paper) {
  const [better, worse] = [column("clearly_better_than", paper), column("clearly_worse_than", paper)];
  if (!known(better) || !known(papers.score[paper]) || paperCount < 2) return null;
  const certainty = report.decision ? ` (with a certainty of ${exactPercent(report.decision.certainty)})` : "";
  const rest = paperCount - 1 - better - worse;
  if (!better && !worse) return `It cannot be told apart from any of the other ${counted(rest, "paper")}${certainty}.`;
  const sides = `Clearly better than ${counted(better, "paper")}, clearly worse than ${worse.toLocaleString("en")}`;
  return `${sides}; ${rest ? `the other ${rest.toLocaleString("en")} cannot be told apart from it` : "no other is left"}${certainty}.`;
}

// The rows that charts draw, by the names of the data sets; surpeer/report/charts/datasets.py makes the same ones.
const thousandth = (share) => (known(share) ? share / 1000 : null);

function paperRow(paper) {
  const texts = { title: column("title", paper) ?? "", track: trackOf(paper), proposal: proposalOf(paper) };
  return Object.fromEntries(charts.paper_fields.map((name) => [name, texts[name] ?? column(name, paper)]));
}

const cutRows = report.decision ? [{ score: report.decision.cut, rank: places + 0.5 }] : [];

function levelRows(paper) {
  const total = papers.counts[paper].reduce((sum, one) => sum + one, 0);
  return levels.map((level, position) => ({
    level,
    position,
    share: total ? papers.counts[paper][position] / total : null,
    prior: thousandth(papers.prior[paper]?.[position]),
  }));
}

function predictionRows(paper) {
  return papers.predictions[paper].flatMap(([given, reviewers, shares]) =>
    shares.map((share, position) => ({ given: levels[given], reviewers, level: levels[position], position, share: thousandth(share) })),
  );
}

// Lines of equal score for the ratings of a paper on two levels.
function contourRows(paper) {
  const counts = papers.counts[paper];
  const lines = report.contours?.lines[`${counts.at(-1)}/${counts.reduce((sum, one) => sum + one, 0)}`] ?? [];
  return lines.flatMap((points, line) =>
    points.map(([x, y], step) => ({ score: report.contours.scores[line], line, step, x: thousandth(x), y: thousandth(y) })),
  );
}

// What both sides predicted of the high level; nothing where one of them did not.
function pointRows(paper) {
  const predicted = new Map(papers.predictions[paper].map(([given, , shares]) => [given, shares.at(-1)]));
  if (levels.length !== 2 || predicted.size !== 2) return [];
  return [{ x: thousandth(predicted.get(0)), y: thousandth(predicted.get(1)), id: papers.id[paper] }];
}

function proposalMark(word) {
  if (!word) return make("span", { class: "proposal" }, DASH);
  return make("span", { class: `proposal ${word}` }, make("span", { class: "symbol", "aria-hidden": "true" }), ` ${word}`);
}

// Id and title. In a running text an id that stands alone, such as 4, is called a paper.
function paperLink(paper, { running = false } = {}) {
  const title = column("title", paper);
  return make(
    "a",
    { href: addressOf(paper), class: "paper-link" },
    running && !title && /^\d+$/.test(papers.id[paper]) ? "paper " : null,
    make("bdi", { class: "id text" }, papers.id[paper]),
    title ? " " : null,
    title ? make("span", { class: "title text", dir: "auto" }, title) : null,
  );
}
