"""Parts of the lists of reviewers and papers, where the overview leads to; and who has reviewed what as a file."""

import re

import pytest
from django.utils import timezone

from surpeer.web.audit.models import Entry
from surpeer.web.venues import links
from surpeer.web.venues.list_filters import papers_to_give_away_again, usual_reviewers
from surpeer.web.venues.models import Assignment, Paper, Reviewer
from web.api_script import Script
from web.people import People, make_link, make_reviewer
from web.submitting import submitted
from web.test_progress import decline

REVIEWERS, PAPERS = "/venues/workshop/reviewers/", "/venues/workshop/papers/"


@pytest.fixture
def round_half_way(people: People) -> People:
    """Ada has finished two papers and declined the third; her colleague has done nothing; Idle was asked for nothing."""
    make_reviewer(people.venue, "idle@example.org")
    submitted(people.assignments[0], comment="a secret remark")
    submitted(people.assignments[1])
    decline(people.assignments[2], "=my own paper")
    return people


def shown(people: People, address: str) -> tuple[list[str], dict[str, int]]:
    """Who or what is listed, and the counts beside the filters."""
    context = people.browsers["observer"].get(address).context
    return [str(one) for one in context["rows"]], {part["name"]: part["count"] for part in context["filters"]}


def test_each_part_of_the_reviewers_has_who_belongs_to_it(round_half_way: People) -> None:
    venue, other = round_half_way.venue, str(round_half_way.second_reviewer)
    make_link(round_half_way.second_reviewer)
    links.revoke(round_half_way.second_reviewer)
    expected = {
        "late": [other],
        "finished": ["Ada"],
        "not-invited": [other],
        "declined": ["Ada"],
        "no-link": [other],
    }
    for name, rows in expected.items():
        found, counts = shown(round_half_way, f"{REVIEWERS}?show={name}")
        assert (name, found) == (name, rows)
        assert counts == {"": 3, **{part: len(who) for part, who in expected.items()}}
        answer = Script(round_half_way.observer).get(f"/venues/workshop/reviewers?show={name}").json
        assert [one["name"] for one in answer["items"]] == rows
    Reviewer.objects.filter(venue=venue).update(invited_at=timezone.now())
    assert shown(round_half_way, f"{REVIEWERS}?show=not-invited")[0] == []
    assert len(shown(round_half_way, f"{REVIEWERS}?show=nonsense")[0]) == 3


def test_each_part_of_the_papers_has_what_belongs_to_it(round_half_way: People) -> None:
    submitted(Assignment.objects.get(paper__key="P1", reviewer=round_half_way.second_reviewer))
    expected = {
        "none": ["Paper 3"],
        "missing": ["Paper 2", "Paper 3"],
        "few": ["Paper 3"],
        "complete": ["Paper 1"],
    }
    for name, rows in expected.items():
        found, counts = shown(round_half_way, f"{PAPERS}?show={name}")
        assert (name, found) == (name, rows)
        assert counts == {"": 3, **{part: len(which) for part, which in expected.items()}}
        answer = Script(round_half_way.observer).get(f"/venues/workshop/papers?show={name}").json
        assert [one["title"] for one in answer["items"]] == rows
    refused = Script(round_half_way.observer).get("/venues/workshop/papers?show=nonsense")
    assert (refused.status, "'none', 'missing', 'few' or 'complete'" in refused.messages[0]) == (422, True)


def test_a_part_keeps_its_search_and_its_pages(people: People) -> None:
    Paper.objects.bulk_create(Paper(venue=people.venue, key=f"K{n:03}", title=f"Title {n}") for n in range(150))
    page = people.browsers["chair"].get(f"{PAPERS}?show=none&q=title").content.decode()
    assert "150 papers found, page 1 of 2" in page
    assert 'href="?q=title&amp;show=none&amp;page=2"' in page
    assert 'href="?show=complete&amp;q=title"' in page
    assert '<input type="hidden" name="show" value="none">' in page
    second = people.browsers["chair"].get(f"{PAPERS}?q=title&show=none&page=2")
    assert len(second.context["rows"]) == 50
    assert "There is no such paper." in people.browsers["chair"].get(f"{PAPERS}?show=complete").content.decode()
    empty = people.browsers["chair"].get(f"{PAPERS}?show=complete&q=zzz").content.decode()
    assert "No paper of these has all these words." in empty


def test_the_overview_leads_to_the_parts_with_the_same_numbers(round_half_way: People) -> None:
    page = round_half_way.browsers["observer"].get("/venues/workshop/")
    progress = page.context["progress"]
    tiles = dict(re.findall(r'<dt><a href="([^"]+)" data-progress="(\w+)_words">', page.content.decode()))
    assert list(tiles.values()) == ["done", "missing", "declined", "finished", "without_reviews"]
    numbers = {name: len(shown(round_half_way, address)[0]) for address, name in tiles.items()}
    assert numbers["finished"] == progress.finished == 1
    assert numbers["without_reviews"] == progress.without_reviews == 1
    assert (numbers["missing"], numbers["declined"]) == (1, 1)


def test_a_declined_paper_comes_next_until_somebody_else_has_it(round_half_way: People) -> None:
    chair, said = round_half_way.browsers["chair"], "1 paper was declined by somebody and has fewer reviewers than most"
    assert usual_reviewers(round_half_way.venue) == 2
    page = chair.get("/venues/workshop/").content.decode()
    assert said in page
    assert f'href="{PAPERS}?show=few">Find other reviewers</a>' in page
    assert "Three papers in four were given 2 reviewers or more." in chair.get(f"{PAPERS}?show=few").content.decode()
    third = round_half_way.assignments[2].paper
    chair.post(f"{PAPERS}{third.pk}/assign/", {"reviewer": "idle@example.org"})
    assert said not in chair.get("/venues/workshop/").content.decode()
    assert list(papers_to_give_away_again(round_half_way.venue)) == []


def test_few_reviewers_are_fewer_than_three_papers_in_four_were_given(people: People) -> None:
    Paper.objects.bulk_create(Paper(venue=people.venue, key=f"K{n}") for n in range(5))
    one, *others = people.venue.papers.filter(key__startswith="K")
    Assignment.objects.create(paper=one, reviewer=people.reviewer)
    assert usual_reviewers(people.venue) == 2  # of 1, 2, 2, 2
    assert shown(people, f"{PAPERS}?show=few")[0] == ["K0", "K1", "K2", "K3", "K4"]
    Assignment.objects.bulk_create(Assignment(paper=paper, reviewer=people.reviewer) for paper in others)
    assert usual_reviewers(people.venue) == 1  # of 1, 1, 1, 1, 1, 2, 2, 2
    assert shown(people, f"{PAPERS}?show=few")[0] == []


def test_a_venue_without_assignments_has_no_usual_number(people: People) -> None:
    Assignment.objects.all().delete()
    assert usual_reviewers(people.venue) == 0
    assert shown(people, f"{PAPERS}?show=few")[0] == []


def test_who_has_reviewed_what_is_a_file_without_ratings_and_is_logged(round_half_way: People) -> None:
    response = round_half_way.browsers["observer"].get("/venues/workshop/progress.csv")
    text = b"".join(response.streaming_content).decode("utf-8-sig")  # type: ignore[attr-defined]
    lines = text.splitlines()
    assert lines[0] == "paper,title,track,reviewer_name,reviewer_email,invited_at,reminded_at,state,declined_because"
    assert "P1,Paper 1,,Ada,ada@example.org,,,in," in lines
    assert "P3,Paper 3,,Ada,ada@example.org,,,declined,'=my own paper" in lines
    assert [line.split(",")[7] for line in lines[1:]].count("missing") == 3
    assert len(lines) == 7
    assert "a secret remark" not in text
    assert response.headers["Content-Disposition"] == 'attachment; filename="workshop-progress.csv"'
    entry = Entry.objects.get(action="exported")
    assert (entry.about, entry.user, entry.venue) == (
        "progress.csv",
        round_half_way.observer.pk,
        round_half_way.venue.pk,
    )


def test_an_author_is_assigned_by_hand_with_a_warning(people: People) -> None:
    chair = people.browsers["chair"]
    paper = Paper.objects.create(venue=people.venue, key="P9", authors="Ben Bell, Ada")
    page = chair.post(f"{PAPERS}{paper.pk}/assign/", {"reviewer": "ada@example.org"}, follow=True).content.decode()
    assert "Paper P9 is assigned to Ada." in page
    assert "Ada seems to be an author of paper P9: look at this assignment." in page
    assert '<p class="notice warning">' in page
    other = people.second_reviewer
    page = chair.post(f"{REVIEWERS}{other.pk}/assign/", {"paper": "P9"}, follow=True).content.decode()
    assert f"Paper P9 is assigned to {other}." in page
    assert "seems to be an author" not in page
