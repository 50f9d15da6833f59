"""OpenReview: notes of API v2 and v1 -> Export.

A chair gets them with openreview-py, as reviews or as submissions with their replies:

    notes = client.get_all_notes(invitation="<venue>/-/Submission", details="directReplies")

or surpeer.io.platforms.openreview.live gets them. Any JSON that holds the notes will do.
"""

from collections import Counter
from collections.abc import Sequence
from itertools import islice

from surpeer.errors import Problem, ReviewProblems, counted, quoted
from surpeer.io.content import Content
from surpeer.io.platforms.fields import make_field
from surpeer.io.platforms.json_cells import cell
from surpeer.io.platforms.openreview.form import read_form, spellings
from surpeer.io.platforms.openreview.kinds import is_reply, left_out, names_from_group, review_kinds, reviewer_of
from surpeer.io.platforms.openreview.notes import Note, looks_like_note, read_notes, records_of, replies_of, value_of
from surpeer.io.platforms.openreview.papers import Papers, find_papers, key_of
from surpeer.io.platforms.plain_text import plain_name
from surpeer.io.platforms.refusals import MOST_FIELDS, no_export, too_many_fields
from surpeer.io.review_form.export import Export, Field, Platform
from surpeer.io.review_form.form import Form

LOOKED_AT = 20
CONSOLE = ("min rating", "max rating", "average rating")
EXPECTED = "notes of OpenReview's API, with the invitation and the content of each"
HOW_TO = "get them with client.get_all_notes(invitation='<venue>/-/Submission', details='directReplies')"


def recognise(content: Content) -> str | None:
    """Which JSON of the API this is, from its first notes; also some files of OpenReview's that hold no reviews."""
    document = content.json
    first = list(islice(records_of(document), LOOKED_AT))
    notes = [record for record in first if looks_like_note(record)]
    if any(replies_of(note) for note in notes):
        return "submissions with replies (JSON)"
    if notes:
        return "notes of API v2 (JSON)" if any("invitations" in note for note in notes) else "notes of API v1 (JSON)"
    if _is_console(content):
        return "paper status (CSV of the console)"
    return None if document is None or _no_notes(content) is None else "other JSON of the API"


def _is_console(content: Content) -> bool:
    names = {name.strip().casefold() for sheet in content.sheets[:1] for name in sheet.header}
    return names.issuperset(CONSOLE)


def read(content: Content, form: Form | None) -> Export:
    """The reviews among the notes; submissions, comments, decisions and the like are known by their invitations."""
    problem = _no_notes(content)
    records = records_of(content.json)
    if problem is not None:
        raise ReviewProblems(content.source, [problem])
    if not any(looks_like_note(record) or replies_of(record) for record in records):
        raise no_export(content, EXPECTED, HOW_TO)
    found, problems = read_notes(records)
    notes, remarks = _once(found)
    named, rating = names_from_group(content.json.get("group") if isinstance(content.json, dict) else None)
    kinds = review_kinds(notes, named, content.source)
    chosen = [note for note in notes if note.kind in kinds and is_reply(note) and not note.deleted]
    others = Counter(note.kind for note in notes if not note.is_submission and not note.deleted)
    others -= Counter(note.kind for note in chosen)
    deleted = sum(note.deleted and not note.is_submission for note in notes)
    remarks += [f"{counted(deleted, 'deleted note')} left out"] if deleted else []
    usable = [note for note in chosen if note.content is not None and key_of(note)]
    problems += [problem for note in chosen for problem in _problems(note)]
    if not usable:
        raise ReviewProblems(content.source, problems or [_only_deleted()])
    papers = find_papers(notes, usable)
    return _export(content, form, usable, papers, [*remarks, *left_out(others), *papers.notes], problems, rating)


def _export(
    content: Content,
    form: Form | None,
    reviews: Sequence[Note],
    papers: Papers,
    remarks: Sequence[str],
    problems: Sequence[Problem],
    rating: str | None,
) -> Export:
    fields = _fields(content, form, reviews)
    keys = [key_of(note) for note in reviews]
    venues = {note.venue for note in reviews}
    fixed = next((field.name for field in fields if rating and rating in (field.name, *field.keywords)), None)
    return Export(
        kind=recognise(content) or "notes (JSON)",
        paper=[papers.ids[key] for key in keys],
        fields=fields,
        place=[note.place for note in reviews],
        reviewer=[reviewer_of(note, note.venue if len(venues) == 1 else "") for note in reviews],
        name=[note.id or f"note {note.place}" for note in reviews],
        round=_rounds(reviews, len(venues) > 1),
        submitted=[note.changed for note in reviews],
        withdrawn=[key in papers.gone for key in keys],
        track=[papers.tracks.get(key) for key in keys] if papers.tracks else None,
        title=[papers.titles.get(key) for key in keys] if papers.titles else None,
        rating=fixed,
        notes=tuple(remarks),
        problems=tuple(sorted(problems, key=lambda problem: problem.row or 0)),
    )


def _once(notes: Sequence[Note]) -> tuple[list[Note], list[str]]:
    """Each note once, as it was last changed: a file may hold a review by itself and among the replies."""
    last: dict[str, Note] = {}
    for note in notes:
        key = note.id or f"#{note.place}"
        if key not in last or (note.changed or 0.0) > (last[key].changed or 0.0):
            last[key] = note
    twice = len(notes) - len(last)
    said = f"{counted(twice, 'note')} left out because the same note is there twice"
    return sorted(last.values(), key=lambda note: note.place), [said] if twice else []


def _fields(content: Content, form: Form | None, reviews: Sequence[Note]) -> tuple[Field, ...]:
    """Every field that some review has, in the order in which they appear."""
    cells: dict[str, list[str | None]] = {}
    for at, note in enumerate(reviews):
        for key, answer in (note.content or {}).items():
            if key not in cells:
                if len(cells) >= MOST_FIELDS:
                    raise too_many_fields(content.source, len(cells) + 1, "field")
                cells[key] = [None] * len(reviews)
            cells[key][at] = cell(value_of(answer))
    return tuple(_field(key, column, form) for key, column in cells.items())


def _field(key: str, cells: list[str | None], form: Form | None) -> Field:
    name = plain_name(key) or quoted(key)
    shown, *others = spellings(name)
    return make_field(shown, cells, form, others)


def _rounds(reviews: Sequence[Note], several_venues: bool) -> list[str | None] | None:
    """Reviews of several kinds, or of several venues, are rounds by the names of these."""
    several_kinds = len({note.kind for note in reviews}) > 1
    if not several_kinds and not several_venues:
        return None
    parts = [(note.venue if several_venues else "", note.kind if several_kinds else "") for note in reviews]
    return [" ".join(filter(None, pair)) or None for pair in parts]


def _problems(note: Note) -> list[Problem]:
    found = []
    if note.content is None:
        found.append(Problem(note.place, "content", "no answers", "the content of the review", "export it again"))
    if not key_of(note):
        found.append(Problem(note.place, "forum", "nothing", "the submission that is reviewed", "export it again"))
    return found


def _only_deleted() -> Problem:
    return Problem(None, None, "deleted reviews only", "at least one review", "export the notes without trash=True")


def _no_notes(content: Content) -> Problem | None:
    """What else OpenReview gives out, and what to get instead; None if this is no such thing."""
    document = content.json
    if _is_console(content):
        found = "the paper status of the console, which has averages and no single reviews"
        return Problem(None, None, found, "reviews", HOW_TO)
    if not isinstance(document, dict) or isinstance(document.get("notes"), list):
        return None
    for key in ("edits", "references"):
        if isinstance(document.get(key), list):
            return Problem(None, key, "the history of notes", "the notes as they are now", HOW_TO)
    if isinstance(document.get("message"), str) and str(document.get("name")).endswith("Error"):
        found = f"an error that OpenReview gave instead of notes: {quoted(document['message'])}"
        return Problem(None, None, found, "notes", "log in as a program chair and export them again")
    if read_form(document) is not None:
        return Problem(None, None, "a review form", "reviews", "give the file of reviews, and this one with --form")
    return None


PLATFORM = Platform(
    "openreview",
    "OpenReview",
    recognise,
    read,
    "JSON of notes of the API v2 or v1, with or without replies; or openreview:VENUE, straight from the site",
)
