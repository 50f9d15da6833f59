"""Which of OpenReview's notes are reviews. Venues name their stages themselves: `Official_Review`, `PC_Review`."""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Any

from surpeer.errors import Problem, ReviewProblems, counted, listed
from surpeer.io.platforms.openreview.notes import Note, value_of

_WORDS = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])")
_REVIEW = ("review", "reviews")

# Words in the names of notes that are about a review, or not written by a reviewer.
_BY_OTHERS = {"author", "authors", "chair", "chairs", "comment", "comments", "decision", "desk", "editor", "meta"}
_BY_OTHERS |= {"metareview", "response", "senior"}
_ABOUT_REVIEWS = {"acknowledgement", "acknowledgment", "approval", "feedback", "flag", "rating", "rebuttal", "revision"}
_BEFORE_REVIEWS = {"agreement", "assignment", "invite", "recruitment", "registration", "release", "request", "solicit"}
_OF_THE_PAPER = {"camera", "chat", "check", "checklist", "ethical", "ethics", "reversion", "withdrawal", "withdrawn"}
_OTHER = _BY_OTHERS | _ABOUT_REVIEWS | _BEFORE_REVIEWS | _OF_THE_PAPER

_GROUPS = ("Program_Chairs", "Senior_Area_Chairs", "Area_Chairs", "Reviewers", "Editors_In_Chief", "Action_Editors")


def review_kinds(notes: Sequence[Note], named: Iterable[str], source: str) -> tuple[str, ...]:
    """The names of the invitations whose notes are reviews.

    named : what the venue itself says that its reviews are called, if that is known
    """
    replies = [note for note in notes if is_reply(note)]
    kinds = Counter(note.kind for note in replies)
    found = [kind for kind in kinds if kind in set(named)] or [kind for kind in kinds if _is_review(kind)]
    if found:
        return tuple(sorted(found))
    signed = Counter(note.kind for note in replies if _by_reviewer(note) and not _OTHER & words_of(note.kind))
    if len(signed) == 1:
        return tuple(signed)
    raise ReviewProblems(source, [_no_reviews(notes, kinds, tuple(signed))])


def is_reply(note: Note) -> bool:
    """Whether the note is a direct reply to a submission, and not by its authors."""
    direct = note.replyto == note.forum if note.replyto and note.forum else bool(note.replyto or note.paper)
    return bool(note.kind) and direct and not note.signature.endswith("/Authors")


def _is_review(kind: str) -> bool:
    words = words_of(kind)
    return not words.isdisjoint(_REVIEW) and words.isdisjoint(_OTHER)


@lru_cache(maxsize=1_000)
def words_of(kind: str) -> frozenset[str]:
    """The words of an invitation's name: `Meta_Review`, `MetaReview` -> meta, review."""
    return frozenset(word.casefold() for word in _WORDS.findall(kind))


def _by_reviewer(note: Note) -> bool:
    return "review" in note.signature.rpartition("/")[2].casefold() or note.signature.startswith("~")


def reviewer_of(note: Note, venue: str) -> str | None:
    """Who wrote a review: the signature without the venue; None where a group signed for somebody."""
    signature = note.signature
    if not signature or signature == note.venue or signature.rpartition("/")[2] in _GROUPS:
        return None
    return signature.removeprefix(venue + "/") if venue else signature


def left_out(kinds: Counter[str]) -> list[str]:
    """A note on what is no review."""
    if not kinds:
        return []
    said = "note that is no review" if kinds.total() == 1 else "notes that are no reviews"
    return [f"{kinds.total():,} {said} left out ({_listed(kinds)})"]


def _listed(kinds: Counter[str]) -> str:
    often = sorted(kinds.items(), key=lambda pair: (-pair[1], pair[0]))
    return listed((f"{number:,} {kind or 'without an invitation'}" for kind, number in often), 5)


def _no_reviews(notes: Sequence[Note], kinds: Counter[str], candidates: tuple[str, ...]) -> Problem:
    if candidates:
        found = f"notes by reviewers of several kinds, none called a review: {', '.join(sorted(candidates))}"
        return Problem(None, None, found, "reviews of one kind", "leave the others out of the file")
    if kinds:
        return Problem(None, None, f"no reviews among {_listed(kinds)}", "notes such as Official_Review", _REMEDY)
    submissions = sum(note.is_submission for note in notes)
    if submissions:
        found = f"{counted(submissions, 'submission')} without replies"
        return Problem(None, None, found, "submissions with their reviews", _REMEDY)
    return Problem(None, None, _other_notes(notes), "reviews", _REMEDY)


def _other_notes(notes: Sequence[Note]) -> str:
    if not notes:
        return "no notes"
    if not any(note.kind for note in notes):
        return f"{counted(len(notes), 'note')} without invitations, which say what a note is"
    return f"no reviews among {_listed(Counter(note.kind for note in notes))}"


_REMEDY = "get them with client.get_all_notes(invitation='<venue>/-/Submission', details='directReplies')"


def names_from_group(group: Any) -> tuple[list[str], str | None]:
    """What the group of a venue says: how its reviews are called, and which field of them is the rating."""
    content = group.get("content") if isinstance(group, dict) else None
    if not isinstance(content, dict):
        return [], None
    given = [value_of(content.get(key)) for key in ("review_name", "review_names")]
    names = [name for entry in given for name in (entry if isinstance(entry, list) else [entry])]
    rating = value_of(content.get("review_rating"))
    if isinstance(rating, list) and len(rating) == 1:
        rating = rating[0]
    return [name for name in names if isinstance(name, str)], rating if isinstance(rating, str) else None
