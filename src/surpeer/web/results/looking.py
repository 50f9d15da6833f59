"""Who saw what: one entry for each person and each new result, however often she looks."""

from surpeer.web.accounts.models import User
from surpeer.web.audit.log import Action, record
from surpeer.web.audit.models import Entry
from surpeer.web.results.models import Result
from surpeer.web.venues.models import Paper, Venue


def saw_results(user: User, venue: Venue, result: Result) -> None:
    """Somebody sees ranking, discussion list, charts or the report."""
    _once(user, Action.SAW_RESULTS, venue, "", result.stamp)


def saw_paper(user: User, venue: Venue, paper: Paper, stamp: str) -> None:
    """Somebody sees one paper with its reviews."""
    _once(user, Action.SAW_PAPER, venue, paper.key, stamp)


def _once(user: User, action: Action, venue: Venue, about: str, stamp: str) -> None:
    mine = Entry.objects.filter(venue=venue.pk, user=user.pk, action=action.value, about=about)
    if not mine.filter(details__stamp=stamp).exists():
        record(user, action, venue, about=about, stamp=stamp)
