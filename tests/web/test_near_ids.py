"""Which paper was meant by an id that no paper has."""

import pytest

from surpeer.web.venues.importing import read_assignments
from surpeer.web.venues.models import Paper
from surpeer.web.venues.near_ids import NearIds
from web.people import People


@pytest.mark.parametrize(
    ("keys", "text", "meant"),
    [
        (["U01", "U03", "U13"], "U3", "U03"),
        (["U3", "U13"], "U03", "U3"),
        (["U03", "U13", "U33"], "u-0003", "U03"),
        (["U01", "U03", "U13"], "3", "U03"),
        (["A3", "B3"], "3", None),  # one as good as the other
        (["3", "13"], "P3", "3"),
        (["P-017", "P-170"], "17", "P-017"),
        (["2027-P-017", "2026-P-017"], "2027 P 17", "2027-P-017"),
        (["P1", "P2"], "X1", None),  # other letters mean another paper
        (["P1", "P2"], "P11", "P1"),
        (["keynote", "poster"], "keynotes", "keynote"),
        (["keynote", "poster"], "--", None),
        (["U00"], "U0", "U00"),
        ([], "U3", None),
    ],
)
def test_the_same_number_comes_first(keys: list[str], text: str, meant: str | None) -> None:
    assert NearIds(keys).nearest(text) == meant


def test_an_import_and_a_page_propose_it(people: People) -> None:
    Paper.objects.bulk_create(Paper(venue=people.venue, key=f"U{number:02}") for number in range(1, 20))
    plan = read_assignments(people.venue, "a.csv", b"paper,reviewer\nU3,ada@example.org\n")
    assert [(one.found, one.remedy) for one in plan.problems] == [('"U3"', 'did you mean "U03"?')]
    address = f"/venues/workshop/reviewers/{people.reviewer.pk}/assign/"
    page = people.browsers["chair"].post(address, {"paper": "u3"}, follow=True).content.decode()
    assert "Found &quot;u3&quot;, expected the id of a paper. Did you mean &quot;U03&quot;?" in page
