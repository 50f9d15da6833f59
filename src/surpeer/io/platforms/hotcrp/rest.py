"""HotCRP's REST interface: api/reviews and api/review, one object for each review, with fields under their keywords."""

from collections.abc import Iterator
from typing import Any

from surpeer.errors import Problem, counted, quoted
from surpeer.io.platforms.json_cells import cell, moment
from surpeer.io.platforms.plain_text import plain_name
from surpeer.io.platforms.refusals import MOST_FIELDS, too_many_fields
from surpeer.io.review_form.export import Export, Field

REST = "reviews (JSON)"

COMPLETE = "complete"
NOT_STARTED = ("empty", "acknowledged")
META_REVIEW = 5


def is_reviews(document: Any) -> bool:
    """Whether this is an answer of the REST interface, or several in a list; looks at the first review only."""
    first = next((record for record in _records(document) if isinstance(record, dict)), None)
    return first is not None and first.get("object") == "review" and "pid" in first


def _records(document: Any) -> Iterator[Any]:
    """The review objects: of {"reviews": [...]}, of {"review": {...}}, or bare; also of lists of these."""
    for part in document if isinstance(document, list) else [document]:
        if isinstance(part, dict) and isinstance(part.get("reviews"), list):
            yield from part["reviews"]
        elif isinstance(part, dict) and isinstance(part.get("review"), dict):
            yield part["review"]
        elif not (isinstance(part, dict) and part.get("ok") is True and "pid" not in part):
            yield part  # an answer without reviews has nothing for us


def refusal(document: Any) -> str | None:
    """What HotCRP says where it gave an error instead of reviews."""
    if not isinstance(document, dict) or document.get("ok") is not False:
        return None
    messages = document.get("message_list")
    texts = (
        [entry.get("message") for entry in messages if isinstance(entry, dict)] if isinstance(messages, list) else []
    )
    said = next((text for text in texts if isinstance(text, str)), "")
    said = said.partition(">")[2] if said[:1] == "<" and said[1:2].isdigit() else said  # <0> and <5> are text formats
    return plain_name(said) or "no reason given"


def read_reviews(document: Any, source: str) -> Export:
    """One review for each object; fields are named by their keywords."""
    records: list[dict[str, Any]] = []
    place: list[int] = []
    problems: list[Problem] = []
    left_out = {"meta-reviews": 0, "not started": 0}
    for number, record in enumerate(_records(document), start=1):
        problem = _problem(number, record)
        if problem is not None:
            problems.append(problem)
        elif record.get("rtype") == META_REVIEW:
            left_out["meta-reviews"] += 1
        elif record.get("status") in NOT_STARTED and not any(map(_is_answer, record.items())):
            left_out["not started"] += 1
        else:
            records.append(record)
            place.append(number)
    submitted = [moment(record.get("modified_at")) for record in records]
    rounds = [cell(record.get("round")) for record in records]
    return Export(
        kind=REST,
        paper=[str(record["pid"]) for record in records],
        fields=tuple(_fields(records, source)),
        place=place,
        reviewer=[_reviewer(record) for record in records],
        name=[_name(record) for record in records],
        round=rounds if any(rounds) else None,
        submitted=submitted if any(time is not None for time in submitted) else None,
        draft=[_is_draft(record) for record in records],
        choices_from_one=True,
        notes=tuple(f"{counted(times, 'record')} left out: {why}" for why, times in left_out.items() if times),
        problems=tuple(problems),
    )


def _problem(number: int, record: Any) -> Problem | None:
    remedy = "export the file again, and do not edit it"
    if not isinstance(record, dict):
        return Problem(number, None, quoted(cell(record) or "nothing"), "an object for each review", remedy)
    pid = record.get("pid")
    if isinstance(pid, bool) or not isinstance(pid, int | str) or not (str(pid).isascii() and str(pid).isdigit()):
        found = quoted(cell(pid) or "") if "pid" in record else "no pid"
        return Problem(number, "pid", found, "the number of a paper", remedy)
    if record.get("object", "review") != "review":
        return Problem(number, "object", quoted(cell(record["object"]) or ""), '"review"', "ask for api/reviews")
    bad = next((key for key, answer in record.items() if _is_field(key) and isinstance(answer, dict)), None)
    return None if bad is None else Problem(number, plain_name(bad), "an object", "an answer", remedy)


def _is_field(key: str) -> bool:
    """HotCRP's own keys begin with a small letter, keywords never do."""
    return not ("a" <= key[:1] <= "z") and key != ""


def _is_answer(item: tuple[str, Any]) -> bool:
    return _is_field(item[0]) and item[1] not in (None, False, "")


def _is_draft(record: dict[str, Any]) -> bool:
    return record.get("draft") is True or record.get("status", COMPLETE) != COMPLETE


def _reviewer(record: dict[str, Any]) -> str | None:
    """Their address; else their name, which is HTML here."""
    return cell(record.get("reviewer_email")) or plain_name(cell(record.get("reviewer")) or "") or None


def _name(record: dict[str, Any]) -> str:
    ordinal = cell(record.get("ordinal"))
    return f"{record['pid']}{ordinal}" if ordinal else f"{record['pid']}r{cell(record.get('rid')) or ''}"


def _fields(records: list[dict[str, Any]], source: str) -> Iterator[Field]:
    keys = dict.fromkeys(key for record in records for key in record if _is_field(key))
    if len(keys) > MOST_FIELDS:
        raise too_many_fields(source, len(keys), "field")
    for key in keys:
        answers = [record.get(key) for record in records]
        # False is the "no" of a checkbox, but of a score it says that the reviewer chose "no entry".
        is_score = any(answer is not None and not isinstance(answer, bool) for answer in answers)
        cells = [None if answer is False and is_score else cell(answer) for answer in answers]
        yield Field(plain_name(key) or key, cells)
