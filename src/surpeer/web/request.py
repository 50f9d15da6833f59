"""A request as the views of this project see it."""

from django.http import HttpRequest

from surpeer.web.accounts.models import User
from surpeer.web.venues.models import Membership, Reviewer


class WebRequest(HttpRequest):
    """With what `access` found out about whoever makes it. Only a name for types."""

    user: User
    """Django's AnonymousUser where nobody is signed in; views behind `access` never see that."""
    reviewer: Reviewer
    membership: Membership
