"""Progress, lists, single papers, reviewers and assignments: who has reviewed what, never a rating."""

import pytest
from django.utils import timezone

from surpeer.web.audit.models import Entry
from surpeer.web.venues.models import Assignment, Paper, Reviewer
from surpeer.web.venues.overview import words_of
from surpeer.web.venues.progress import Progress, late_reviewers, progress_of
from web.people import People, make_reviewer
from web.submitting import submitted


def decline(assignment: Assignment, reason: str = "") -> None:
    Assignment.objects.filter(pk=assignment.pk).update(declined_at=timezone.now(), declined_because=reason)


def test_counts_are_of_reviews_and_not_of_versions(people: People) -> None:
    first, second, third = people.assignments
    submitted(first)
    submitted(first, number=2)
    submitted(second)
    decline(third)
    found = progress_of(people.venue)
    assert (found.assigned, found.done, found.missing, found.declined) == (5, 2, 3, 1)
    assert (found.papers, found.reviewers, found.finished, found.without_reviews) == (3, 2, 1, 1)
    assert found.sentence == "2 of 5 reviews are in (40%)."


@pytest.mark.parametrize(
    ("done", "assigned", "sentence"),
    [
        (30, 32, "30 of 32 reviews are in (94%)."),
        (0, 3, "0 of 3 reviews are in (0%)."),
        (1, 6, "1 of 6 reviews is in (17%)."),
        (0, 1, "0 of 1 review is in (0%)."),
        (1, 1, "1 of 1 review is in (100%)."),
        (1999, 2000, "1,999 of 2,000 reviews are in (99%)."),
        (2000, 2000, "2,000 of 2,000 reviews are in (100%)."),
    ],
)
def test_the_sentence_fits_its_numbers_and_a_hundred_means_all(done: int, assigned: int, sentence: str) -> None:
    counts = {"papers": 1, "reviewers": 1, "with_papers": 1, "declined": 0, "finished": 0, "without_reviews": 0}
    assert Progress(done=done, assigned=assigned, **counts).sentence == sentence


def test_words_fit_their_numbers_and_reviewers_without_papers_are_counted_apart(people: People) -> None:
    make_reviewer(people.venue, "idle@example.org")
    for assignment in people.assignments[:2]:
        submitted(assignment)
    decline(people.assignments[2])
    words = words_of(progress_of(people.venue))
    assert words == {
        "done": "reviews are in",
        "missing": "reviews are missing",
        "declined": "review was declined",
        "finished": "of 2 reviewers with papers has finished (1 more has no papers)",
        "without_reviews": "of 3 papers has no review",
    }
    page = people.browsers["chair"].get("/venues/workshop/").content.decode()
    answer = people.browsers["chair"].get("/venues/workshop/progress.json").json()
    for name, text in words.items():
        assert f'data-progress="{name}_words">{text}</a></dt>' in page
        assert answer[f"{name}_words"] == text


def test_words_below_other_numbers() -> None:
    ones = Progress(papers=1, reviewers=1, with_papers=1, assigned=2, done=1, declined=0, finished=0, without_reviews=1)
    assert words_of(ones) == {
        "done": "review is in",
        "missing": "review is missing",
        "declined": "reviews were declined",
        "finished": "of 1 reviewer with papers have finished",
        "without_reviews": "of 1 paper has no review",
    }


def test_a_review_of_a_paper_that_was_declined_afterwards_does_not_count(people: People) -> None:
    submitted(people.assignments[0])
    decline(people.assignments[0])
    assert (progress_of(people.venue).done, progress_of(people.venue).assigned) == (0, 5)


def test_the_overview_and_its_json_say_who_and_what_and_no_rating(people: People) -> None:
    submitted(people.assignments[0], comment="a secret remark")
    for who in ("chair", "observer"):
        browser = people.browsers[who]
        page = browser.get("/venues/workshop/").content.decode()
        answer = browser.get("/venues/workshop/progress.json")
        assert "1 of 6 reviews is in (17%)." in page
        assert "a secret remark" not in page + answer.content.decode()
        content = answer.json()
        arrival = content["latest"][0]
        assert (arrival["reviewer"], arrival["paper"], arrival["title"]) == ("Ada", "P1", "Paper 1")
        assert arrival["revised"] is False
        named = {"reviewer", "paper", "title", "at", "when", "revised"}
        assert set(arrival) == named | {"reviewer_pk", "paper_pk", "reviewer_address", "paper_address"}
        for address in (arrival["reviewer_address"], arrival["paper_address"]):
            assert f'href="{address}"' in page
            assert browser.get(address).status_code == 200
        assert not {"rating", "prediction", "comment"} & set(content)


def test_the_overview_says_what_comes_next(people: People) -> None:
    chair = people.browsers["chair"]
    assert "2 reviewers with papers are not invited yet." in chair.get("/venues/workshop/").content.decode()
    assert "Next:" not in people.browsers["observer"].get("/venues/workshop/").content.decode()
    Reviewer.objects.update(invited_at=timezone.now())
    assert "Next:" not in chair.get("/venues/workshop/").content.decode()
    for assignment in Assignment.objects.filter(paper__venue=people.venue):
        submitted(assignment)
    assert "Every review is in." in chair.get("/venues/workshop/").content.decode()
    Assignment.objects.filter(paper__venue=people.other_venue).delete()
    other = people.browsers["other chair"]
    assert "No paper is assigned to a reviewer yet." in other.get("/venues/elsewhere/").content.decode()
    Paper.objects.filter(venue=people.other_venue).delete()
    assert "There are no papers yet." in other.get("/venues/elsewhere/").content.decode()


def test_late_are_those_who_were_invited_and_have_something_left(people: People) -> None:
    assert list(late_reviewers(people.venue)) == []
    Reviewer.objects.update(invited_at=timezone.now())
    assert set(late_reviewers(people.venue)) == {people.reviewer, people.second_reviewer}
    submitted(people.assignments[0])
    submitted(people.assignments[1])
    decline(people.assignments[2])
    assert list(late_reviewers(people.venue)) == [people.second_reviewer]
    Reviewer.objects.filter(pk=people.second_reviewer.pk).update(email="")
    assert list(late_reviewers(people.venue)) == []


def test_lists_have_pages_a_search_and_few_queries(people: People, django_assert_max_num_queries: object) -> None:
    Paper.objects.bulk_create(Paper(venue=people.venue, key=f"K{n:03}", title=f"Title {n}") for n in range(150))
    Reviewer.objects.bulk_create(Reviewer(venue=people.venue, email=f"r{n}@example.org") for n in range(150))
    submitted(people.assignments[0])
    chair = people.browsers["chair"]
    with django_assert_max_num_queries(14):  # type: ignore[operator]
        page = chair.get("/venues/workshop/papers/")
    assert (len(page.context["rows"]), page.context["page"].paginator.num_pages) == (100, 2)
    with django_assert_max_num_queries(14):  # type: ignore[operator]
        page = chair.get("/venues/workshop/reviewers/?page=2")
    assert len(page.context["rows"]) == 52
    found = chair.get("/venues/workshop/papers/", {"q": "paper author P1"}).context["rows"]
    assert [(one.key, one.done, one.assigned) for one in found] == [("P1", 1, 2)]
    assert chair.get("/venues/workshop/papers/", {"q": "a\0%_"}).status_code == 200
    assert [one.name for one in chair.get("/venues/workshop/reviewers/?q=ADA").context["rows"]] == ["Ada"]
    assert chair.get("/venues/workshop/papers/?page=99").context["page"].number == 2


def test_progress_takes_a_fixed_number_of_queries(people: People, django_assert_max_num_queries: object) -> None:
    with django_assert_max_num_queries(6):  # type: ignore[operator]
        assert progress_of(people.venue).assigned == 6


def test_a_paper_is_added_changed_and_removed_until_it_has_a_review(people: People) -> None:
    chair = people.browsers["chair"]
    chair.post("/venues/workshop/papers/new/", {"key": " Q  1 ", "title": "A <b>bold</b> title"})
    paper = Paper.objects.get(key="Q 1")
    page = chair.get(f"/venues/workshop/papers/{paper.pk}/").content.decode()
    assert "A &lt;b&gt;bold&lt;/b&gt; title" in page
    chair.post(f"/venues/workshop/papers/{paper.pk}/edit/", {"key": "Q1", "title": "Other"})
    paper.refresh_from_db()
    assert (paper.key, paper.title) == ("Q1", "Other")
    twin = chair.post("/venues/workshop/papers/new/", {"key": "P1"})
    assert (twin.status_code, "There is a paper &quot;P1&quot; already." in twin.content.decode()) == (422, True)
    chair.post(f"/venues/workshop/papers/{paper.pk}/remove/")
    assert not Paper.objects.filter(pk=paper.pk).exists()
    submitted(people.assignments[0])
    kept = chair.post(f"/venues/workshop/papers/{people.papers[0].pk}/remove/", follow=True)
    assert "Reviews of this paper were submitted, so it stays." in kept.content.decode()
    assert Paper.objects.filter(pk=people.papers[0].pk).exists()
    actions = list(Entry.objects.order_by("pk").values_list("action", "about"))
    about = f"paper {paper.pk}"
    assert actions == [("added by hand", about), ("changed by hand", about), ("removed by hand", about)]


def test_a_reviewer_is_added_changed_and_removed_until_she_has_a_review(people: People) -> None:
    chair = people.browsers["chair"]
    chair.post("/venues/workshop/reviewers/new/", {"name": "Dee", "email": "Dee@Example.org"})
    dee = Reviewer.objects.get(email="dee@example.org")
    twin = chair.post("/venues/workshop/reviewers/new/", {"email": "DEE@example.org"})
    assert "dee@example.org is a reviewer of this venue already." in twin.content.decode()
    nobody = chair.post("/venues/workshop/reviewers/new/", {"name": "", "email": ""})
    assert "Give a name or an e-mail address." in nobody.content.decode()
    chair.post(f"/venues/workshop/reviewers/{dee.pk}/edit/", {"name": "Dee D.", "email": ""})
    dee.refresh_from_db()
    assert (dee.name, dee.email) == ("Dee D.", "")
    chair.post(f"/venues/workshop/reviewers/{dee.pk}/remove/")
    assert not Reviewer.objects.filter(pk=dee.pk).exists()
    submitted(people.assignments[0])
    kept = chair.post(f"/venues/workshop/reviewers/{people.reviewer.pk}/remove/", follow=True)
    assert "This reviewer has submitted reviews and cannot be removed." in kept.content.decode()


def test_papers_are_assigned_and_taken_back_by_hand(people: People) -> None:
    chair, dee = people.browsers["chair"], make_reviewer(people.venue, "dee@example.org")
    page = chair.post(f"/venues/workshop/reviewers/{dee.pk}/assign/", {"paper": "P1"}, follow=True)
    assert "Paper P1 is assigned to Dee." in page.content.decode()
    page = chair.post(f"/venues/workshop/reviewers/{dee.pk}/assign/", {"paper": "P1"}, follow=True)
    assert "Paper P1 was assigned to Dee already." in page.content.decode()
    page = chair.post(f"/venues/workshop/reviewers/{dee.pk}/assign/", {"paper": "X1"}, follow=True)
    assert "Found &quot;X1&quot;, expected the id of a paper." in page.content.decode()
    second = people.papers[1]
    chair.post(f"/venues/workshop/papers/{second.pk}/assign/", {"reviewer": "DEE@example.org"})
    assert set(dee.assignments.values_list("paper__key", flat=True)) == {"P1", "P2"}
    assignment = dee.assignments.get(paper=second)
    chair.post(f"/venues/workshop/assignments/{assignment.pk}/remove/")
    assert not Assignment.objects.filter(pk=assignment.pk).exists()
    submitted(people.assignments[0])
    page = chair.post(f"/venues/workshop/assignments/{people.assignments[0].pk}/remove/", follow=True)
    assert "This review was submitted, so the paper stays assigned." in page.content.decode()


@pytest.mark.parametrize("address", ["papers/{paper}/", "reviewers/{reviewer}/"])
def test_what_belongs_to_another_venue_is_not_there(people: People, address: str) -> None:
    other = people.other_venue.papers.get()
    path = address.format(paper=other.pk, reviewer=people.other_reviewer.pk)
    assert people.browsers["chair"].get(f"/venues/workshop/{path}").status_code == 404
    assert people.browsers["chair"].post(f"/venues/workshop/{path}remove/").status_code == 404
    assert people.browsers["other chair"].get(f"/venues/elsewhere/{path}").status_code == 200


def test_observers_read_all_and_get_no_button(people: People) -> None:
    observer = people.browsers["observer"]
    paths = ("", "papers/", "reviewers/", f"papers/{people.papers[0].pk}/", f"reviewers/{people.reviewer.pk}/")
    for path in paths:
        page = observer.get(f"/venues/workshop/{path}")
        assert page.status_code == 200
        assert 'method="post"' not in page.content.decode().split("<main")[1]
