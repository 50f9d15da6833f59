"""The charts of the page: the same rows as in pictures drawn with Python, and no view that outlives its element."""

import pytest
from report_in_browser import card_is, has_count
from venues import venue_decisions

from surpeer.report.audience import Audience
from surpeer.report.charts import CHARTS
from surpeer.report.charts.datasets import rows_of
from surpeer.report.charts.limits import MOST_ROWS
from surpeer.report.content import report_of
from surpeer.report.document import document_of
from surpeer.report.redact import redact

DRAWN = "Object.fromEntries([...document.querySelectorAll('{}')].filter((h) => h.chart).map((h) => [h.chart.name, h.chart.data]))"

# Counts the views that are made and not ended.
COUNTING = """
window.live = 0;
let made;
Object.defineProperty(window, "vegaEmbed", {
  get: () => made,
  set: (embed) => {
    made = async (...all) => {
      const result = await embed(...all);
      const finalize = result.view.finalize;
      window.live += 1;
      result.view.finalize = function () { window.live -= 1; return finalize.call(this); };
      return result;
    };
  },
});
"""


def drawn(page, where=".chart"):
    """Every chart that is shown: its name, and the rows of each of its data sets."""
    return page.evaluate(DRAWN.format(where))


def large(audience="chair", papers=70):
    return document_of(redact(report_of(venue_decisions(papers=papers)), Audience(audience)))


def test_the_page_draws_the_rows_that_python_draws(open_report):
    made = large()
    page = open_report(made).page
    page.select_option("#page-size", "100")
    page.wait_for_function(f"() => document.getElementById('chart-intervals').chart.data.papers.length === {MOST_ROWS}")
    shown = drawn(page)
    assert set(shown) == {"curve", "intervals", "moved", "calibration", "pushes"}
    for name, data in shown.items():
        expected = {one: rows_of(made, one) for one in CHARTS[name].datasets}
        if name == "intervals":
            expected["papers"] = expected["papers"][:MOST_ROWS]
        assert data == expected, name


def test_the_public_page_draws_the_rows_that_python_draws_and_has_a_cut(open_report):
    made = large("public", 120)
    page = open_report(made).page
    shown = drawn(page)
    assert set(shown) == {"curve", "spread", "calibration", "pushes"}
    for name, data in shown.items():
        assert data == {one: rows_of(made, one) for one in CHARTS[name].datasets}, name
    assert shown["curve"]["cut"] == [{"score": None, "rank": 40.5}]
    assert page.locator("#chart-curve svg text", has_text="the cut").count() == 1


@pytest.mark.parametrize("papers", [None, 8])
def test_cards_draw_the_rows_that_python_draws(open_report, document, papers):
    """Two levels with a contour, and five levels, where one small track has no expectations."""
    made = document() if papers is None else large(papers=papers)
    made["papers"]["predictions"][1] = []
    page = open_report(made, f"#paper={made['papers']['id'][0]}").page
    kinds = set()
    for paper in made["papers"]["id"]:
        assert card_is(page, paper)
        for name, data in drawn(page, "#card .chart").items():
            kinds.add(name)
            assert data == {one: rows_of(made, one, paper) for one in CHARTS[name].datasets}, (paper, name)
        page.keyboard.press("ArrowRight")
    assert kinds == {"ratings", "predictions", *(["contour"] if papers is None else [])}


def test_a_paper_without_title_track_or_score_is_the_same_in_both(open_report, document):
    made = document()
    made["papers"]["title"][2] = None
    for name in ("score", "low", "high", "p_accept"):
        made["papers"][name][2] = None
    page = open_report(made).page
    assert drawn(page)["moved"]["papers"] == rows_of(made, "papers")
    made["papers"]["track"] = made["papers"]["title"] = None
    page = open_report(made).page
    assert drawn(page)["moved"]["papers"] == rows_of(made, "papers")


def test_a_chart_has_room_for_each_of_its_rows_and_the_library_has_nothing_to_remark(open_report, document):
    made = large(papers=30)
    report = open_report(made, f"#paper={made['papers']['id'][0]}")
    page = report.page
    height = "(id) => document.querySelector(`${id} svg .mark-group.role-frame > g > path.background`).getBBox().height"
    shown = page.locator("#ranking-table tbody tr[data-paper]").count()
    assert page.evaluate(height, "#chart-intervals") == 20 * shown
    tracks = {row["track"] for row in made["predictions"]["pushes"]} - {None}
    assert page.evaluate(height, "#chart-pushes") == 34 * len(tracks)
    assert has_count(page.locator("#card .chart svg"), 2)
    given = len(made["papers"]["predictions"][0])
    name = page.evaluate("[...document.querySelectorAll('#card .chart')].map((host) => host.chart.name)")
    assert page.evaluate(height, f"#card figure:nth-child({1 + name.index('predictions')})") == 40 * given
    assert report.errors == []


def test_no_view_outlives_its_element(open_report, document):
    report = open_report(document(), first=COUNTING)
    page = report.page
    charts = page.locator("main .chart svg").count()
    assert charts == 4
    assert page.evaluate("live") == charts
    page.locator("#ranking-table tbody th a").first.click()
    assert has_count(page.locator("#card .chart svg"), 3)
    for _ in range(3):  # faster than charts are drawn
        page.evaluate("for (let i = 0; i < 5; i += 1) document.getElementById('card-on').click()")
    page.wait_for_function(f"() => live === {charts} + document.querySelectorAll('#card .chart svg').length")
    page.keyboard.press("Escape")
    for scheme in ("dark", "light", "dark"):
        page.emulate_media(color_scheme=scheme)
    for media in ("print", "screen"):
        page.emulate_media(media=media)
    page.click("#ranking-table th[data-key=mean] button")
    page.wait_for_function(f"() => live === {charts}")
    with page.expect_download():
        page.click("button[data-save=chart-moved]")
    assert page.evaluate("live") == charts
    assert report.errors == []


def test_a_tooltip_writes_numbers_as_the_table_does(open_report, document):
    made = document()
    made["papers"]["p_accept"][:3] = [1.0, 0.997, 0.5]
    page = open_report(made).page
    assert page.locator("#ranking-table td.c-p_accept").all_text_contents()[:3] == [">99%", ">99%", "50%"]
    labels = page.locator("#chart-intervals svg .mark-text text").all_text_contents()
    assert labels.count(">99%") == 2
    assert "100%" not in labels
    page.locator("#chart-intervals svg path[aria-roledescription=point]").nth(6).hover()
    tooltip = page.locator(".tooltip").inner_text()
    paper = made["papers"]["id"][6]
    assert f"paper {paper}" in tooltip
    score = page.locator("#ranking-table td.c-score").nth(6).text_content()
    assert score.startswith("−")
    assert f"score {score}" in tooltip
    assert "papers it is clearly better than 0" in tooltip
    assert "null" not in tooltip
