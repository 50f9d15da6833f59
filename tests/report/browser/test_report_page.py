"""The page as a whole: it loads nothing, runs nothing from the data, and fits every screen and audience."""

import re
from itertools import pairwise

import pytest
from report_in_browser import card_is

HOSTILE = [
    '<script>window.hacked = "element"</script>',
    "<img src=x onerror=\"window.hacked = 'image'\">",
    "</script><script>window.hacked = 'end'</script>",
    "{{ 7 * 7 }} ${7 * 7} {% raw %}",
    "שלום \u202eתהפוך\u202c 😀 Ünïcödé",
    "w" * 400,
    "a\u2028b\u2029c\"'`&amp;\\",
]


def overflow(page):
    return page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")


def test_opens_without_errors_and_asks_for_nothing_but_itself(open_report, document):
    report = open_report(document())
    assert report.page.title() == "Workshop 2026: report"
    assert report.page.locator("#chart-intervals svg").count() == 1
    assert report.page.locator("#chart-moved svg").count() == 1
    assert report.page.locator("#chart-calibration svg").count() == 1
    assert report.errors == []
    assert [url for url in report.requests if not url.startswith("data:")] == [report.address]


def test_policy_allows_nothing_from_elsewhere_and_no_code_from_text(open_report, document):
    page = open_report(document()).page
    assert page.evaluate("fetch('https://example.org/').then(() => 'loaded', () => 'refused')") == "refused"
    policy = page.locator("meta[http-equiv]").get_attribute("content")
    assert "default-src 'none'" in policy
    assert "unsafe-eval" not in policy


def test_text_of_the_data_is_never_markup(open_report, document):
    made = document()
    papers = made["papers"]
    papers["id"][: len(HOSTILE)] = HOSTILE
    papers["title"][: len(HOSTILE)] = reversed(HOSTILE)
    papers["why"] = papers["story"] = [HOSTILE[at % len(HOSTILE)] for at in range(len(papers["id"]))]
    made["tracks"] = HOSTILE[:2]
    made["title"], made["quality"]["notes"] = HOSTILE[0], HOSTILE
    made["made"]["command"] = HOSTILE[2]
    made["reviews"]["reviewer"] = [HOSTILE[at % len(HOSTILE)] for at in range(len(made["reviews"]["rating"]))]
    report = open_report(made, viewport={"width": 390, "height": 800})
    page = report.page
    shown = page.locator("#ranking-table tbody th .id").all_text_contents()
    assert shown[: len(HOSTILE)] == HOSTILE
    for at in range(len(HOSTILE)):
        page.locator("#ranking-table tbody th a").nth(at).click()
        assert card_is(page, HOSTILE[at])
        page.locator("#card .chart svg").first.wait_for()
        page.keyboard.press("Escape")
    page.hover("#chart-intervals svg path[aria-roledescription=point], #chart-intervals svg .mark-symbol path")
    assert page.locator(".tooltip").text_content().count(HOSTILE[0]) >= 1
    assert page.evaluate("window.hacked") is None
    assert page.locator("main img, main script, dialog img, dialog script").count() == 0
    assert overflow(page) <= 0
    assert report.errors == []


@pytest.mark.parametrize("audience", ["chair", "committee", "public"])
def test_each_audience_has_its_sections(open_report, document, audience):
    report = open_report(document(audience))
    page = report.page
    sections = [link.get_attribute("href") for link in page.locator("nav a").all()]
    single = audience != "public"
    expected = ["#top", "#discuss", "#ranking", "#changed", "#predictions", "#quality", "#made"]
    without = {"#discuss", "#changed"}  # of so few papers the public sees no spread either
    assert sections == [one for one in expected if single or one not in without]
    assert page.locator("#ranking-table").count() == int(single)
    assert page.locator("#chart-curve svg").count() == int(not single)
    assert report.errors == []
    if single:
        page.goto(report.address + "#paper=W03")
        assert card_is(page, "W03")
        assert page.get_by_role("heading", name="Single reviews").count() == int(audience == "chair")


def test_dark_mode_changes_page_and_charts_while_it_is_open(open_report, document):
    page = open_report(document(), color_scheme="light").page
    ground = "getComputedStyle(document.body).backgroundColor"
    label = "getComputedStyle(document.querySelector('#chart-intervals .role-axis-label text')).fill"
    light = page.evaluate(f"[{ground}, {label}]")
    page.emulate_media(color_scheme="dark")
    page.wait_for_function(f"() => {label} !== '{light[1]}'")
    dark = page.evaluate(f"[{ground}, {label}]")
    brightness = [[sum(map(int, re.findall(r"\d+", colour)[:3])) for colour in pair] for pair in (light, dark)]
    assert brightness[0][0] > 600 > 300 > brightness[0][1]
    assert brightness[1][0] < 300 < 600 < brightness[1][1]


@pytest.mark.parametrize("width", [390, pytest.param(768, marks=pytest.mark.slow)])
def test_narrow_screens_do_not_scroll_sideways(open_report, document, width):
    page = open_report(document(), viewport={"width": width, "height": 800}).page
    assert overflow(page) <= 0
    page.locator("#ranking-table tbody th a").first.click()
    assert (
        page.evaluate("document.getElementById('card').scrollWidth - document.getElementById('card').clientWidth") <= 0
    )
    for key in ("rank", "id", "p_accept", "proposal"):
        assert page.locator(f"#ranking-table thead .c-{key}").is_visible(), key
    assert page.locator("#ranking-table .bar").first.is_hidden()
    assert "bars" not in page.locator("#ranking-table caption").inner_text()


def test_without_javascript_the_facts_are_there(open_report, document):
    page = open_report(document(), script=False).page
    text = page.locator("body").inner_text()
    assert "need JavaScript" in text
    assert page.locator("#ranking-table tbody tr:not(.cut)").count() == 12
    assert page.locator("#ranking-table tr.cut").inner_text() == "the cut: 3 places above this line"
    assert page.locator(".discussion li").count() == 5
    assert page.locator(".controls").is_hidden()
    assert "W03" in page.locator(".discussion li").first.inner_text()


def test_headings_go_down_one_step_at_a_time_and_everything_has_a_name(open_report, document):
    page = open_report(document(), "#paper=W03").page
    levels = page.evaluate("[...document.querySelectorAll('h1,h2,h3,h4')].map(h => Number(h.tagName[1]))")
    assert levels[0] == 1
    assert all(after - before <= 1 for before, after in pairwise(levels))
    unnamed = page.evaluate(
        "[...document.querySelectorAll('button')].filter(b => !b.textContent.trim() && !b.ariaLabel).length"
    )
    assert unnamed == 0
    assert page.evaluate("[...document.querySelectorAll('.chart')].every(c => c.ariaLabel.length > 40)")
    assert page.locator("th:not([scope])").count() == 0


def test_a_chart_can_be_saved_as_a_picture(open_report, document, tmp_path):
    page = open_report(document()).page
    with page.expect_download() as download:
        page.click("button[data-save=chart-intervals]")
    download.value.save_as(tmp_path / "picture.svg")
    assert "W03" in (tmp_path / "picture.svg").read_text(encoding="utf-8")
