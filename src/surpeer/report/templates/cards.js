// The card of a paper: all that the report knows about it. It has an address, #paper=ID.

const card = byId("card");
const HALF_A_PAGE = { printWidth: LEAST_WIDTH };

const section = (title, ...content) => {
  const parts = content.filter((part) => part !== null);
  return parts.length ? make("section", {}, make("h3", {}, title), ...parts) : null;
};

function expectedText(paper) {
  const push = papers.push[paper];
  const far = known(push) && Math.abs(push) >= 0.005 ? `, ${decimal(Math.abs(push))} ${push > 0 ? "above" : "below"} one that nothing pushes` : "";
  return `expected ${decimal(papers.expected[paper])} whatever its quality${far}`;
}

function cardFacts(paper) {
  const [low, high, chance] = [column("low", paper), column("high", paper), column("p_accept", paper)];
  const facts = [
    ["rank", `${papers.rank[paper]}`, `of ${paperCount.toLocaleString("en")}; by mean rating ${meanPlaces(paper)}`],
    ["score", scoreText(paper), known(low) ? `${exactPercent(report.interval)} sure: ${decimal(low)} to ${decimal(high)}` : statusOf(paper)[0] === "finite" ? "" : statusOf(paper)[1]],
    ["mean rating", decimal(papers.mean[paper]), known(papers.expected[paper]) ? expectedText(paper) : counted(papers.reviews[paper], "review")],
    known(chance) ? ["chance", chanceText(chance), `of being truly among the best ${places.toLocaleString("en")}`] : null,
  ];
  const fact = ([name, value, note]) => make("div", {}, make("dt", {}, name), make("dd", {}, make("strong", {}, value), make("span", { class: "quiet" }, note)));
  return make("dl", { class: "facts" }, ...facts.filter(Boolean).map(fact));
}

function cardHead(paper) {
  const word = proposalOf(paper);
  const reason = known(column("reason", paper)) ? report.words.reasons[papers.reason[paper]][1] : "";
  return make(
    "header",
    {},
    make("p", { class: "quiet" }, "Paper", trackOf(paper) ? " in the track " : null, make("bdi", { class: "text" }, trackOf(paper))),
    make("h2", { id: printing ? null : "card-title", tabindex: "-1", class: "text", dir: "auto" }, papers.id[paper]),
    column("title", paper) ? make("p", { class: "title text", dir: "auto" }, column("title", paper)) : null,
    word ? make("p", {}, proposalMark(word), reason ? make("span", { class: "quiet" }, `  ${reason}`) : null) : null,
  );
}

// The numbers of both charts in one table.
function levelTable(paper) {
  const rows = [["ratings given", ...papers.counts[paper].map(String)]];
  const prior = papers.prior[paper];
  if (prior) rows.push(["to be expected whatever the quality", ...percents(prior)]);
  for (const [given, reviewers, shares] of papers.predictions[paper]) {
    rows.push([`predicted by ${counted(reviewers, "reviewer")} who gave “${levels[given]}”`, ...percents(shares)]);
  }
  return make("div", { class: "level-table" }, makeTable("Ratings and predictions in numbers", ["", ...levels], rows, true));
}

const CONTOUR = "Lu and Kong’s score of this paper, had its reviewers predicted otherwise";
const OTHER_SCORE = { surprisal: "", venue: " (the venue score above is more cautious)" };

function cardCharts(paper, later) {
  const host = (name, title, data, { wide = false, options = HALF_A_PAGE } = {}) => {
    const box = make("div", { class: "chart" });
    later.push(() => draw(box, name, data, options));
    return make("figure", { class: wide ? "wide" : null }, make("figcaption", {}, title), box);
  };
  const predictions = predictionRows(paper);
  const [contour, point] = [contourRows(paper), pointRows(paper)];
  const picture = contour.length && point.length;
  const expected = papers.prior[paper] ? "Ratings, and what was to be expected" : "Ratings";
  return make(
    "div",
    { class: "figures" },
    host("ratings", expected, { levels: levelRows(paper) }, { wide: !picture }),
    picture ? host("contour", CONTOUR + (OTHER_SCORE[report.method.name] ?? " (not the score above)"), { contour, point }) : null,
    predictions.length ? host("predictions", "What its reviewers predicted of each other", { predictions }, { wide: true, options: {} }) : null,
  );
}

const listOf = (items) => (items.length ? make("ul", {}, ...items.map((item) => make("li", {}, item))) : null);

function cardReviews(paper) {
  const reviews = report.reviews;
  if (!reviews) return null;
  const rows = [];
  for (let row = reviews.start[paper]; row < reviews.start[paper + 1]; row += 1) {
    const prediction = reviews.prediction[row];
    const who = make("bdi", { class: "text" }, reviews.reviewer?.[row] ?? `review ${row - reviews.start[paper] + 1}`);
    const shares = prediction ? percents(prediction) : levels.map(() => DASH);
    rows.push([who, levels[reviews.rating[row]], ...(reviews.expected ? [decimal(reviews.expected[row])] : []), ...shares]);
  }
  const heads = ["reviewer", "rating", ...(reviews.expected ? ["expected mean"] : []), ...levels];
  return makeTable("Each review: its rating, and the share of the other reviewers that it predicted for each level", heads, rows, true);
}

// The content of a card. What is pushed to `later` draws its charts, once they stand in the page.
function cardContent(paper, later) {
  const apart = apartText(paper);
  const changes = [column("if_higher", paper), column("if_lower", paper)].filter(Boolean);
  return [
    cardHead(paper),
    cardFacts(paper),
    make("p", { class: "story text", dir: "auto" }, column("story", paper)),
    make("p", { class: "why text", dir: "auto" }, column("why", paper)),
    apart ? make("p", { class: "apart" }, apart) : null,
    section("What to keep in mind", listOf(flagsIn(papers.flags[paper]).map((meaning) => `${meaning[0].toUpperCase()}${meaning.slice(1)}.`))),
    section("What would change the decision", listOf(changes)),
    section("Ratings and predictions", cardCharts(paper, later), levelTable(paper)),
    section("Single reviews", cardReviews(paper)),
  ].filter(Boolean);
}

function paperInAddress() {
  const name = location.hash.startsWith("#paper=") ? location.hash.slice("#paper=".length) : null;
  try {
    return name === null ? undefined : positions.get(decodeURIComponent(name));
  } catch {
    return undefined; // not an address that this page wrote
  }
}

// Neighbours are those in the table as it is sorted and filtered, or else those in the ranking.
function neighbour(paper, step) {
  const place = table.order.indexOf(paper);
  return place < 0 ? (paper + step >= 0 && paper + step < paperCount ? paper + step : undefined) : table.order[place + step];
}

function goTo(paper) {
  if (paper === undefined) return;
  history.replaceState(null, "", addressOf(paper));
  showCard();
}

function showCard() {
  const paper = paperInAddress();
  if (paper === undefined) return card.open && card.close();
  const later = [];
  endCharts(byId("card-body"));
  byId("card-body").replaceChildren(...cardContent(paper, later));
  for (const [id, step] of [["card-back", -1], ["card-on", 1]]) {
    byId(id).disabled = neighbour(paper, step) === undefined;
    byId(id).onclick = () => goTo(neighbour(paper, step));
  }
  if (!card.open) card.showModal();
  byId("card-title").focus();
  card.scrollTop = 0;
  later.forEach((drawChart) => drawChart());
}

function startCards() {
  byId("card-close").addEventListener("click", () => card.close());
  card.addEventListener("click", ({ target }) => target === card && card.close());
  card.addEventListener("close", () => {
    endCharts(card);
    if (paperInAddress() !== undefined) history.replaceState(null, "", location.href.split("#")[0]);
  });
  card.addEventListener("keydown", ({ key, target }) => {
    if (target.closest(".scroll")) return; // there the arrows move the table
    if (key === "ArrowLeft") byId("card-back").click();
    if (key === "ArrowRight") byId("card-on").click();
  });
  window.addEventListener("hashchange", showCard);
  showCard();
}

const openPoint = ({ id }) => {
  location.hash = addressOf(positions.get(id));
};
