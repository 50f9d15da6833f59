"""The submissions behind OpenReview's notes: their numbers, which were withdrawn, their tracks and titles."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from surpeer.errors import counted
from surpeer.io.platforms.json_cells import cell, title_text
from surpeer.io.platforms.openreview.kinds import words_of
from surpeer.io.platforms.openreview.notes import Note, take_apart, value_of

_GONE = ({"withdrawn"}, {"desk", "rejected"})
_GOING = ({"withdrawal"}, {"withdraw"}, {"desk", "rejection"}, {"desk", "reject"})


@dataclass(frozen=True, slots=True)
class Papers:
    """What is known of the submissions, by `key_of` their notes."""

    ids: dict[str, str]
    """As people know them: the number, or the id of the forum where there is none."""
    gone: frozenset[str]
    """Withdrawn, rejected without review, or deleted."""
    tracks: dict[str, str]
    titles: dict[str, str]
    notes: tuple[str, ...]


def key_of(note: Note) -> str:
    """What the notes of one submission have in common; '' if nothing says which submission it is."""
    return note.forum or (f"{note.venue}/{note.paper}" if note.paper else "")


def find_papers(notes: Sequence[Note], reviews: Sequence[Note]) -> Papers:
    """The submissions that the reviews belong to."""
    submissions = {note.id or note.forum: note for note in notes if note.is_submission}
    numbers = {key_of(review): review.paper for review in reviews if key_of(review)}
    numbers |= {key: note.number for key, note in submissions.items() if key in numbers and note.number}
    ids, id_notes = _ids(numbers)
    tracks = {key: track for key in ids if (track := _track(submissions.get(key))) is not None}
    return Papers(ids, _gone(notes, submissions), tracks, _titles(submissions, reviews), tuple(id_notes))


def _ids(numbers: dict[str, str]) -> tuple[dict[str, str], list[str]]:
    """An id for each submission: its number, unless it has none or another submission has the same."""
    forums = defaultdict(list)
    for key, number in numbers.items():
        forums[number].append(key)
    unnumbered = forums.pop("", [])
    shared = [key for keys in forums.values() if len(keys) > 1 for key in keys]
    by_forum = {*unnumbered, *shared}
    notes = []
    if unnumbered:
        notes.append(f"{counted(len(unnumbered), 'paper')} named by the forum, because no number is given")
    if shared:
        notes.append(f"{counted(len(shared), 'paper')} named by the forum, because others have the same number")
    return {key: key if key in by_forum else number for key, number in numbers.items()}, notes


def _track(submission: Note | None) -> str | None:
    content = submission.content if submission is not None else None
    return cell(value_of((content or {}).get("track")))


def _titles(submissions: dict[str, Note], reviews: Sequence[Note]) -> dict[str, str]:
    """The titles of submissions, as they say themselves or else as reviews say; a review's own is no paper's."""
    said = [(key_of(review), review.forum_content) for review in reversed(reviews)]
    said += [(key, note.content or {}) for key, note in submissions.items()]
    return {key: title for key, content in said if (title := title_text(value_of(content.get("title")))) is not None}


def _gone(notes: Sequence[Note], submissions: dict[str, Note]) -> frozenset[str]:
    """Where the submission itself is in the file it says how it stands; else a withdrawal among the replies does."""
    gone = {key for key, note in submissions.items() if _is_gone(note)}
    leaving: dict[str, float] = {}
    for note in notes:
        if words_of(note.kind) in _GOING and not note.deleted and key_of(note) not in submissions:
            leaving[key_of(note)] = note.changed or 0.0
    for note in notes:
        if "reversion" in words_of(note.kind) and (note.changed or 0.0) >= leaving.get(key_of(note), 0.0):
            leaving.pop(key_of(note), None)
    return frozenset(gone | leaving.keys())


def _is_gone(submission: Note) -> bool:
    venueid = value_of((submission.content or {}).get("venueid"))
    if submission.deleted:
        return True
    if isinstance(venueid, str) and venueid:  # API v2: a withdrawal that was taken back stays in the invitations
        return _names_gone([venueid.rpartition("/")[2]])
    return _names_gone(take_apart(name)[0] for name in submission.invitations)


def _names_gone(names: Iterable[str]) -> bool:
    return any(gone <= words_of(name) for name in names for gone in _GONE)
