"""The review form of a HotCRP site, from the settings that it shows under Settings > Advanced or api/settings."""

import re
from collections.abc import Mapping
from typing import Any

from surpeer.io.platforms.hotcrp.keywords import search_keywords
from surpeer.io.platforms.hotcrp.scales import options_of
from surpeer.io.platforms.json_cells import cell, place_in_order
from surpeer.io.platforms.plain_text import plain_name
from surpeer.io.review_form.form import Form, Question

NAME = "hotcrp"
LAST = 1e9  # in the order of fields, for those that have no place

_ID = re.compile(r"[st][0-9]{2}|new", re.ASCII)
_ONE_CHOICE = (None, "radio", "dropdown", "score", "selector")


def read_form(document: Any) -> Form | None:
    """The form in a settings document, as a whole or just its `rf`; None if the document is something else."""
    entries = _entries(document)
    if entries is None:
        return None
    named = [entry for entry in entries if isinstance(entry, dict) and not entry.get("delete")]
    named = [entry for entry in named if isinstance(entry.get("name"), str) and plain_name(entry["name"])]
    named.sort(key=lambda entry: place_in_order(entry.get("order"), LAST))
    keywords = search_keywords([entry["name"] for entry in named])
    return Form(tuple(map(_question, named, keywords)))


def _entries(document: Any) -> list[Any] | None:
    """The list of review fields; a bare list is one if its objects have HotCRP's ids."""
    if isinstance(document, dict):
        settings = document.get("settings")
        entries = settings.get("rf") if isinstance(settings, dict) else document.get("rf")
        return entries if isinstance(entries, list) else None
    if not isinstance(document, list) or not document:
        return None
    known = all(isinstance(entry, dict) and _ID.fullmatch(str(entry.get("id"))) for entry in document)
    return document if known else None


def _question(entry: Mapping[str, Any], keyword: str) -> Question:
    name = plain_name(entry["name"])
    others = [keyword, cell(entry.get("uid")), cell(entry.get("id")), " ".join(entry["name"].split())]
    known = dict.fromkeys(word for word in others if word and word not in (name, "new"))
    options = options_of(entry) if entry.get("type") in _ONE_CHOICE else ()
    return Question(name, tuple(known), options)
