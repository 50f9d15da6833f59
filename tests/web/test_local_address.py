"""Links that open on this computer only are not handed out without a word."""

from dataclasses import replace

import pytest
from django.conf import LazySettings

from web.people import People

NOTE = "and open on this computer only: nobody else can use them."


def pages(people: People, host: str) -> list[str]:
    chair, reviewer = people.browsers["chair"], f"/venues/workshop/reviewers/{people.reviewer.pk}/"
    read = ["/venues/workshop/invite/", "/venues/workshop/people/", reviewer]
    shown = [chair.get(address, headers={"host": host}) for address in read]
    shown.append(chair.post(f"{reviewer}link/", headers={"host": host}))
    asked = {"email": "zoe@example.org", "role": "chair"}
    shown.append(chair.post("/venues/workshop/people/invite/", asked, headers={"host": host}))
    return [answer.content.decode() for answer in shown]


@pytest.mark.parametrize("host", ["127.0.0.1:8601", "localhost:8000"])
def test_a_server_without_a_public_address_says_so_where_links_are_handed_out(people: People, host: str) -> None:
    said = f"Links begin with <code>http://{host}</code> {NOTE}"
    assert [page.count(said) for page in pages(people, host)] == [1, 1, 1, 1, 1]


@pytest.mark.parametrize(
    ("public", "noted"),
    [("https://review.example.org", 0), ("http://192.168.0.7:8000", 0), ("http://[::1]:8000", 1)],
)
def test_the_address_in_the_links_counts_not_that_of_the_request(
    people: People, settings: LazySettings, public: str, noted: int
) -> None:
    settings.DEPLOYMENT = replace(settings.DEPLOYMENT, public_url=public)
    assert [page.count(NOTE) for page in pages(people, "127.0.0.1:8000")] == [noted] * 5
