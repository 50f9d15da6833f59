"""The card of a paper: opened by mouse, keyboard, address and chart; and on paper."""

import re

import pytest
from report_in_browser import card_is, has_count


def test_a_row_opens_the_card_and_escape_closes_it(open_report, document):
    page = open_report(document()).page
    page.locator("#ranking-table tbody tr[data-paper]").nth(1).locator(".c-score").click()
    assert card_is(page, "W02")
    assert page.url.endswith("#paper=W02")
    page.keyboard.press("Escape")
    assert not page.locator("#card").is_visible()
    page.wait_for_url(lambda url: "#" not in url)


def test_the_keyboard_alone_opens_turns_and_closes_cards(open_report, document):
    page = open_report(document()).page
    page.locator("#ranking-table tbody th a").first.focus()
    page.keyboard.press("Enter")
    assert card_is(page, "W03")
    assert page.evaluate("document.activeElement.id") == "card-title"
    page.keyboard.press("ArrowRight")
    assert card_is(page, "W02")
    page.keyboard.press("ArrowLeft")
    assert card_is(page, "W03")
    page.keyboard.press("ArrowLeft")
    assert card_is(page, "W03")
    assert page.locator("#card-back").is_disabled()
    page.keyboard.press("Escape")
    assert page.evaluate("document.activeElement.querySelector('.id').textContent") == "W03"


def test_neighbours_follow_the_table(open_report, document):
    made = document()
    page = open_report(made).page
    page.select_option("#filter-track", "Systems")
    page.locator("#ranking-table tbody th a").first.click()
    page.click("#card-on")
    assert card_is(page, made["papers"]["id"][3])


def test_an_address_opens_its_card_and_unknown_ones_open_nothing(open_report, document):
    made = document()
    made["papers"]["id"][0] = "a/b #1?%"
    page = open_report(made, "#paper=a%2Fb%20%231%3F%25").page
    assert card_is(page, "a/b #1?%")
    for address in ("#paper=nobody", "#paper=%E0%A4%A", "#ranking"):
        page.evaluate(f"location.hash = {address!r}")
        page.wait_for_function("() => !document.getElementById('card').open")
        assert not page.locator("#card").is_visible()


def test_a_point_of_the_chart_opens_its_card(open_report, document):
    page = open_report(document()).page
    page.locator("#chart-moved .mark-symbol.role-mark path").first.click()
    assert card_is(page, document()["papers"]["id"][0])


def test_the_card_says_what_is_known(open_report, document):
    made = document()
    page = open_report(made, "#paper=W03").page
    text = page.locator("#card").inner_text()
    assert "1\nof 12; by mean rating 4–7" in text
    assert made["papers"]["story"][0] in text
    assert made["papers"]["if_higher"][0] in text
    assert made["papers"]["if_lower"][0] in text
    assert has_count(page.locator("#card .chart svg"), 3)
    numbers = page.locator("#card .level-table tbody tr").all_inner_texts()
    assert numbers[0].split("\t") == ["ratings given", *map(str, made["papers"]["counts"][0])]
    reviews = page.locator("#card section").last.locator("tbody tr")
    assert reviews.count() == made["papers"]["reviews"][0]


def test_shares_add_up_as_they_are_shown(open_report, document):
    made = document()
    papers, reviews = made["papers"], made["reviews"]
    first = reviews["start"][0]
    papers["prior"][0] = [335, 665]  # each by itself: 34% and 67%
    reviews["prediction"][first : first + 3] = [[145, 855], [4, 996], [None, 333]]
    page = open_report(made, "#paper=W03").page
    rows = [text.split("\t") for text in page.locator("#card .level-table tbody tr").all_inner_texts()]
    assert rows[1] == ["to be expected whatever the quality", "34%", "66%"]
    shown = [text.split("\t")[-2:] for text in page.locator("#card section").last.locator("tbody tr").all_inner_texts()]
    assert shown[:3] == [["15%", "85%"], ["<1%", ">99%"], ["–", "33%"]]


def test_packed_sentences_are_put_together(open_report, document):
    made = document()
    papers = made["papers"]
    papers["if_lower"][0] = None
    papers["story"][1] = "5 | 6 of 7,000.5."
    page = open_report(made, "#paper=W03").page
    assert papers["if_higher"][0] in page.inner_text("#card")
    for paper in range(3):
        assert page.locator("#card .story").text_content() == papers["story"][paper]
        page.click("#card-on")
    assert papers["why"][0] in page.inner_text("#movers-up")


def pages_of(pdf):
    return len(re.findall(rb"/Type\s*/Page\b(?!s)", pdf))


def test_on_paper_every_card_is_printed_in_light_colours(open_report, document):
    report = open_report(document(), color_scheme="dark")
    page = report.page
    page.emulate_media(media="print", color_scheme="dark")
    page.wait_for_function("() => document.querySelectorAll('#print-cards .chart svg').length >= 24")
    assert page.locator("#print-cards article h2").all_text_contents() == document()["papers"]["id"]
    assert page.locator("nav").is_hidden()
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
    page.emulate_media(media="screen")
    page.wait_for_function("() => !document.querySelector('#print-cards article')")
    pdf = page.pdf(prefer_css_page_size=True)
    assert pages_of(pdf) >= 13
    assert page.locator("#print-cards article").count() == 0
    assert report.errors == []


@pytest.mark.slow  # sixty cards, each with its charts
def test_on_paper_all_rows_up_to_a_limit_and_the_cards_to_discuss(open_report, many):
    made = many(480)
    page = open_report(made).page
    page.emulate_media(media="print")
    page.wait_for_selector("#print-cards article")
    assert page.locator("#ranking-table tbody tr[data-paper]").count() == 480
    discussed = [paper for paper, one in zip(made["papers"]["id"], made["papers"]["proposal"], strict=True) if one == 1]
    assert page.locator("#print-cards article h2").all_text_contents() == discussed[:60]
    assert f"the first 60 of {len(discussed)} papers to discuss" in page.inner_text("#print-cards")
    assert page.locator("#print-rows").is_hidden()


def test_on_paper_a_long_ranking_is_one_page_of_it_and_says_so(open_report, many):
    made = many(501)
    made["papers"]["proposal"] = [0, 1, *[2] * 499]
    page = open_report(made).page
    page.emulate_media(media="print")
    page.wait_for_selector("#print-cards article")
    assert page.locator("#ranking-table tbody tr[data-paper]").count() == 25
    assert page.locator("#print-cards article h2").all_text_contents() == ["P2"]
    assert "all 501 papers are in the file" in page.inner_text("#print-rows")


def test_a_share_that_was_not_predicted_is_a_dash_and_not_nought(open_report, document):
    made = document()
    made["reviews"]["prediction"][0] = [None, 400]
    made["reviews"]["prediction"][1] = None
    page = open_report(made, "#paper=W03").page
    rows = page.locator("#card table").last.locator("tbody tr")
    shown = [rows.nth(at).locator("td").all_text_contents()[-2:] for at in range(2)]
    assert shown == [["–", "40%"], ["–", "–"]]
