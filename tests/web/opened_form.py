"""A page's form as a browser would send it: every field with what stands in it, line ends as browsers write them."""

from html.parser import HTMLParser
from typing import Any

Fields = dict[str, list[str]]


class OpenedForm(HTMLParser):
    """Reads the fields in the main part of a page."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.fields: Fields = {}
        self.text: str | None = None
        self.select: str | None = None
        self.feed(page.split("<main", 1)[1])

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given: dict[str, Any] = dict(attrs)
        if tag == "select":
            self.select = given["name"]
        elif tag == "option" and self.select and "selected" in given:
            self.fields.setdefault(self.select, []).append(given["value"])
        elif tag == "textarea":
            self.text = given["name"]
            self.fields[given["name"]] = [""]
        elif tag == "input" and "name" in given and _is_sent(given):
            self.fields.setdefault(given["name"], []).append(_sent(given.get("value") or ""))

    def handle_endtag(self, tag: str) -> None:
        if tag == "textarea":
            self.fields[str(self.text)] = [_sent(self.fields[str(self.text)][0].removeprefix("\n"))]
            self.text = None
        elif tag == "select":
            self.select = None

    def handle_data(self, data: str) -> None:
        if self.text is not None:
            self.fields[self.text][0] += data.replace("\r\n", "\n")


def opened(page: str, **changes: Any) -> dict[str, Any]:
    """What is sent after she changed these fields."""
    return {**OpenedForm(page).fields, **changes}


def _is_sent(given: dict[str, Any]) -> bool:
    return "disabled" not in given and (given["type"] not in ("radio", "checkbox") or "checked" in given)


def _sent(text: str) -> str:
    return text.replace("\r\n", "\n").replace("\n", "\r\n")
