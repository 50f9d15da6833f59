"""OpenReview's notes in whatever JSON they come: an answer of the API, a list, submissions with replies in them."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from surpeer.errors import Problem, quoted

REPLIES = ("directReplies", "replies")


@dataclass(frozen=True, slots=True)
class Note:
    """One note of API v1 or v2: a submission, or anything that was written in reply."""

    place: int
    """Its position among all notes of the file, from 1."""
    id: str
    forum: str
    """The id of the submission that it belongs to."""
    replyto: str
    kind: str
    """The name of the invitation that it was made by: `Official_Review`; empty if none is given."""
    paper: str
    """The number of the submission, as the invitation names it: `12` in .../Submission12/-/Official_Review."""
    venue: str
    number: str
    """The note's own number, which for a submission is the one that people know."""
    signature: str
    changed: float | None
    """When it was last changed."""
    deleted: bool
    content: dict[str, Any] | None
    is_submission: bool
    invitations: tuple[str, ...]
    """All that it was made and changed by."""
    forum_content: dict[str, Any]
    """What the submission says, where the note has it in its details."""


def looks_like_note(record: Any) -> bool:
    """Whether this is a note, of either API, with or without replies in it."""
    if not isinstance(record, dict):
        return False
    made_by = record.get("invitations") or [record.get("invitation")]
    named = isinstance(made_by, list) and any(isinstance(name, str) and "/-/" in name for name in made_by)
    return named and isinstance(record.get("content"), dict)


def records_of(document: Any) -> list[Any]:
    """The notes of a document, those in replies not yet among them; empty if it holds none."""
    if isinstance(document, dict):
        notes = document.get("notes")
        if isinstance(notes, list):
            return notes
        return [document] if looks_like_note(document) else []
    if not isinstance(document, list):
        return []
    is_page = [isinstance(page, dict) and isinstance(page.get("notes"), list) for page in document]
    if not any(is_page):
        return document
    return [
        note for page, paged in zip(document, is_page, strict=True) for note in (page["notes"] if paged else [page])
    ]


def replies_of(record: Any) -> list[Any]:
    """The replies that a submission carries in its details."""
    details = record.get("details") if isinstance(record, dict) else None
    if not isinstance(details, dict):
        return []
    lists = [details[key] for key in REPLIES if isinstance(details.get(key), list)]
    return [reply for replies in lists for reply in replies]


def read_notes(records: list[Any]) -> tuple[list[Note], list[Problem]]:
    """All notes in the order of the file, each submission before its replies; and a problem for what is none."""
    notes: list[Note] = []
    problems: list[Problem] = []
    for place, (record, above) in enumerate(_with_replies(records), start=1):
        if isinstance(record, dict):
            notes.append(_note(place, record, above))
        else:
            problems.append(Problem(place, None, _shown(record), "a note (a JSON object)", "export the notes again"))
    return notes, problems


def _with_replies(records: list[Any]) -> Iterator[tuple[Any, str]]:
    """Every note, with the id of the submission that it was found in."""
    for record in records:
        yield record, ""
        if isinstance(record, dict):
            above = _text(record.get("forum")) or _text(record.get("id"))
            for reply in replies_of(record):
                yield reply, above


def _note(place: int, record: dict[str, Any], above: str) -> Note:
    invitations = _invitations(record)
    made_by = next(
        (name for name in invitations if not name.endswith("/-/Edit")), invitations[0] if invitations else ""
    )
    kind, paper, venue = take_apart(made_by)
    content = record.get("content")
    own_id, forum = _text(record.get("id")), _text(record.get("forum")) or above
    replyto = _text(record.get("replyto")) or above
    return Note(
        place=place,
        id=own_id,
        forum=forum,
        replyto=replyto,
        kind=kind,
        paper=paper or _paper_of(record.get("signatures")),
        venue=_text(record.get("domain")) or venue,
        number=_text(record.get("number")),
        signature=_signature(record.get("signatures")),
        changed=_changed(record),
        deleted=bool(record.get("ddate")),
        content=content if isinstance(content, dict) else None,
        is_submission=not replyto and (own_id == forum if forum else not paper),
        invitations=invitations,
        forum_content=_forum_content(record),
    )


def _forum_content(record: dict[str, Any]) -> dict[str, Any]:
    details = record.get("details")
    content = details.get("forumContent") if isinstance(details, dict) else None
    return content if isinstance(content, dict) else {}


def _invitations(record: dict[str, Any]) -> tuple[str, ...]:
    """What the note was made and changed by: a list in v2, one name in v1."""
    for key in ("invitations", "invitation", "parentInvitations", "parent_invitations"):
        given = record.get(key)
        names = given if isinstance(given, list) else [given]
        texts = tuple(name for name in names if isinstance(name, str) and name)
        if texts:
            return texts
    return ()


def take_apart(invitation: str) -> tuple[str, str, str]:
    """The kind of note, the number of the submission and the venue that an invitation names; '' for what it does not.

    >>> take_apart("Conf.org/2026/Submission12/-/Official_Review")
    ('Official_Review', '12', 'Conf.org/2026')
    >>> take_apart("Conf.org/2018/-/Paper7/Official_Review"), take_apart("Conf.org/2026/-/Submission")
    (('Official_Review', '7', 'Conf.org/2018'), ('Submission', '', 'Conf.org/2026'))
    """
    head, _, tail = invitation.rpartition("/-/")
    folder, _, last = head.rpartition("/")
    number = _trailing_number(last)
    if number and folder:
        return tail, number, folder
    first, _, rest = tail.partition("/")
    number = _trailing_number(first)
    if number and rest:
        return rest.replace("/", "_"), number, head
    return tail, "", head


def _trailing_number(segment: str) -> str:
    """The 12 of Submission12; '' for 2026, which is a year, and for names without a number."""
    word = segment.rstrip("0123456789")
    return segment[len(word) :].lstrip("0") if word and word[-1].isalpha() else ""


def _paper_of(signatures: Any) -> str:
    """The number of the submission in a signature such as Conf.org/2026/Submission12/Reviewer_a1B2."""
    first = signatures[0] if isinstance(signatures, list) and signatures else signatures
    folders = first.split("/") if isinstance(first, str) else []
    return _trailing_number(folders[-2]) if len(folders) > 2 else ""


def _signature(signatures: Any) -> str:
    if isinstance(signatures, str):
        return signatures.strip()
    names = signatures if isinstance(signatures, list) else []
    return ", ".join(name.strip() for name in names if isinstance(name, str) and name.strip())


def _changed(record: dict[str, Any]) -> float | None:
    for key in ("tmdate", "mdate", "tcdate", "cdate"):
        date = record.get(key)
        if isinstance(date, int | float) and not isinstance(date, bool) and abs(date) < 1e18:
            return float(date)
    return None


def _text(value: Any) -> str:
    """An id or a number as text; '' for anything else."""
    if isinstance(value, str):
        return value.strip()
    if isinstance(value, bool) or not isinstance(value, int | float) or not abs(value) < 1e15 or value % 1:
        return ""
    return str(int(value))


def value_of(answer: Any) -> Any:
    """What stands in a field: API v2 wraps it in {"value": ..., "readers": [...]}, and leaves hidden values out."""
    return answer.get("value") if isinstance(answer, dict) and ("value" in answer or "readers" in answer) else answer


def _shown(record: Any) -> str:
    return "null" if record is None else quoted(record)
