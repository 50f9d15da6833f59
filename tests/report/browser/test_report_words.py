"""What the page says, and that it is true: also without predictions, or where they are not used."""

import polars as pl
import pytest
from report_in_browser import card_is
from venues import venue_table

import surpeer
from surpeer.report.content import report_of
from surpeer.report.document import document_of


def venue(method="venue", **columns):
    table = venue_table(20).with_columns(**columns)
    ranking = surpeer.calibrate(surpeer.Reviews.from_table(table, surpeer.Scale.parse("1..5")), method)
    return document_of(report_of(surpeer.decide(ranking, 5) if method == "venue" else ranking))


def without_predictions():
    nothing = {f"p_{level}": pl.lit(None).cast(pl.Float64) for level in range(1, 6)}
    return venue(**nothing)


def not_followed():
    """Everybody predicts the same of every paper."""
    return venue(**{f"p_{level}": pl.lit(0.2) for level in range(1, 6)})


def meaning(page, column):
    """What the legend of the table says of a column."""
    return page.locator(".legend div", has=page.get_by_text(column, exact=True)).locator("dd").text_content()


ALONE = {
    "no predictions": (without_predictions, "ratings alone: there are no predictions of how others would rate."),
    "not followed": (not_followed, "ratings alone: what reviewers predicted of each other could not be followed."),
}  # fmt: skip


@pytest.mark.parametrize("case", ALONE)
def test_where_ratings_alone_decide_the_page_says_so(open_report, case):
    make, words = ALONE[case]
    page = open_report(make()).page
    text = page.inner_text("body")
    assert f"Papers are ranked by their {words}" in page.inner_text(".how")
    assert "pulled towards it the more, the fewer reviews there are" in page.inner_text(".how")
    for untrue in ("whatever the quality", "What the predictions changed", "once predictions are taken into account"):
        assert untrue not in text
    assert page.inner_text("#changed-title") == "How scores differ from mean ratings"
    assert "predictions had no influence" in meaning(page, "Score")


def test_of_mean_ratings_nothing_changed(open_report):
    made = venue("mean")
    report = open_report(made)
    page = report.page
    assert page.locator("#changed, nav a[href='#changed'], .c-moved").count() == 0
    assert "What reviewers predicted of each other is not used" in page.inner_text(".how")
    assert "this method uses nothing else" in meaning(page, "Score")
    assert report.errors == []


def test_a_flag_of_every_paper_is_said_once(open_report):
    made = without_predictions()
    meaning = dict(made["words"]["flags"])["missing_predictions"]
    bit = [name for name, _ in made["words"]["flags"]].index("missing_predictions")
    assert all(flags >> bit & 1 for flags in made["papers"]["flags"])
    made["papers"]["flags"][0] |= 1 << [name for name, _ in made["words"]["flags"]].index("one_review")
    page = open_report(made).page
    assert page.inner_text("#flags-note") == f"Every paper: {meaning}."
    titles = page.locator("#ranking-table .flag").evaluate_all("all => all.map(one => one.title)")
    assert not [title for title in titles if meaning in title]
    assert "has a single review" in titles[0]


def test_caveats_stand_at_the_head(open_report, document):
    made = document()
    made["caveats"] = ["Few papers to learn from.", "<b>A tie.</b>"]
    page = open_report(made).page
    assert page.locator(".caveats li").all_text_contents() == made["caveats"]
    made["caveats"] = []
    assert open_report(made).page.locator(".caveats").count() == 0


def test_one_name_for_the_chance(open_report, document):
    made = document()
    page = open_report(made, "#paper=W03").page
    assert card_is(page, "W03")
    chance = page.locator("#ranking-table td.c-p_accept").first.text_content()
    fact = page.locator("#card .facts div", has=page.get_by_text("chance", exact=True))
    assert fact.inner_text().split("\n") == ["chance", chance, "of being truly among the best 3"]
    page.keyboard.press("Escape")
    assert page.locator(".discussion .chance").first.inner_text().split() == [chance, "chance"]
    assert page.locator("#chart-intervals svg text", has_text="chance").count() == 1
    words = "The probability that the paper is truly among the best 3. A paper at the cut can have less than 50%: "
    assert meaning(page, "Chance").startswith(words)
    assert page.locator("#ranking figure p", has_text="A paper at the cut can have less than 50%").count() == 1
    text = page.inner_text("main")
    assert "P(accept)" not in text
    assert "above the cut" not in text


def test_the_card_says_where_the_evidence_separates_the_paper(open_report, document):
    made = document()
    papers = made["papers"]
    papers["clearly_better_than"][:4] = [0, 7, 1, 11]
    papers["clearly_worse_than"][:4] = [0, 1, 0, 0]
    sure = " (with a certainty of 80%)."
    page = open_report(made, "#paper=W03").page
    for words in (
        f"It cannot be told apart from any of the other 11 papers{sure}",
        f"Clearly better than 7 papers, clearly worse than 1; the other 3 cannot be told apart from it{sure}",
        f"Clearly better than 1 paper, clearly worse than 0; the other 10 cannot be told apart from it{sure}",
        f"Clearly better than 11 papers, clearly worse than 0; no other is left{sure}",
    ):
        assert page.inner_text("#card .apart") == words
        page.keyboard.press("ArrowRight")
    papers["clearly_better_than"] = papers["clearly_worse_than"] = None
    page = open_report(made, "#paper=W03").page
    assert page.locator("#card .apart").count() == 0


@pytest.mark.parametrize(
    ("method", "rest"),
    [("venue", " (the venue score above is more cautious)"), ("surprisal", ""), ("sp", " (not the score above)")],
)
def test_the_contour_says_whose_score_it_shows(open_report, document, method, rest):
    made = document()
    made["method"]["name"] = method
    page = open_report(made, "#paper=W03").page
    words = "Lu and Kong’s score of this paper, had its reviewers predicted otherwise"
    assert page.locator("#card figcaption").nth(1).inner_text() == words + rest


def test_ids_that_are_numbers_are_called_papers(open_report, document):
    made = document()
    made["papers"]["id"] = [str(at + 1) for at in range(12)]
    made["papers"]["title"] = None
    page = open_report(made).page
    assert page.locator(".discussion .name").first.inner_text() == "paper 1"
    assert page.locator(".discussion .place").first.inner_text().split() == ["rank", "1"]
    first = page.locator("#movers-up li").first
    assert first.locator("a").inner_text() == "paper 6"
    assert first.locator(".moved").inner_text() == "▲ 4 places up, from rank 10–11 by mean rating to 6"


def test_titles_are_a_part_of_links_and_of_labels(open_report, document):
    page = open_report(document(), viewport={"width": 1280, "height": 900}).page
    for place in (".discussion .name", "#movers-up li", "#ranking-table tbody th"):
        link = page.locator(f"{place} a").first
        assert link.locator(".title").inner_text().startswith("An example, part ")
        assert link.locator(".id").inner_text().startswith("W")
    assert page.locator("#chart-intervals svg text", has_text="W03 · An example, part 1").count() == 1


def test_every_card_fits_on_a_sheet(open_report, document):
    page = open_report(document(), viewport={"width": 680, "height": 1000}).page
    page.emulate_media(media="print")
    page.wait_for_function("() => document.querySelectorAll('#print-cards .chart svg').length >= 24")
    sheet = (297 - 2 * 13) / 25.4 * 96
    heights = page.evaluate("[...document.querySelectorAll('#print-cards article')].map((one) => one.offsetHeight)")
    head = page.evaluate(
        "document.querySelector('#print-cards article').offsetTop - document.getElementById('print-cards').offsetTop"
    )
    assert len(heights) == 12
    assert head + heights[0] < sheet
    assert max(heights) < sheet
