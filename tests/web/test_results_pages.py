"""Pages of results, as chairs and observers see them."""

import re

import pytest
from django.test import Client

from surpeer.web.audit.models import Entry
from surpeer.web.results.computing import compute
from surpeer.web.results.pseudonyms import review_code, shown_names
from surpeer.web.results.reviews_table import NO_REVIEWS
from surpeer.web.results.stored import papers_of
from surpeer.web.reviews.models import Exclusion
from surpeer.web.venues.models import Blindness, Paper, Reviewer, Venue
from web.filled_venue import add_review, excluded, open_and_filled, opened, without_pictures, without_reports
from web.people import People, browser_of

BASE = "/venues/workshop/results/"
PAGES = ("", "discussion/", "charts/", "downloads/", "papers/{pk}/", "../report/")
FILES = ("state.json", "charts/curve-light.svg", "papers/{pk}/ratings/light.svg", "../download/ranking.csv")


@pytest.fixture
def chair(people: People, monkeypatch: pytest.MonkeyPatch) -> Client:
    without_pictures(monkeypatch)
    without_reports(monkeypatch)
    return browser_of(people.chair)


def text_of(client: Client, path: str, status: int = 200) -> str:
    """What a page says, spaces between words made one."""
    response = client.get(path)
    assert response.status_code == status
    return re.sub(r"\s+", " ", response.content.decode())


@pytest.mark.parametrize("page", [*PAGES, *FILES])
@pytest.mark.parametrize("who", ["chair", "observer"])
def test_before_the_opening_nobody_sees_a_rating(people: People, page: str, who: str) -> None:
    """Whoever follows a link to a page reads why; a program that asks for a file is refused."""
    add_review(people.assignments[0], 1, [5, 15], comment="what a paper")
    address = BASE + page.format(pk=people.papers[0].pk)
    response = people.browsers[who].get(address.replace("results/../", ""))
    assert response.status_code == (409 if page in FILES else 200)
    assert b"The results have not been opened" in response.content
    assert b"what a paper" not in response.content
    assert (b"Open the results" in response.content) == (who == "chair")


def test_opening_says_what_it_means_and_is_logged_once(people: People) -> None:
    add_review(people.assignments[0], 1, [5, 15])
    chair = browser_of(people.chair)
    page = text_of(chair, f"{BASE}open/")
    assert "<dt>Reviews so far</dt><dd>1</dd>" in page
    assert "<dt>Asked for and not there</dt><dd>5</dd>" in page
    assert "Reviewers can still submit and revise." in page
    assert Venue.objects.get(slug="workshop").opened_at is None
    for _ in range(2):
        assert chair.post(f"{BASE}open/").headers["Location"] == BASE
    entry = Entry.objects.get(action="opened the results")
    assert (entry.user, entry.venue, entry.details) == (people.chair.pk, people.venue.pk, {"reviews": 1, "missing": 5})
    assert chair.get(f"{BASE}open/").headers["Location"] == BASE
    assert "The results are being computed" in text_of(chair, BASE)


def test_an_observer_cannot_open(people: People) -> None:
    assert browser_of(people.observer).post(f"{BASE}open/").status_code == 403
    assert Venue.objects.get(slug="workshop").opened_at is None


def test_no_reviews_is_a_page(people: People, chair: Client) -> None:
    compute(opened(people.venue))
    for page in PAGES[:3]:
        assert NO_REVIEWS in text_of(chair, BASE + page)
    assert NO_REVIEWS in text_of(chair, "/venues/workshop/report/")
    assert NO_REVIEWS in text_of(chair, "/venues/workshop/download/ranking.csv", 409)


def test_the_ranking_page_lists_papers_with_their_numbers(people: People, chair: Client) -> None:
    open_and_filled(people, 12, tracks=("north", "south"))
    result = compute(people.venue)
    page = text_of(chair, BASE)
    first = papers_of(result).to_dicts()[0]
    row = re.search(
        rf'<tr role="row"> <td role="cell" class="number place">1</td> <th .*?>{first["paper"]}</a>.*?</tr>', page
    )
    assert row is not None
    assert re.findall(r'data-label="(mean|score)">([^<]*)<', row[0]) == [
        ("mean", f"{first['mean']:.2f}"),
        ("score", f"{first['score']:.2f}"),
    ]
    assert f'<span class="proposal {first["proposal"]}">{first["proposal"]}</span>' in row[0]
    assert f"<dt>to discuss</dt><dd>{result.summary['decision']['discuss']}</dd>" in page
    assert "12 papers, computed" in page
    assert result.summary["notes"][0].replace("'", "&#x27;") in page


def test_papers_can_be_found_filtered_and_ordered(people: People, chair: Client) -> None:
    open_and_filled(people, 12, tracks=("north", "south"))
    compute(people.venue)

    def shown(query: str) -> list[str]:
        return re.findall(r'href="/venues/workshop/results/papers/\d+/">(S\d+)<', text_of(chair, BASE + query))

    assert shown("?find=s007") == ["S007"]
    assert shown("?find=STUDY+11") == ["S011"]
    assert shown("?find=.*") == []
    assert sorted(shown("?track=north")) == ["S000", "S002", "S004", "S006", "S008", "S010"]
    assert shown("?sort=paper") == [f"S{n:03}" for n in range(12)]
    assert set(shown("?proposal=accept")) <= set(shown(""))
    assert shown("?sort=nonsense&track=nowhere&page=99") == shown("")


def test_a_hundred_papers_are_a_page(people: People, chair: Client) -> None:
    open_and_filled(people, 3)
    for n in range(100):
        assignment = people.reviewer.assignments.create(paper=Paper.objects.create(venue=people.venue, key=f"X{n}"))
        add_review(assignment, n % 2, [10, 10])
    compute(people.venue)
    assert "Page 1 of 2" in text_of(chair, BASE)
    assert 'href="?find=X&amp;sort=paper' not in text_of(chair, f"{BASE}?find=X&sort=paper")
    assert 'href="?find=&amp;sort=paper&amp;page=2"' in text_of(chair, f"{BASE}?find=&sort=paper")
    assert text_of(chair, f"{BASE}?page=2").count('<th scope="row" role="rowheader">') == 3


def test_the_discussion_list_says_why(people: People, chair: Client) -> None:
    open_and_filled(people, 12)
    result = compute(people.venue)
    page = text_of(chair, f"{BASE}discussion/")
    assert page.count('<th scope="row" role="rowheader">') == result.summary["decision"]["discuss"] > 0
    assert "because the reviews do not say surely enough on which side of the cut it belongs" in page


def test_ranking_and_state_take_few_queries(
    people: People, chair: Client, django_assert_max_num_queries: object
) -> None:
    open_and_filled(people, 12)
    compute(people.venue)
    chair.get(BASE)
    with django_assert_max_num_queries(12):  # type: ignore[operator]
        chair.get(BASE)
    with django_assert_max_num_queries(10):  # type: ignore[operator]
        state = chair.get(f"{BASE}state.json").json()
    assert (state["current"], state["sentence"]) == (True, "")


def test_seeing_is_logged_once_for_each_person_and_result(people: People, chair: Client) -> None:
    papers = open_and_filled(people, 4)
    compute(people.venue)
    seen = Entry.objects.filter(action="saw the results")
    for _ in range(2):
        chair.get(BASE)
        chair.get(f"{BASE}discussion/")
        chair.get("/venues/workshop/report/")
        chair.get(f"{BASE}papers/{papers[0].pk}/")
    assert [entry.user for entry in seen.all()] == [people.chair.pk]
    assert [entry.about for entry in Entry.objects.filter(action="saw the results of a paper")] == ["S000"]
    browser_of(people.observer).get(BASE)
    assert seen.all().count() == 2
    add_review(papers[0].assignments.all()[0], 1, [1, 19], number=2)
    compute(people.venue)
    chair.get(BASE)
    assert seen.all().count() == 3


def test_a_page_says_that_newer_reviews_are_being_counted(people: People, chair: Client) -> None:
    papers = open_and_filled(people, 4)
    before = compute(people.venue).stamp
    add_review(papers[0].assignments.all()[0], 1, [1, 19], number=2)
    assert "1 newer review is being counted." in text_of(chair, BASE)
    state = chair.get(f"{BASE}state.json").json()
    assert state == {"version": before, "current": False, "sentence": "1 newer review is being counted."}


def test_the_page_of_a_paper_says_why_and_shows_its_reviews(people: People, chair: Client) -> None:
    papers = open_and_filled(people, 8)
    assignment = papers[2].assignments.all()[0]
    add_review(assignment, 1, [6, 14], number=2, comment="<b>bold</b> claims")
    compute(people.venue)
    page = text_of(chair, f"{BASE}papers/{papers[2].pk}/")
    assert "Why it stands there" in page
    assert f"{assignment.reviewer.name}</h4>" in page
    assert "&lt;b&gt;bold&lt;/b&gt; claims" in page
    assert '<span class="text">reject</span> 6, <span class="text">accept</span> 14</dd>' in page
    assert "(version 2)" in page
    assert "If one reviewer changed her mind" in page
    assert f"{BASE}papers/{papers[2].pk}/ratings/dark.svg" in page
    picture = chair.get(f"{BASE}papers/{papers[2].pk}/ratings/dark.svg")
    assert (picture.headers["Content-Type"], picture.content[:4]) == ("image/svg+xml", b"<svg")
    assert picture.headers["Content-Security-Policy"] == "default-src 'none'; style-src 'unsafe-inline'; sandbox"
    assert chair.get(f"{BASE}papers/{papers[2].pk}/ratings/green.svg").status_code == 404
    assert chair.get(f"{BASE}papers/{people.other_venue.papers.get().pk}/").status_code == 404


def test_names_are_hidden_where_chairs_may_not_know_them(people: People, chair: Client) -> None:
    papers = open_and_filled(people, 4)
    people.venue.blindness = Blindness.TRIPLE
    people.venue.save()
    compute(people.venue)
    page = text_of(chair, f"{BASE}papers/{papers[0].pk}/")
    assert re.findall(r">(Reviewer \w+)</h4>", page) == ["Reviewer A", "Reviewer B", "Reviewer C", "Reviewer D"]
    for assignment in papers[0].assignments.select_related("reviewer"):
        assert assignment.reviewer.email not in page
        assert f">{assignment.reviewer.name}<" not in page
    assert "Submitted" not in page


def test_letters_go_on_after_z() -> None:
    names = shown_names(Venue(blindness=Blindness.TRIPLE), [Reviewer()] * 54)
    assert [names[at] for at in (0, 25, 26, 27, 52)] == [
        "Reviewer A", "Reviewer Z", "Reviewer AA", "Reviewer AB", "Reviewer BA",
    ]  # fmt: skip


def test_a_review_is_excluded_with_a_reason_and_let_count_again(people: People, chair: Client) -> None:
    papers = open_and_filled(people, 6)
    assignment = papers[1].assignments.all()[0]
    address = f"{BASE}papers/{papers[1].pk}/"
    code = review_code(assignment.pk)
    refused = chair.post(f"{address}reviews/{code}/exclude/", {"reason": "  "})
    assert refused.status_code == 400
    assert b"Give a reason: a review is never excluded without one." in refused.content
    assert not Exclusion.objects.exists()
    for _ in range(2):
        assert chair.post(f"{address}reviews/{code}/exclude/", {"reason": "is her own"}).headers["Location"] == address
    exclusion = Exclusion.objects.get()
    assert (exclusion.assignment, exclusion.reason, exclusion.excluded_by) == (assignment, "is her own", people.chair)
    assert "The review was excluded already; nothing was changed." in text_of(chair, address)
    assert compute(people.venue).reviews == 23
    page = text_of(chair, address)
    assert "<strong>Excluded</strong>" in page
    assert '<span class="text">is her own</span>' in page
    for _ in range(2):
        chair.post(f"{address}reviews/{code}/lift/")
    assert "The review counts already; nothing was changed." in text_of(chair, address)
    assert compute(people.venue).reviews == 24
    assert "and let count again on" in text_of(chair, address)
    logged = Entry.objects.filter(details__review=code).order_by("pk")
    assert [(one.action, one.about) for one in logged] == [
        ("excluded a review", "S001"), ("let an excluded review count again", "S001"),
    ]  # fmt: skip


def test_only_chairs_exclude_and_only_reviews_of_the_paper(people: People, chair: Client) -> None:
    papers = open_and_filled(people, 4)
    code = review_code(papers[0].assignments.all()[0].pk)
    address = f"{BASE}papers/{papers[0].pk}/reviews/{code}/exclude/"
    observer = browser_of(people.observer)
    assert observer.post(address, {"reason": "x"}).status_code == 403
    assert b"Exclude this review" not in observer.get(f"{BASE}papers/{papers[0].pk}/").content
    assert chair.get(address).status_code == 405
    elsewhere = f"{BASE}papers/{papers[1].pk}/reviews/{code}/exclude/"
    assert chair.post(elsewhere, {"reason": "x"}).status_code == 404
    assert not Exclusion.objects.exists()


def test_nothing_is_excluded_before_the_opening(people: People) -> None:
    add_review(people.assignments[0], 1, [5, 15])
    code = review_code(people.assignments[0].pk)
    address = f"{BASE}papers/{people.papers[0].pk}/reviews/{code}/exclude/"
    assert browser_of(people.chair).post(address, {"reason": "x"}).status_code == 409
    assert not Exclusion.objects.exists()


def test_a_paper_without_counted_reviews_has_a_page(people: People, chair: Client) -> None:
    opened(people.venue)
    add_review(people.assignments[0], 1, [5, 15])
    add_review(people.assignments[1], 1, [5, 15])
    excluded(people, people.assignments[1])
    compute(people.venue)
    page = text_of(chair, f"{BASE}papers/{people.papers[1].pk}/")
    assert "This paper has no place in the ranking, because none of its reviews was counted." in page
    assert "Let this review count again" in page
    ranking = text_of(chair, BASE)
    first, second, third = (f'href="{BASE}papers/{paper.pk}/">{paper.key}</a>' for paper in people.papers)
    assert f'{second} (its only review is excluded), <a class="text" {third} (no review).</p>' in ranking
    assert f"{first} (" not in ranking
    assert "Not ranked, because no review counts: P2 (its only review is excluded), P3 (no review)." in ranking
    assert second.partition(">")[0] in text_of(chair, f"/venues/workshop/papers/{people.papers[1].pk}/")
    file = b"".join(chair.get("/venues/workshop/download/not-ranked.csv").streaming_content).decode("utf-8-sig")
    lines = ["paper,title,track,why", "P2,Paper 2,,its only review is excluded", "P3,Paper 3,,no review"]
    assert file.splitlines() == lines
    assert "No review of this paper has been submitted." in text_of(chair, f"{BASE}papers/{people.papers[2].pk}/")


def test_papers_that_are_not_ranked_are_counted_where_they_are_many(people: People, chair: Client) -> None:
    open_and_filled(people, 3)
    Paper.objects.bulk_create(Paper(venue=people.venue, key=f"Z{number:02}") for number in range(23))
    compute(people.venue)
    page = text_of(chair, BASE)
    assert "Z19</a> (no review) and 3 more, which are in" in page
    assert "Z20" not in page
    assert "Z19 (no review) and 3 more." in page


def test_what_predictions_do_is_left_out_where_they_do_nothing(people: People, chair: Client) -> None:
    """One paper, one review: no expectation, no part of the score, and words for one of each."""
    opened(people.venue)
    add_review(people.assignments[0], 1, [5, 15])
    compute(people.venue)
    page = text_of(chair, f"{BASE}papers/{people.papers[0].pk}/")
    assert "To be expected" not in page
    assert "What its reviewers' predictions change" not in page.replace("&#x27;", "'")
    assert "What its ratings say at face value" in page
    assert "<h3>Ratings</h3>" in page or ">Ratings<" in page
    ranking = text_of(chair, BASE)
    assert "1 paper with 1 review was ranked by its ratings alone" in ranking.replace("One paper", "1 paper")
    assert '<dt>reviews of a paper</dt><dd class="text">1</dd>' in ranking
    assert "All papers score above 0: a typical paper is one with" in ranking


def test_charts_have_words_for_those_who_cannot_see_them(people: People) -> None:
    open_and_filled(people, 8)
    compute(people.venue)
    client = browser_of(people.observer)
    page = text_of(client, f"{BASE}charts/")
    alts = re.findall(r'<img src="/venues/[^"]+" alt="([^"]*)"', page)
    assert len(alts) >= 4
    assert all(len(alt) > 40 for alt in alts)
    for path in re.findall(r'(?:src|srcset)="(/venues/[^"?]+)\?', page):
        assert client.get(path).headers["Content-Type"] == "image/svg+xml"
    assert client.get(f"{BASE}charts/nothing-light.svg").status_code == 404
    assert client.get(f"{BASE}charts/curve-light.png").status_code == 404
