"""What a HotCRP site does with the files that we write for it, as far as it matters here.

Settings: fields are matched by id, else by name (capitals do not matter); others are new; with `values_reset` the choices
are those of the file, matched by name and then in sequence. Assignments: read from top to bottom, applied as one.
"""

import csv
import io
import re
from dataclasses import dataclass, field
from typing import Any

VISIBILITIES = {"au", "re", "audec", "pconly", "admin"}
DEFAULT_FORM = [
    {"id": "s01", "name": "Overall merit", "order": 1, "type": "radio", "required": True, "visibility": "au",
     "values": ["Reject", "Weak reject", "Weak accept", "Accept", "Strong accept"]},
    {"id": "s02", "name": "Reviewer expertise", "order": 2, "type": "radio", "required": True, "visibility": "au",
     "values": ["No familiarity", "Some familiarity", "Knowledgeable", "Expert"]},
    {"id": "t01", "name": "Paper summary", "order": 3, "type": "text", "visibility": "au"},
]  # fmt: skip


class Refused(Exception):
    """What the site says when it saves nothing."""


@dataclass
class Site:
    fields: list[dict[str, Any]]

    def load(self, settings: dict[str, Any]) -> None:
        if settings.get("reset"):
            raise Refused("that would delete the fields that the file does not mention")
        fields = [dict(entry) for entry in self.fields]
        for entry in settings["rf"]:
            old = next((one for one in fields if one["name"].lower() == entry["name"].lower()), None)
            if entry.get("id") == "new" and old is not None:
                raise Refused("Field name is not unique")
            if old is None:
                old = {"id": self._free_id(fields, entry["type"]), "order": 1_000_000, "visibility": "re"}
                fields.append(old)
            old |= {key: value for key, value in entry.items() if key not in ("values", "values_reset")}
            if entry["type"] != "text":
                old["symbols"], old["values"] = self._choices(old.get("values", []), entry)
            if old["visibility"] not in VISIBILITIES:
                raise Refused("Visibility")
        if len({" ".join(one["name"].split()).casefold() for one in fields}) < len(fields):
            raise Refused("Field name is not unique")
        self.fields = sorted(fields, key=lambda one: (one["order"], one["id"]))
        for place, one in enumerate(self.fields, start=1):
            one["order"] = place

    @staticmethod
    def _free_id(fields: list[dict[str, Any]], kind: str) -> str:
        letter = "t" if kind == "text" else "s"
        ids = {one["id"] for one in fields}
        numbers = (99, *range(1, 99))
        free = next((f"{letter}{number:02d}" for number in numbers if f"{letter}{number:02d}" not in ids), None)
        if free is None:
            raise Refused("Invalid review form ID")
        return free

    @staticmethod
    def _choices(old: list[str], entry: dict[str, Any]) -> tuple[list[object], list[str]]:
        values = sorted(entry["values"], key=lambda value: value["order"])
        if not entry.get("values_reset"):
            named = {value["name"].lower() for value in values}
            values += [
                {"symbol": at, "name": name} for at, name in enumerate(old, start=1) if name.lower() not in named
            ]
        symbols = [value["symbol"] for value in values]
        first = symbols[0]
        if first != 1 and not (isinstance(first, str) and first.isupper() and len(first) == 1):
            raise Refused("Symbol must be a number or a single capital letter")
        wanted = range(1, len(symbols) + 1) if first == 1 else [chr(ord(first) + at) for at in range(len(symbols))]
        if symbols != list(wanted) or len(symbols) < 2:
            raise Refused("Invalid choices")
        names = [value["name"] for value in values]
        if len({name.casefold() for name in names}) < len(names) or "" in names:
            raise Refused("Field value is not unique")
        return symbols, names


@dataclass
class Tags:
    """The tags of papers, and how an assignment file changes them."""

    papers: set[int]
    tags: dict[int, dict[str, float]] = field(default_factory=dict)

    def assign(self, data: bytes) -> None:
        if data.startswith(b"\xef\xbb\xbf") or b"\r" in data:
            raise Refused("CSV must define action and paper columns")
        new = {paper: dict(self.tags.get(paper, {})) for paper in self.papers}
        for row in csv.DictReader(io.StringIO(data.decode())):
            chosen = self.papers if row["paper"] == "all" else {int(row["paper"])}
            if not chosen <= self.papers:
                raise Refused(f"Paper {row['paper']} does not exist")
            for paper in chosen:
                self._apply(new[paper], row["action"], row["tag"])
        self.tags = new

    @staticmethod
    def _apply(tags: dict[str, float], action: str, text: str) -> None:
        parts = re.fullmatch(r"(~~[a-zA-Z@*_:.][-+a-zA-Z0-9!@*_:./]*)(?:#(.*))?", text)
        if parts is None or len(parts[1]) > 80:
            raise Refused(f"Invalid tag {text}")
        if action == "cleartag":
            tags.pop(parts[1], None)
        elif action == "tag":
            if parts[2] and not re.fullmatch(r"[-+]?(?:\.\d+|\d+|\d+\.\d*)", parts[2]):
                raise Refused(f"{parts[2]}: Bad tag value")
            tags[parts[1]] = float(parts[2] or tags.get(parts[1], 0))
        else:
            raise Refused(f"Action {action} not found")
