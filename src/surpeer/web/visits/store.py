"""Where Django keeps sessions (SESSION_ENGINE)."""

from typing import Any, cast

from django.contrib.sessions.backends.db import SessionStore as DatabaseSessions

from surpeer.web.visits.models import Visit

LINK = "personal_link"
"""Where a session keeps the personal link that was opened in it."""


class SessionStore(DatabaseSessions):
    """Django's, in our table."""

    @classmethod
    def get_model_class(cls) -> type[Visit]:
        return Visit

    def create_model_instance(self, data: dict[str, Any]) -> Visit:
        visit = cast(Visit, super().create_model_instance(data))
        visit.link_id = data.get(LINK)
        return visit
