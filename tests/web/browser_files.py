"""Files of a small venue, as a chair has them: CSV and workbooks, right ones and wrong ones; and mails that were sent."""

import csv
import io
import re
from email import message_from_bytes, policy
from pathlib import Path

from openpyxl import Workbook

PAPERS = [
    ("id", "Title", "Authors", "Track"),
    ("P1", "Bees that count", "A. Adams", "Biology"),
    ("P2", "Ice on warm roads", "B. Bell", "Physics"),
    ("P3", "A fast sort, again", "C. Cole", "Computing"),
    ("P4", "Maps for <b>moles</b> & voles", "D. Dahl", "Biology"),
]
WRONG_PAPERS = [*PAPERS[:3], ("", "A paper without an id", "", ""), ("P1", "Another title", "", "")]
REVIEWERS = [
    ("E-mail", "Name"),
    ("ada@example.org", "Ada Abel"),
    ("ben@example.org", "Ben Bauer"),
    ("cleo@example.org", "Cleo Cruz"),
    ("dan@example.org", "Dan Diaz"),
]
WRONG_REVIEWERS = [*REVIEWERS[:2], ("ben at example.org", "Ben Bauer")]
ASSIGNMENTS = [
    ("paper", "reviewer"),
    *((paper[0], f"{name}@example.org") for paper in PAPERS[1:] for name in ("ada", "ben", "cleo")),
    ("P1", "Dan Diaz"),
]
WRONG_ASSIGNMENTS = [*ASSIGNMENTS, ("P9", "ada@example.org"), ("P1", "dam@example.org")]
Rows = list[tuple[str, ...]]


def as_csv(folder: Path, name: str, rows: Rows, delimiter: str = ",") -> Path:
    """A file of text."""
    text = io.StringIO()
    csv.writer(text, delimiter=delimiter).writerows(rows)
    path = folder / name
    path.write_text(text.getvalue(), encoding="utf-8")
    return path


def as_workbook(folder: Path, name: str, rows: Rows) -> Path:
    """The same as a workbook."""
    book = Workbook()
    for row in rows:
        book.active.append(row)
    book.save(folder / name)
    return folder / name


def links_in_mails(data: Path, path: str) -> dict[str, list[str]]:
    """The links below a path in the mails of a server that sends none: by address, the oldest first."""
    found: dict[str, list[str]] = {}
    for file in sorted((data / "mail").iterdir(), key=lambda path: path.stat().st_mtime_ns):
        for raw in file.read_bytes().split(b"-" * 79 + b"\n"):
            if raw.strip():
                mail = message_from_bytes(raw, policy=policy.default)
                links = re.findall(rf"http://\S+{path}\S+", mail.get_content())
                found.setdefault(str(mail["To"]), []).extend(links)
    return found
