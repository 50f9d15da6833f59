"""`surpeer serve --demo` and a chair who signs in with what it prints."""

import re
from http.cookiejar import CookieJar
from urllib.parse import urlencode
from urllib.request import HTTPCookieProcessor, OpenerDirector, build_opener

from web.running import RunningServer
from web.waiting import PATIENCE, eventually


class Browser:
    """A browser without scripts, which keeps cookies."""

    def __init__(self, server: RunningServer) -> None:
        self.server = server
        self.opener: OpenerDirector = build_opener(HTTPCookieProcessor(CookieJar()))

    def get(self, address: str) -> str:
        return self._open(address, None)

    def post(self, form_page: str, address: str, **fields: str) -> str:
        """Fill in the form of a page and send it."""
        token = re.search(r'name="csrfmiddlewaretoken" value="([^"]+)"', self.get(form_page))
        assert token, form_page
        return self._open(address, urlencode({"csrfmiddlewaretoken": token[1], **fields}).encode())

    def _open(self, address: str, data: bytes | None) -> str:
        whole = address if address.startswith("http") else f"{self.server.url}{address}"
        return str(self.opener.open(whole, data, timeout=PATIENCE).read().decode())


def chair_of(server: RunningServer) -> Browser:
    """Signed in with the address and the password that were printed."""
    found = re.search(r"/login/ with (\S+) and (\S+)", server.text)
    assert found, server.text
    browser = Browser(server)
    page = browser.post("/login/", "/login/", username=found[1], password=found[2])
    assert "Your venues" in page
    return browser


def ranking_of(chair: Browser, venue: str) -> str:
    """The page once the ranking is there, which is computed beside the server."""

    def ranking() -> str:
        page = chair.get(f"/venues/{venue}/results/")
        return page if "How to read it" in page else ""

    return eventually(ranking)
