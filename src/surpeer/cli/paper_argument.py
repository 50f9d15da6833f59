"""The paper that a command is asked about: its id, and what to say to somebody who typed something else."""

import os
from pathlib import Path

from surpeer.errors import InputError, nearest_name, quoted
from surpeer.reviews import Reviews

LIKE = 0.8  # how like a title a text is that is meant for it


def paper_as_typed(paper: str) -> str:
    """The id of a paper, whatever the locale made of it."""
    return os.fsencode(paper).decode("utf-8", "replace")


def refuse_swapped(file: Path, paper: str, command: str) -> None:
    """Raise where the paper is a file and the file is none."""
    if not file.exists() and os.path.isfile(paper):
        raise InputError(
            f"{file}: there is no such file, but {quoted(paper)} is one; did you swap the two? "
            f"The file comes first: surpeer {command} {paper} {_as_typed(str(file))}"
        )


def refuse_title(reviews: Reviews, paper: str) -> None:
    """Raise where the text is no id of a paper but the title of one, and say which."""
    if reviews.title is None or paper in reviews.papers.cast(str).to_list():
        return
    titles = {title: str(at) for at, title in zip(reviews.papers, reviews.title, strict=True) if title}
    meant = nearest_name(paper, titles, LIKE) or _beginning(paper, list(titles))
    if meant is not None:
        raise InputError(
            f"unknown paper {quoted(paper)}; paper {quoted(titles[meant])} has the title {quoted(meant)}: "
            f"give its id, {_as_typed(titles[meant])}"
        )


def _beginning(text: str, titles: list[str]) -> str | None:
    """The only title that begins so."""
    found = [title for title in titles if text.strip() and title.casefold().startswith(text.strip().casefold())]
    return found[0] if len(found) == 1 else None


def _as_typed(text: str) -> str:
    return f'"{text}"' if " " in text else text
