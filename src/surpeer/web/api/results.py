"""Ranking and proposals, from the result that was computed in the background."""

from collections.abc import Mapping
from datetime import datetime
from math import isfinite
from typing import Any, Literal

from ninja import Query, Router
from pydantic import BaseModel, Field

from surpeer.web.api import rights
from surpeer.web.api.answers import CONFLICT, ProblemOut, answers
from surpeer.web.api.fields import Slug
from surpeer.web.api.paging import Window
from surpeer.web.api.problems import Refusal, of_form
from surpeer.web.api.tokens import ApiRequest, caller_of
from surpeer.web.results.forms import RankingForm
from surpeer.web.results.freshness import Freshness
from surpeer.web.results.looking import saw_results
from surpeer.web.results.models import Result
from surpeer.web.results.ranking_page import listed
from surpeer.web.results.stored import papers_of

router = Router(tags=["results"])
Sort = Literal["rank", "mean", "uncertain", "reviews", "paper"]
Kind = Literal["accept", "discuss", "reject"]


class RankingWindow(Window):
    """Which papers, and in which order."""

    find: str | None = Field(default=None, max_length=200, description="Only papers with this in their id or title.")
    track: str | None = Field(default=None, max_length=200, description="Only papers of this track.")
    proposal: Kind | None = Field(default=None, description="Only papers with this proposal.")
    sort: Sort = "rank"


class StateOut(BaseModel):
    """Which result it is."""

    version: str = Field(description="Changes when there is a newer result: parts of a list belong together if equal.")
    is_current: bool = Field(description="Whether it counts everything there is; if not, a newer one is on its way.")
    sentence: str | None = Field(description="What is going on, if anything is.")
    computed_at: datetime


class DecisionOut(BaseModel):
    """How many papers each proposal has."""

    places: int
    certainty: float
    accept: int
    discuss: int
    reject: int


class FactOut(BaseModel):
    """A fact about the reviews."""

    name: str
    value: str


class NotRankedOut(BaseModel):
    """A paper without a place in the ranking."""

    pk: int
    id: str
    why: str


class SummaryOut(BaseModel):
    """The result as a whole."""

    state: StateOut
    headline: list[str]
    caveats: list[str]
    notes: list[str]
    facts: list[FactOut]
    papers: int
    not_ranked: list[NotRankedOut] = Field(
        description="Papers that no review counts for, at most 20; the file not-ranked.csv has all of them."
    )
    reviews: int = Field(description="That count.")
    levels: list[str]
    tracks: list[str]
    decision: DecisionOut | None
    not_decided: str | None = Field(description="Why there are no proposals.")


class RankedPaper(BaseModel):
    """A paper in the ranking."""

    pk: int
    id: str
    title: str | None
    track: str | None
    rank: int | None
    reviews: int
    mean: float | None = Field(description="Mean rating.")
    score: float | None
    p_accept: float | None = Field(description="The probability that it belongs among the accepted papers.")
    proposal: str | None
    reason: str | None
    flags: list[str]

    @classmethod
    def of(cls, row: Mapping[str, Any]) -> "RankedPaper":
        return cls(
            pk=row["pk"],
            id=row["paper"],
            title=row["title"],
            track=row["track"],
            rank=row["rank"],
            reviews=row["reviews"],
            mean=finite(row["mean"]),
            score=finite(row["score"]),
            p_accept=finite(row["p_accept"]),
            proposal=row["proposal"],
            reason=row["reason"],
            flags=row["flags"] or [],
        )


class RankingOut(BaseModel):
    """A part of the ranking."""

    state: StateOut
    count: int = Field(description="How many papers there are in all, of those that were asked for.")
    items: list[RankedPaper]


def finite(number: float | None) -> float | None:
    """JSON knows no infinity; a score that is none has a flag that says why."""
    return number if number is not None and isfinite(number) else None


def state_of(fresh: Freshness, result: Result) -> StateOut:
    """Which result it is, and whether a newer one is on its way."""
    return StateOut(
        version=fresh.version,
        is_current=fresh.is_current,
        sentence=fresh.sentence or None,
        computed_at=result.computed_at,
    )


@router.get("/venues/{slug:slug}/results", response=answers(SummaryOut, *CONFLICT), summary="Results as a whole")
def read_results(request: ApiRequest, slug: Slug) -> SummaryOut:
    """What the results say of the venue as a whole, with every note."""
    venue = rights.with_results(request, slug)
    fresh, result = rights.computed(venue)
    saw_results(caller_of(request), venue, result)
    said = result.summary
    return SummaryOut(
        state=state_of(fresh, result),
        reviews=result.reviews,
        facts=[FactOut(name=name, value=value) for name, value in said["data"]],
        not_ranked=[NotRankedOut(pk=one["pk"], id=one["paper"], why=one["why"]) for one in said.get("not_ranked", ())],
        decision=None if said["decision"] is None else DecisionOut(**said["decision"]),
        not_decided=said["not_decided"] or None,
        **{name: said[name] for name in ("headline", "caveats", "notes", "papers", "levels", "tracks")},
    )


@router.get("/venues/{slug:slug}/results/papers", response=answers(RankingOut, *CONFLICT), summary="Ranking")
def list_ranking(request: ApiRequest, slug: Slug, window: Query[RankingWindow]) -> RankingOut:
    """The ranking with its proposals. The list for a discussion: `?proposal=discuss&sort=uncertain`."""
    venue = rights.with_results(request, slug)
    fresh, result = rights.computed(venue)
    found = listed(papers_of(result), _form(window, result))
    saw_results(caller_of(request), venue, result)
    rows = found[window.part].iter_rows(named=True)
    return RankingOut(state=state_of(fresh, result), count=len(found), items=[RankedPaper.of(row) for row in rows])


def _form(window: RankingWindow, result: Result) -> RankingForm:
    """The form of the page, filled in; 422 where it would ignore something."""
    asked = window.model_dump(include={"find", "track", "proposal", "sort"}, exclude_none=True)
    form = RankingForm(asked, result.summary["tracks"], decided=result.summary["decision"] is not None)
    missing = [name for name in asked if name not in form.fields]
    problems = [ProblemOut(message=f"The results have no {name}s.", where=f"query: {name}") for name in missing]
    problems += of_form(form)
    if problems:
        raise Refusal(422, *problems)
    return form
