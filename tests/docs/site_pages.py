"""What a built page has in it: places that can be linked to, links, and what it loads."""

import re
from dataclasses import dataclass, field
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

LOADED_BY = {"src", "srcset", "data", "poster"}
LINKS_THAT_LOAD = {"stylesheet", "icon", "preload", "prefetch", "preconnect", "manifest", "modulepreload"}


@dataclass
class SitePage(HTMLParser):
    """One HTML file, read."""

    path: Path
    places: set[str] = field(default_factory=set)
    links: list[str] = field(default_factory=list)
    loaded: list[str] = field(default_factory=list)
    pictures_without_words: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        super().__init__()
        self.feed(self.path.read_text(encoding="utf-8"))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        self.places |= {given[name] for name in ("id", "name") if name in given}
        self.loaded += [given[name] for name in LOADED_BY & set(given)]
        if tag == "a" and "href" in given:
            self.links.append(given["href"])
        if tag == "link" and LINKS_THAT_LOAD & set(given.get("rel", "").split()):
            self.loaded.append(given["href"])
        if tag == "meta" and given.get("http-equiv") == "refresh":
            self.links.append(given["content"].partition("url=")[2])
        if tag == "img" and re.search(r"^$|\.(png|svg)$", given.get("alt", "")):  # a name of a file is no words
            self.pictures_without_words.append(given.get("src", ""))

    def target(self, link: str) -> tuple[Path, str] | None:
        """File and place that a link leads to, None if that is elsewhere."""
        parts = urlsplit(link)
        if parts.scheme or parts.netloc:
            return None
        path = (self.path.parent / unquote(parts.path)).resolve() if parts.path else self.path
        return path, unquote(parts.fragment)


def is_elsewhere(address: str) -> bool:
    """Whether something is loaded from another host."""
    parts = urlsplit(address.strip())
    return bool(parts.netloc) or parts.scheme not in ("", "data")
