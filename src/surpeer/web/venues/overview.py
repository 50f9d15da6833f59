"""The venues of somebody, and one venue at a glance: how far it is and what comes next."""

from dataclasses import asdict, dataclass
from typing import cast

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponseBase, JsonResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_safe

from surpeer.errors import counted
from surpeer.web.access import for_readers
from surpeer.web.request import WebRequest
from surpeer.web.venues.few_predictions import few_predictions
from surpeer.web.venues.list_filters import papers_to_give_away_again
from surpeer.web.venues.local_times import short_time
from surpeer.web.venues.mailing import to_invite
from surpeer.web.venues.models import Venue
from surpeer.web.venues.progress import Arrival, Progress, latest, progress_of


@dataclass(frozen=True)
class Step:
    """Something that a chair does next."""

    text: str
    button: str
    address: str


@login_required
@require_safe
def venues(request: HttpRequest) -> HttpResponseBase:
    """The venues that somebody runs or watches, the newest first."""
    user = cast(WebRequest, request).user
    memberships = user.memberships.select_related("venue").order_by("-venue__created_at")
    return render(request, "venues/venues.html", {"memberships": memberships})


@require_safe
@for_readers
def venue(request: WebRequest, venue: Venue) -> HttpResponseBase:
    """The overview of a venue."""
    progress = progress_of(venue)
    context = {
        "venue": venue,
        "progress": progress,
        "words": words_of(progress),
        "latest": latest(venue),
        "state": state_of(venue),
        "steps": next_steps(venue, progress),
        "few_predictions": "" if venue.is_open else few_predictions(venue, "assigned"),
    }
    return render(request, "venues/overview.html", context)


@require_safe
@for_readers
def venue_progress(request: WebRequest, venue: Venue) -> HttpResponseBase:
    """The same for the script that keeps the overview up to date."""
    arrivals = [{**asdict(one), "when": short_time(one.at, venue), **_addresses(one, venue)} for one in latest(venue)]
    progress = progress_of(venue)
    words = {f"{name}_words": text for name, text in words_of(progress).items()}
    return JsonResponse({**progress.as_json(), **words, "state": state_of(venue), "latest": arrivals})


def _addresses(one: Arrival, venue: Venue) -> dict[str, str]:
    return {
        "reviewer_address": reverse("reviewer", args=[venue.slug, one.reviewer_pk]),
        "paper_address": reverse("paper", args=[venue.slug, one.paper_pk]),
    }


def words_of(progress: Progress) -> dict[str, str]:
    """What stands below each number of the overview."""
    no_papers = progress.reviewers - progress.with_papers
    others = f" ({no_papers:,} more {'has' if no_papers == 1 else 'have'} no papers)" if no_papers else ""
    finished = f"of {counted(progress.with_papers, 'reviewer')} with papers {_verb(progress.finished, 'has', 'have')}"
    return {
        "done": _verb(progress.done, "review is in", "reviews are in"),
        "missing": _verb(progress.missing, "review is missing", "reviews are missing"),
        "declined": _verb(progress.declined, "review was declined", "reviews were declined"),
        "finished": f"{finished} finished{others}",
        "without_reviews": f"of {counted(progress.papers, 'paper')} "
        f"{_verb(progress.without_reviews, 'has', 'have')} no review",
    }


def _verb(count: int, one: str, several: str) -> str:
    return one if count == 1 else several


def state_of(venue: Venue) -> str:
    """In which state the round is, in a word or two."""
    if venue.closed_at is not None:
        return "closed"
    return "open for reviews" if venue.takes_reviews else "past the deadline"


def next_steps(venue: Venue, progress: Progress) -> list[Step]:
    """What to do next; nothing while reviewers are at work."""
    return [step for step in (next_step(venue, progress), _others_to_find(venue, progress)) if step is not None]


def _others_to_find(venue: Venue, progress: Progress) -> Step | None:
    """For papers that somebody declined."""
    if not progress.declined or not venue.takes_reviews:
        return None
    number = papers_to_give_away_again(venue).count()
    if not number:
        return None
    text = f"{counted(number, 'paper')} {_verb(number, 'was', 'were')} declined by somebody and"
    return Step(
        f"{text} {_verb(number, 'has', 'have')} fewer reviewers than most papers.",
        "Find other reviewers",
        f"{reverse('papers', args=[venue.slug])}?show=few",
    )


def next_step(venue: Venue, progress: Progress) -> Step | None:
    """The one thing to do next; None while reviewers are at work."""
    slug = venue.slug
    for kind, count, sentence in (
        ("papers", progress.papers, "There are no papers yet."),
        ("reviewers", progress.reviewers, "There are no reviewers yet."),
        ("assignments", progress.assigned + progress.declined, "No paper is assigned to a reviewer yet."),
    ):
        if not count:
            return Step(sentence, f"Import {kind}", reverse("import", args=[slug, kind]))
    waiting = to_invite(venue).count() if venue.takes_reviews else 0
    if waiting:
        text = f"{counted(waiting, 'reviewer')} with papers {'is' if waiting == 1 else 'are'} not invited yet."
        return Step(text, "Invite reviewers", reverse("invite", args=[slug]))
    if venue.opened_at is None and not venue.takes_reviews:
        return Step("Reviewing is over.", "Go to the results", reverse("results", args=[slug]))
    if venue.takes_reviews and progress.assigned and not progress.missing:
        return Step("Every review is in.", "Close the round", reverse("close_round", args=[slug]))
    return _reminder(venue, progress)


def _reminder(venue: Venue, progress: Progress) -> Step | None:
    days = (venue.deadline - timezone.now()).days
    if not venue.takes_reviews or not progress.missing or days > DAYS_TO_REMIND:
        return None
    missing = f"{counted(progress.missing, 'review')} {'is' if progress.missing == 1 else 'are'} missing"
    text = f"The deadline is near, and {missing}."
    return Step(text, "Remind reviewers", reverse("remind", args=[venue.slug]))


DAYS_TO_REMIND = 3
