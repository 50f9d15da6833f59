"""Venues and their settings."""

from django.db import transaction
from ninja import Query, Router, Status

from surpeer.errors import InputError
from surpeer.web.access import require_chair, require_creator
from surpeer.web.api import rights
from surpeer.web.api.answers import BODY, CHAIRS, CONFLICT, answers
from surpeer.web.api.fields import Slug
from surpeer.web.api.paging import Part, Window, part_of
from surpeer.web.api.problems import Refusal
from surpeer.web.api.tokens import ApiRequest, caller_of
from surpeer.web.api.venue_schemas import SettingsIn, VenueIn, VenueOut
from surpeer.web.api.venue_settings import changed_venue, new_venue
from surpeer.web.venues import creating
from surpeer.web.venues.models import Venue

router = Router(tags=["venues"])


class VenueList(Part[VenueOut]):
    """Venues."""


@router.get("/venues", response=answers(VenueList), summary="My venues")
def list_venues(request: ApiRequest, window: Query[Window]) -> VenueList:
    """The venues that you run or watch, the newest first."""
    mine = caller_of(request).memberships.select_related("venue").order_by("-venue__created_at", "-venue__pk")
    return part_of(VenueList, mine, window, VenueOut.of)


@router.post("/venues", response=answers(VenueOut, *BODY, *CHAIRS, *CONFLICT, status=201), summary="Create a venue")
def create_venue(request: ApiRequest, given: VenueIn) -> Status[VenueOut]:
    """You become its chair. Its address (`slug`) is made of its name."""
    user = caller_of(request)
    require_creator(user)
    venue, levels = new_venue(given)
    creating.create(venue, levels, user)
    return Status(201, VenueOut.of(rights.member(request, venue.slug)))


@router.get("/venues/{slug:slug}", response=answers(VenueOut), summary="Settings of a venue")
def read_venue(request: ApiRequest, slug: Slug) -> VenueOut:
    """Its settings, and how far it is."""
    return VenueOut.of(rights.member(request, slug))


@router.patch(
    "/venues/{slug:slug}", response=answers(VenueOut, *BODY, *CHAIRS, *CONFLICT), summary="Change settings of a venue"
)
def change_venue(request: ApiRequest, slug: Slug, given: SettingsIn) -> VenueOut:
    """What is left out, or null, stays. Once a review was submitted, scale and form of the predictions stay (409), and
    so does a blindness that keeps from chairs who gave which rating."""
    membership = rights.member(request, slug)
    require_chair(membership)
    with transaction.atomic():  # nobody else saves between reading what it is now and writing
        now = Venue.objects.select_for_update().get(pk=membership.venue_id)
        try:
            creating.change(*changed_venue(now, given), caller_of(request))
        except InputError as error:
            raise Refusal(409, str(error)) from None
    return VenueOut.of(rights.member(request, slug))
