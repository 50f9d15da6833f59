"""Reviews that do not count, and why."""

from datetime import datetime
from typing import Annotated

from django.db.models import QuerySet
from django.shortcuts import get_object_or_404
from ninja import Query, Router, Status
from pydantic import BaseModel, Field

from surpeer.web.api import rights
from surpeer.web.api.answers import BODY, CHAIRS, CONFLICT, answers
from surpeer.web.api.fields import WITHOUT_NUL, Code, Given, Pk, Slug, example
from surpeer.web.api.paging import Part, Window, part_of
from surpeer.web.api.problems import Refusal, of_form
from surpeer.web.api.tokens import ApiRequest, caller_of
from surpeer.web.results.excluding import assignment_of, exclude, lift
from surpeer.web.results.forms import ExcludeForm
from surpeer.web.results.pseudonyms import review_code
from surpeer.web.reviews.models import Exclusion
from surpeer.web.venues.models import Assignment, Venue

EXCLUDED = "The review is excluded already; nothing was changed."
COUNTS = "The review counts already; nothing was changed."
REVIEW = "/venues/{slug:slug}/results/papers/{int:pk}/reviews/{slug:code}/exclusion"

router = Router(tags=["results"])


class ReasonIn(Given):
    """Why a review shall not count; other chairs and observers will read it."""

    model_config = example(reason="It is about another paper.")

    reason: Annotated[str, Field(min_length=1, max_length=1000, pattern=WITHOUT_NUL)]


class ExclusionOut(BaseModel):
    """A review that does not count, or did not for a while."""

    paper: str = Field(description="The id of the paper.")
    paper_pk: int
    review: str = Field(description="What lists of reviews call `code`.")
    reason: str
    excluded_by: str
    excluded_at: datetime
    lifted_by: str | None
    lifted_at: datetime | None

    @classmethod
    def of(cls, one: Exclusion) -> "ExclusionOut":
        return cls(
            paper=one.assignment.paper.key,
            paper_pk=one.assignment.paper_id,
            review=review_code(one.assignment_id),
            reason=one.reason,
            excluded_by=str(one.excluded_by),
            excluded_at=one.excluded_at,
            lifted_by=None if one.lifted_by is None else str(one.lifted_by),
            lifted_at=one.lifted_at,
        )


def _exclusions() -> QuerySet[Exclusion]:
    """With what `ExclusionOut.of` reads."""
    found = Exclusion.objects.select_related("assignment__paper", "excluded_by", "lifted_by")
    return found.defer("assignment__paper__abstract").order_by("pk")


class ExclusionList(Part[ExclusionOut]):
    """Exclusions."""


@router.get("/venues/{slug:slug}/results/exclusions", response=answers(ExclusionList, *CONFLICT), summary="Exclusions")
def list_exclusions(request: ApiRequest, slug: Slug, window: Query[Window]) -> ExclusionList:
    """Every exclusion, those that were lifted as well, the oldest first."""
    venue = rights.with_results(request, slug)
    return part_of(ExclusionList, _exclusions().filter(assignment__paper__venue=venue), window, ExclusionOut.of)


@router.post(REVIEW, response=answers(ExclusionOut, *BODY, *CHAIRS, *CONFLICT, status=201), summary="Exclude a review")
def exclude_review(request: ApiRequest, slug: Slug, pk: Pk, code: Code, given: ReasonIn) -> Status[ExclusionOut]:
    """The results are computed without it, and the reason stands beside it."""
    assignment = _assignment(rights.to_judge(request, slug), pk, code)
    form = ExcludeForm({"reason": given.reason})
    if not form.is_valid():
        raise Refusal(422, *of_form(form))
    if not exclude(assignment, caller_of(request), form.cleaned_data["reason"]):
        raise Refusal(409, EXCLUDED)
    return Status(201, _last(assignment))


@router.delete(REVIEW, response=answers(ExclusionOut, *CHAIRS, *CONFLICT), summary="Let a review count again")
def lift_exclusion(request: ApiRequest, slug: Slug, pk: Pk, code: Code) -> ExclusionOut:
    """The results are computed with it again; that it was excluded stays on record."""
    assignment = _assignment(rights.to_judge(request, slug), pk, code)
    if not lift(assignment, caller_of(request)):
        raise Refusal(409, COUNTS)
    return _last(assignment)


def _assignment(venue: Venue, pk: int, code: str) -> Assignment:
    return assignment_of(get_object_or_404(venue.papers, pk=pk), code)


def _last(assignment: Assignment) -> ExclusionOut:
    return ExclusionOut.of(_exclusions().filter(assignment=assignment).latest("pk"))
