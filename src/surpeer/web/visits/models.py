"""Sessions, each with the personal link that was opened in it."""

from django.contrib.sessions.backends.base import SessionBase
from django.contrib.sessions.base_session import AbstractBaseSession
from django.db import models

from surpeer.web.venues.models import PersonalLink


class Visit(AbstractBaseSession):
    """A session. The link stands in a column of its own, so that one query finds from the key in a browser's cookie who
    the reviewer is and whether the link still counts."""

    link = models.ForeignKey(PersonalLink, models.CASCADE, null=True, related_name="visits")

    @classmethod
    def get_session_store_class(cls) -> type[SessionBase]:
        from surpeer.web.visits.store import SessionStore

        return SessionStore
