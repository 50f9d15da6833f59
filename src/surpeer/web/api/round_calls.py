"""The round: how far it is, ending it, letting it go on, opening the results."""

from datetime import datetime

from django.utils import timezone
from ninja import Router
from pydantic import BaseModel, Field

from surpeer.errors import InputError
from surpeer.web.api import rights
from surpeer.web.api.answers import BODY, CHAIRS, CONFLICT, ProblemOut, answers
from surpeer.web.api.fields import Given, Moment, Slug, example
from surpeer.web.api.problems import Refusal, of_form
from surpeer.web.api.tokens import ApiRequest, caller_of
from surpeer.web.api.venue_schemas import VenueOut, Zone
from surpeer.web.api.venue_settings import local
from surpeer.web.results.opening import open_for_all
from surpeer.web.venues import creating
from surpeer.web.venues.forms import PAST, DeadlineForm
from surpeer.web.venues.progress import latest, progress_of

router = Router(tags=["round"])


class ArrivalOut(BaseModel):
    """A review that came in: whose, and of what; not what it says."""

    reviewer: str
    paper: str
    at: datetime
    revised: bool


class ProgressOut(BaseModel):
    """How far a round is. Never a rating."""

    papers: int
    reviewers: int
    assigned: int = Field(description="Reviews that were asked for, without those that were declined.")
    done: int
    missing: int
    declined: int
    finished: int = Field(description="Reviewers with nothing left to do.")
    without_reviews: int = Field(description="Papers that nobody has reviewed yet.")
    sentence: str
    latest: list[ArrivalOut]


class DeadlineIn(Given):
    """Until when reviewers can submit again."""

    model_config = example(deadline="2099-03-31T23:59:00Z")

    deadline: Moment
    time_zone: Zone | None = None


@router.get("/venues/{slug:slug}/progress", response=answers(ProgressOut), summary="Progress")
def read_progress(request: ApiRequest, slug: Slug) -> ProgressOut:
    """Counts, and the reviews that came in last. Who has reviewed what is in the list of assignments."""
    venue = rights.to_read(request, slug)
    arrivals = [
        ArrivalOut(reviewer=one.reviewer, paper=one.paper, at=one.at, revised=one.revised) for one in latest(venue)
    ]
    return ProgressOut(**progress_of(venue).as_json(), latest=arrivals)


@router.post("/venues/{slug:slug}/close", response=answers(VenueOut, *CHAIRS), summary="Close the round")
def close_round(request: ApiRequest, slug: Slug) -> VenueOut:
    """Reviewers can read what they wrote and change nothing. Closing twice changes nothing."""
    creating.close(rights.to_change(request, slug), caller_of(request))
    return VenueOut.of(rights.member(request, slug))


@router.post(
    "/venues/{slug:slug}/reopen", response=answers(VenueOut, *BODY, *CHAIRS, *CONFLICT), summary="Reopen the round"
)
def reopen_round(request: ApiRequest, slug: Slug, given: DeadlineIn) -> VenueOut:
    """Reviewers can submit and revise again until the deadline. Where chairs do not see who gave which rating, not
    after the results were opened (409)."""
    venue = rights.to_change(request, slug)
    zone = given.time_zone or venue.time_zone
    form = DeadlineForm({"deadline": local(given.deadline, zone), "time_zone": zone})
    if not form.is_valid():
        raise Refusal(422, *of_form(form))
    if form.cleaned_data["deadline"] <= timezone.now():
        raise Refusal(422, ProblemOut(message=PAST, where="deadline"))
    try:
        creating.reopen(venue, **form.cleaned_data, by=caller_of(request))
    except InputError as error:
        raise Refusal(409, str(error)) from error
    return VenueOut.of(rights.member(request, slug))


@router.post(
    "/venues/{slug:slug}/results/open", response=answers(VenueOut, *CHAIRS, *CONFLICT), summary="Open the results"
)
def open_results(request: ApiRequest, slug: Slug) -> VenueOut:
    """For all chairs and observers, once and for all; it is written into the log. Opening twice changes nothing. 409
    where there is no review, and, if chairs do not see who gave which rating, while reviewers can submit: the opening
    then also closes the round for good."""
    try:
        open_for_all(rights.to_change(request, slug), caller_of(request))
    except InputError as error:
        raise Refusal(409, str(error)) from error
    return VenueOut.of(rights.member(request, slug))
