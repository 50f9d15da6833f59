"""Rankings and decisions -> the file that HotCRP takes under Assignments > Bulk update, as tags that only chairs see.

HotCRP reads the file from top to bottom and applies it as one, or not at all: the first rows take away what an earlier
file left. It keeps values as single precision floats, and would take 1e-5 for a formula.
"""

from collections import Counter
from collections.abc import Iterator
from math import isfinite
from typing import Any, BinaryIO

import polars as pl

from surpeer.errors import InputError, counted, listed, quoted
from surpeer.io.results import Results

SCORE, RANK, DISCUSS = "~~surpeer", "~~surpeer_rank", "~~surpeer_discuss"

DECIMALS = 4
LARGEST = 2_147_483_646
LISTED = 5

DISCUSSED_FLAGS = ("incoherent_forecasts", "ranked_by_mean")


def write_tags(results: Results, stream: BinaryIO) -> None:
    """The score and rank of every paper, and which to discuss: by the proposal, or those without a score to trust."""
    table = results.table
    papers = table["paper"].cast(pl.String).to_list()
    _check_ids(papers)
    _check_twins(papers)
    lines = ["paper,action,tag", *(f"all,cleartag,{tag}" for tag in (SCORE, RANK, DISCUSS))]
    for paper, row in zip(papers, table.iter_rows(named=True), strict=True):
        lines += [f"{int(paper)},tag,{tag}" for tag in _tags(row)]
    stream.write(("\n".join(lines) + "\n").encode())


def _check_ids(papers: list[str | None]) -> None:
    """HotCRP takes all rows or none, so a single paper that it cannot have would spoil the file."""
    strange = [paper for paper in papers if not _is_number(paper)]
    if strange:
        shown = listed(map(quoted, strange), LISTED)
        raise InputError(
            f"{counted(len(strange), 'paper')} with an id that is no number of HotCRP ({shown}), expected numbers "
            "from 1; tags can be written for reviews that come from HotCRP"
        )


def _check_twins(papers: list[str]) -> None:
    """Two ids that are one number would be one paper, with the tags of both."""
    times = Counter(map(int, papers))
    twins = [paper for paper in papers if times[int(paper)] > 1]
    if twins:
        raise InputError(
            f"found papers that are the same number: {listed(map(quoted, twins), LISTED)}, expected one id each"
        )


def _is_number(paper: str | None) -> bool:
    return paper is not None and paper.isascii() and paper.isdigit() and len(paper) <= 10 and int(paper) > 0


def _tags(row: dict[str, Any]) -> Iterator[str]:
    score = row["score"]
    if score is not None and isfinite(score) and abs(score) <= LARGEST:
        yield f"{SCORE}#{_decimal(score)}"
    yield f"{RANK}#{row['rank']}"
    if _is_to_discuss(row):
        yield DISCUSS


def _is_to_discuss(row: dict[str, Any]) -> bool:
    if "proposal" in row:
        return bool(row["proposal"] == "discuss")
    return row["score"] is None or any(flag in DISCUSSED_FLAGS for flag in row["flags"])


def _decimal(value: float) -> str:
    """The number in plain digits, without zeros at its end."""
    text = f"{value:.{DECIMALS}f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text
