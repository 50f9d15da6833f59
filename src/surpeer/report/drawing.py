"""Results and the name of a chart -> Picture. `plot()` and `surpeer plot` are these functions."""

from surpeer.decisions import Decisions
from surpeer.errors import InputError, UnknownName, counted, listed
from surpeer.explanation import Explanation
from surpeer.ranking import Ranking
from surpeer.report.audience import Audience
from surpeer.report.charts import CHARTS, Chart, facts_of
from surpeer.report.charts.datasets import Document, Row, row_of, rows_of
from surpeer.report.charts.limits import MOST_ROWS
from surpeer.report.charts.theme import palette, picture_theme
from surpeer.report.content import report_of
from surpeer.report.document import document_of
from surpeer.report.one_paper_document import contours_of_paper, explanation_document
from surpeer.report.picture import Picture
from surpeer.report.redact import LEAST, redact

WIDTH = 640
TITLE_LIMIT = 40
"""Letters of a paper's id in a title."""

EMPTY = {
    "papers": "no paper has a score",
    "curve": "no paper has a score",
    "spread": f"no {LEAST} papers are alike in mean rating and score, and fewer are not shown in public",
    "calibration": "no review has a complete prediction",
    "pushes": "predictions are not used by this method, or not followed",
    "levels": "the paper has no rating",
    "predictions": "none of its reviewers made a complete prediction",
    "contour": "it takes complete predictions by reviewers of both ratings",
}
"""Why there is nothing to draw, for each dataset that a chart cannot do without."""


def picture(
    results: Ranking | Decisions, name: str | None = None, paper: object = None, *, theme: str = "light"
) -> Picture:
    """A chart of a ranking, or of decisions, which also have a cut and proposals.

    name : of the chart; by default `intervals`, or `curve` where there are many papers
    paper : its id, for the charts of one paper
    theme : `light` or `dark`
    """
    chart = find_chart(name if name is not None else ("intervals" if len(results) <= MOST_ROWS else "curve"))
    ranking = results if isinstance(results, Ranking) else results.ranking
    check_chart(chart, paper)
    check_levels(chart, ranking.scores.matrices.scale.labels)
    palette(theme)
    report = report_of(results)
    document = document_of(redact(report, Audience.PUBLIC) if chart.name == "spread" else report)
    return picture_of_document(document, chart, None if paper is None else str(paper), theme)


def picture_of_explanation(explanation: Explanation, name: str, *, theme: str = "light") -> Picture:
    """A chart of the paper that is explained."""
    own = [chart.name for chart in CHARTS.values() if chart.of_one_paper]
    chart = find_chart(name)
    if name not in own:
        raise InputError(
            f"the chart {name} shows all papers; an explanation has {', '.join(own)}, a ranking has all charts"
        )
    paper = str(explanation.score.paper)
    check_levels(chart, explanation.scale.labels)
    return picture_of_document(explanation_document(explanation), chart, paper, theme)


def find_chart(name: str) -> Chart:
    """The registered chart of this name."""
    if name not in CHARTS:
        raise UnknownName("chart", name, CHARTS)
    return CHARTS[name]


def check_chart(chart: Chart, paper: object) -> None:
    """Whether the chart is about one paper where one is named, and about all where none is."""
    if chart.of_one_paper and paper is None:
        raise InputError(f"the chart {chart.name} shows one paper; name it: --paper ID, or plot(paper=...) in Python")
    if paper is not None and not chart.of_one_paper:
        own = ", ".join(one.name for one in CHARTS.values() if one.of_one_paper)
        raise InputError(f"the chart {chart.name} shows all papers, so it takes no paper; those of one paper are {own}")


def check_levels(chart: Chart, levels: tuple[str, ...]) -> None:
    """Whether the chart can be drawn for a scale of these levels."""
    if chart.name == "contour" and len(levels) != 2:
        raise InputError(
            f"the chart contour is for scales of two levels; found {len(levels)}: {listed(levels, 5)}; "
            "the chart predictions shows what reviewers predicted on any scale"
        )


def picture_of_document(
    document: Document, chart: Chart, paper: str | None, theme: str, *, titled: bool = True
) -> Picture:
    """The chart with the rows that a document of the report has for it.

    titled : False for pages that say in words of their own what the picture is; which papers it shows, it always says
    """
    if chart.name == "contour":
        document = {**document, "contours": contours_of_paper(document, row_of(document, paper))}
    rows = {name: rows_of(document, name, paper) for name in chart.datasets}
    _check_rows(chart, rows)
    which: list[str] = []
    if chart.name == "intervals":
        rows["papers"], which = _page(rows["papers"], document)
    title = chart.title if paper is None else f"{_cut_short(paper)}: {chart.title}"
    shown = {"text": title, "subtitle": [chart.shows, *which]} if titled else {"text": "", "subtitle": which}
    spec = {
        **chart.spec(facts_of(document)),
        **({"title": shown} if titled or which else {}),
        "width": WIDTH,
        "background": palette(theme).ground,
        "config": picture_theme(theme),
        "datasets": rows,
    }
    return Picture(chart.name, title, spec)


def _check_rows(chart: Chart, rows: dict[str, list[Row]]) -> None:
    first = chart.datasets[0]
    drawn = [row for row in rows[first] if first not in ("papers", "curve") or row["score"] is not None]
    if not drawn or (chart.name == "contour" and not rows["point"]):
        raise InputError(f"the chart {chart.name} has nothing to draw: {EMPTY[first]}")


def _page(rows: list[Row], document: Document) -> tuple[list[Row], list[str]]:
    """At most a page of papers that have a score, those around the cut or the first; and which they are, in words."""
    scored = [row for row in rows if row["score"] is not None]
    without = len(rows) - len(scored)
    left_out = [f"{counted(without, 'paper')} without a finite score left out."] if without else []
    if len(scored) <= MOST_ROWS:
        return scored, left_out
    places = 0 if document["decision"] is None else document["decision"]["places"]
    middle = sum(row["score"] is not None for row in rows[:places])
    start = min(max(0, middle - MOST_ROWS // 2), len(scored) - MOST_ROWS)
    page = scored[start : start + MOST_ROWS]
    which = f"Ranks {page[0]['rank']:,} to {page[-1]['rank']:,} of {counted(len(rows), 'paper')}."
    return page, [which, *left_out]


def _cut_short(paper: str) -> str:
    return paper if len(paper) <= TITLE_LIMIT else f"{paper[:TITLE_LIMIT]}…"
