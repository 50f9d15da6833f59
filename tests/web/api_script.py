"""A script that calls the interface with a token, and looks at what comes back."""

from datetime import timedelta
from typing import Any

from django.test import Client
from django.utils import timezone

from surpeer.web.accounts.models import ApiToken, User

ROOT = "/api/v1"


def make_token(user: User, days: int = 30, **fields: object) -> tuple[ApiToken, str]:
    """A token and its secret."""
    token = ApiToken(user=user, name="a script", expires_at=timezone.now() + timedelta(days=days), **fields)
    return token, token.make()


class Answer:
    """A status and what was said."""

    def __init__(self, response: Any) -> None:
        self.status: int = response.status_code
        self.headers = response.headers
        self.json: Any = response.json()

    @property
    def messages(self) -> list[str]:
        """Of a refusal, whose shape is looked at, too."""
        assert set(self.json) == {"problems"}
        for problem in self.json["problems"]:
            assert set(problem) == {"message", "where", "found", "expected", "remedy"}
        return [problem["message"] for problem in self.json["problems"]]


class Script:
    """Calls for somebody; for nobody without a user."""

    def __init__(self, user: User | None = None, secret: str | None = None) -> None:
        secret = make_token(user)[1] if user is not None else secret
        self.client = Client(headers={"authorization": f"Bearer {secret}"} if secret is not None else None)

    def __call__(self, method: str, path: str, body: object = None, **query: object) -> Answer:
        sent = {} if body is None else {"data": body, "content_type": "application/json"}
        call = getattr(self.client, method.lower())
        return Answer(call(f"{ROOT}{path}", query_params=query or None, **sent))

    def get(self, path: str, **query: object) -> Answer:
        return self("get", path, **query)

    def post(self, path: str, body: object = None) -> Answer:
        return self("post", path, body)
