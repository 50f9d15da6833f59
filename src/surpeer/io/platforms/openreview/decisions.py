"""Decisions -> what OpenReview takes: the file for "Decision CSV", and JSON with the edits that post them.

The CSV has no header: number of the paper, decision, comment. OpenReview refuses a decision that is none of the venue's
options, also an empty one, so papers that are to be discussed are left out. Authors may see comments: they stay empty.
"""

import csv
import io
import json
import re
from collections.abc import Iterator
from typing import Any, BinaryIO

import polars as pl

from surpeer.decisions import Decisions
from surpeer.errors import InputError, counted, listed, quoted
from surpeer.io.formulas import STARTS
from surpeer.io.platforms.openreview.form import venue_id
from surpeer.io.results import Results
from surpeer.proposals import Proposal

ACCEPT, REJECT = "Accept", "Reject"
_NUMBER = re.compile("[1-9][0-9]{0,11}")


def write_decisions_csv(results: Results, stream: BinaryIO, *, accept: str = ACCEPT, reject: str = REJECT) -> None:
    """The papers with a clear proposal, by their numbers; `accept` and `reject` are options of the venue."""
    rows = [(row["number"], row["decision"], "") for row in _rows(results, accept, reject) if row["decision"]]
    if not rows:
        raise InputError("all papers are to be discussed, so there is no decision to write; see --certainty")
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows(rows)
    stream.write(text.getvalue().encode())


def write_decisions_json(
    results: Results, stream: BinaryIO, *, venue: str | None = None, accept: str = ACCEPT, reject: str = REJECT
) -> None:
    """Every paper, with its decision (null if it is to be discussed) and why. Where the venue is known, also the edit
    that posts the decision: the body of POST /notes/edits.
    """
    rows = list(_rows(results, accept, reject))
    name = venue_id(venue) if venue is not None else None
    papers = [{**row, "edit": _edit(name, row["number"], row["decision"])} for row in rows]
    counts = {kind.label: sum(row["proposal"] == kind.label for row in rows) for kind in Proposal}
    head = json.dumps({"venue": name, **counts}, ensure_ascii=False)[1:-1]
    body = ",\n".join(json.dumps(paper, ensure_ascii=False, allow_nan=False) for paper in papers)
    stream.write(f'{{{head}, "papers": [\n{body}\n]}}\n'.encode())


def _rows(results: Results, accept: str, reject: str) -> Iterator[dict[str, Any]]:
    """One object for each paper, in the order of their numbers."""
    if not isinstance(results, Decisions):
        raise InputError("OpenReview takes decisions: say how many papers can be accepted, as in --accept 25%")
    words = _words(accept, reject)
    finite = pl.when(pl.col("score").is_finite()).then(pl.col("score"))
    table = results.table.with_columns(finite.alias("score"))
    numbers = _numbers(table["paper"].to_list())
    kept = ("proposal", "reason", "p_accept", "rank", "score", "standard_error", "mean", "reviews", "flags")
    by_number = sorted(zip(numbers, table.select(kept).iter_rows(named=True), strict=True), key=lambda pair: pair[0])
    for number, row in by_number:
        yield {"number": number, "decision": words.get(row["proposal"]), **row}


def _words(accept: str, reject: str) -> dict[str, str]:
    """The venue's option for each proposal that is one."""
    options = {Proposal.ACCEPT.label: accept.strip(), Proposal.REJECT.label: reject.strip()}
    for option in options.values():
        if not option or option.startswith(tuple(STARTS)) or not option.isprintable():
            raise InputError(f'found the decision {quoted(option)}, expected one of the venue\'s, such as "{ACCEPT}"')
    if len(set(options.values())) < len(options):
        raise InputError(f"found {quoted(accept.strip())} for accepted and for rejected papers, expected two decisions")
    return options


def _numbers(papers: list[object]) -> list[int]:
    """The papers as numbers of submissions, which are what OpenReview knows them by."""
    wrong = [paper for paper in papers if not _NUMBER.fullmatch(str(paper))]
    if wrong:
        verb = "is no number of a submission" if len(wrong) == 1 else "are no numbers of submissions"
        raise InputError(
            f"{counted(len(wrong), 'paper')} {verb}, which OpenReview wants: {listed(map(quoted, wrong), 5)}"
        )
    return [int(str(paper)) for paper in papers]


def _edit(venue: str | None, number: int, decision: str | None) -> dict[str, Any] | None:
    """What openreview-py's post_decisions posts for one paper."""
    if venue is None or decision is None:
        return None
    content = {"title": "Paper Decision", "decision": decision, "comment": ""}
    return {
        "invitation": f"{venue}/Submission{number}/-/Decision",
        "signatures": [f"{venue}/Program_Chairs"],
        "note": {"content": {field: {"value": value} for field, value in content.items()}},
    }
