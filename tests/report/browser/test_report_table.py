"""The table of the ranking in the page: search, sorting, filters, pages; also with very many papers."""

import pytest


def ids(page):
    return page.locator("#ranking-table tbody th .id").all_text_contents()


def column(page, key):
    return page.locator(f"#ranking-table tbody td.c-{key}").all_text_contents()


def test_search_finds_ids_titles_and_tracks_whatever_their_accents(open_report, document):
    made = document()
    made["papers"]["title"][4] = "Über Müllers Zählung"
    page = open_report(made).page
    page.fill("#search", "muller UBER")
    assert ids(page) == [made["papers"]["id"][4]]
    page.fill("#search", "w12")
    assert ids(page) == ["W12"]
    page.fill("#search", "systems")
    assert ids(page) == made["papers"]["id"][1::2]
    page.fill("#search", "nothing like this")
    assert ids(page) == []
    assert page.inner_text("#table-count") == "no paper fits (of 12 papers)"


def test_every_column_sorts_both_ways(open_report, document):
    made = document()
    papers = made["papers"]
    page = open_report(made).page
    heads = page.locator("#ranking-table thead th")
    keys = [head.get_attribute("data-key") for head in heads.all()]
    assert keys == ["rank", "id", "track", "reviews", "mean", "moved", "score", "interval", "p_accept", "proposal"]
    for key in keys:
        head = page.locator(f"#ranking-table th[data-key={key}]")
        head.get_by_role("button").click()
        first, order = head.get_attribute("aria-sort"), ids(page)
        head.get_by_role("button").click()
        second, other = head.get_attribute("aria-sort"), ids(page)
        assert {first, second} == {"ascending", "descending"}
        if key in papers:
            value = dict(zip(papers["id"], papers[key], strict=True))
            one, two = [value[paper] for paper in order], [value[paper] for paper in other]
            assert one == sorted(one, reverse=first == "descending"), key
            assert two == one[::-1], key


def test_papers_without_a_score_come_last_either_way(open_report, document):
    made = document()
    for name in ("score", "low", "high", "p_accept"):
        made["papers"][name][2] = None
    page = open_report(made).page
    for _ in range(2):
        page.click("#ranking-table th[data-key=score] button")
        assert ids(page)[-1] == made["papers"]["id"][2]


def test_filters_and_the_list_to_discuss(open_report, document):
    made = document()
    page = open_report(made).page
    page.select_option("#filter-track", "Systems")
    page.select_option("#filter-proposal", "reject")
    expected = [
        paper for at, paper in enumerate(made["papers"]["id"]) if at % 2 == 1 and made["papers"]["proposal"][at] == 2
    ]
    assert ids(page) == expected
    page.select_option("#filter-track", "")
    page.click("#see-discussed")
    assert set(column(page, "proposal")) == {" discuss"}
    assert len(ids(page)) == made["decision"]["discuss"]


def test_the_cut_is_a_line_of_the_table_only_in_the_order_of_rank(open_report, document):
    page = open_report(document()).page
    rows = page.locator("#ranking-table tbody tr")
    assert rows.nth(3).inner_text() == "the cut: 3 places above this line"
    page.click("#ranking-table th[data-key=rank] button")
    assert rows.nth(9).inner_text() == "the cut: 3 places above this line"
    page.click("#ranking-table th[data-key=mean] button")
    assert page.locator("tr.cut").count() == 0


def test_equal_means_share_their_places(open_report, document):
    """W03 is one of four papers with the mean 0.5, on places 4 to 7 by mean, and first by score."""
    page = open_report(document()).page
    row = page.locator("#ranking-table tbody tr", has=page.locator(".id", has_text="W03"))
    assert row.locator(".c-moved").inner_text() == "▲ 3"
    assert row.locator(".c-moved span").get_attribute("title") == "by mean rating: 4–7"
    row = page.locator("#ranking-table tbody tr", has=page.locator(".id", has_text="W07"))
    assert row.locator(".c-moved").inner_text() == "="


@pytest.mark.parametrize("papers", [3_000, pytest.param(20_000, marks=pytest.mark.slow)])
def test_thousands_of_papers_are_usable(open_report, many, papers):
    report = open_report(many(papers))
    page = report.page
    assert page.locator("#ranking-table tbody tr").count() == 25
    assert page.inner_text("#table-count") == f"1–25 · {papers:,} papers"
    assert page.locator("#chart-moved canvas").count() == 0  # takes a second, and waits until somebody comes near
    page.fill("#search", f"p{papers - 1}")
    assert ids(page) == [f"P{papers - 1}"]
    page.fill("#search", "")
    page.click("#page-last")
    assert ids(page)[-1] == f"P{papers}"
    assert page.inner_text("#page-number") == f"page {papers // 25} of {papers // 25}"
    page.click("#ranking-table th[data-key=id] button")
    assert ids(page)[:3] == ["P1", "P2", "P3"]
    page.select_option("#page-size", "100")
    page.click("#page-on")
    assert page.inner_text("#table-count") == f"101–200 · {papers:,} papers"
    assert page.locator("#ranking-table tbody tr").count() == 100
    page.locator("#changed").scroll_into_view_if_needed()
    page.wait_for_selector("#chart-moved canvas")
    assert report.errors == []
