"""A reviewer's browser over HTTP, without a page: opens a personal link, fetches forms, sends them."""

import re
from dataclasses import dataclass, field
from http.client import HTTPConnection
from urllib.parse import urlencode

HIDDEN = re.compile(rb'<input type="hidden" name="(\w+)" value="([^"]*)"')
KEEP = {"csrfmiddlewaretoken", "key", "based_on", "draft", "turn"}


@dataclass
class Answer:
    """What came back."""

    status: int
    location: str
    body: bytes


@dataclass
class ReviewerBrowser:
    """One connection that is kept open, and its cookies."""

    port: int
    cookies: dict[str, str] = field(default_factory=dict)
    connection: HTTPConnection | None = None

    def request(self, method: str, path: str, fields: dict[str, str] | None = None) -> Answer:
        """Send a request; an error of the connection closes it, so that the next one opens a new one."""
        if self.connection is None:
            self.connection = HTTPConnection("127.0.0.1", self.port, timeout=60)
        headers = {"Cookie": "; ".join(f"{name}={value}" for name, value in self.cookies.items())}
        body = None
        if fields is not None:
            headers["Content-Type"] = "application/x-www-form-urlencoded"
            body = urlencode(fields)
        try:
            self.connection.request(method, path, body, headers)
            response = self.connection.getresponse()
            content = response.read()
        except Exception:
            self.close()
            raise
        for cookie in response.headers.get_all("Set-Cookie") or []:
            name, _, value = cookie.split(";", 1)[0].partition("=")
            self.cookies[name] = value
        return Answer(response.status, response.headers.get("Location", ""), content)

    def close(self) -> None:
        """The connection; the next request opens a new one."""
        if self.connection is not None:
            self.connection.close()
        self.connection = None

    def open_link(self, path: str) -> None:
        """Get in."""
        answer = self.request("GET", path)
        assert answer.status == 302, answer
        assert "sessionid" in self.cookies, answer

    def form(self, assignment: int) -> dict[str, str]:
        """The hidden fields of the form of one paper."""
        answer = self.request("GET", f"/reviews/{assignment}/")
        assert answer.status == 200, answer
        found = {name.decode(): value.decode() for name, value in HIDDEN.findall(answer.body)}
        return {name: value for name, value in found.items() if name in KEEP}

    def send(self, assignment: int, form: dict[str, str], rating: int, numbers: list[int]) -> Answer:
        """Submit a review."""
        given = {f"number_{place}": str(number) for place, number in enumerate(numbers)}
        return self.request("POST", f"/reviews/{assignment}/", {**form, "rating": str(rating), **given})
