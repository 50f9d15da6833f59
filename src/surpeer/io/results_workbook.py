"""Rankings and decisions -> a workbook for people (.xlsx). Needs xlsxwriter (the extra `excel`).

Texts are written as texts, so that no spreadsheet program takes one for a formula or a link; numbers are numbers. The
same results give the same bytes.
"""

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from importlib import metadata
from typing import Any, BinaryIO

from surpeer.core.status import Status
from surpeer.decisions import Decisions, ranking_of
from surpeer.errors import InputError, counted
from surpeer.io.extras import needs_extra
from surpeer.io.results_sentences import sentences_of
from surpeer.ranking import FLAGS, Ranking
from surpeer.scores import find_method

Workbook = Any  # these are xlsxwriter's, which has no types
Worksheet = Any
Format = Any

MOST_PAPERS = 1_048_575  # rows of a sheet, less the header
LONGEST_TEXT = 32_767  # characters of a cell
LARGEST_NUMBER = 10**15  # a cell keeps fifteen digits; longer ids are texts
A_DATE = datetime(2000, 1, 1)  # of creation: the same results give the same file
NUMBERS = (int, float)
SEPARATOR = ", "
LINE_HEIGHT = 15  # points
HEADER_HEIGHT = 2 * LINE_HEIGHT + 2


@dataclass(frozen=True, slots=True)
class Column:
    """How a column of results is shown."""

    heading: str
    width: int
    number_format: str
    meaning: str


COLUMNS: dict[str, Column] = {
    "rank": Column("rank", 7, "0", "place among all papers, 1 is the best; papers that tie share the lowest"),
    "paper": Column("paper", 14, "0", "id of the paper"),
    "title": Column("title", 44, "", "title of the paper, as the reviews have it"),
    "track": Column("track", 14, "0", "part of the venue that the paper belongs to"),
    "reviews": Column("reviews", 9, "0", "how many reviews have a rating"),
    "mean": Column("mean rating", 10, "0.00", "the average of its ratings, what most venues rank by"),
    "score": Column("score", 10, "0.000", "what papers are ranked by; the sheet Explanations says why"),
    "standard_error": Column("standard error", 10, "0.000", "how far the true quality may well be from the score"),
    "own_share": Column("own share", 10, "0%", "how much of its expected rating its own predictions say"),
    "p_accept": Column("P(accept)", 10, "0.0%", "probability that it is truly one of those to accept"),
    "p_better_than_cut": Column(
        "P(better than cut)",
        12,
        "0.0%",
        "probability that it is better than the first paper on the other side of the cut",
    ),
    "proposal": Column("proposal", 10, "", "accept, discuss or reject"),
    "reason": Column("reason", 21, "", "likely or undecided: certain enough or not; else a flag"),
    "status": Column("status", 15, "", "whether the score is a number, and if not, why"),
    "flags": Column("flags", 22, "", "what to know about the paper, in short; explained below"),
}


def write_workbook(results: Ranking | Decisions, stream: BinaryIO) -> None:
    """A sheet of papers, a sheet that explains the place of each, and one on how to read them."""
    with needs_extra("xlsxwriter", "a workbook needs xlsxwriter", "excel", "write CSV"):
        import xlsxwriter
    if len(results.table) > MOST_PAPERS:
        raise InputError(
            f"found {counted(len(results.table), 'paper')}, a sheet holds {MOST_PAPERS:,}; write CSV instead"
        )
    options = {
        "in_memory": True,
        "strings_to_formulas": False,
        "strings_to_urls": False,
        "strings_to_numbers": False,
    }
    with xlsxwriter.Workbook(stream, options) as book:
        book.set_properties({"title": "surpeer", "created": A_DATE})
        header = book.add_format({"bold": True, "bottom": 1, "text_wrap": True, "valign": "top"})
        _write_papers(book, book.add_worksheet("Papers"), header, results)
        _write_explanations(book, book.add_worksheet("Explanations"), header, results)
        _write_about(book, book.add_worksheet("About"), results)


def _write_papers(book: Workbook, sheet: Worksheet, header: Format, results: Ranking | Decisions) -> None:
    table = results.table_with_joined_flags(SEPARATOR)
    for at, name in enumerate(table.columns):
        column = COLUMNS[name]
        shown = book.add_format({"num_format": column.number_format} if column.number_format else {"indent": 1})
        sheet.set_column(at, at, column.width, shown)
        sheet.write_string(0, at, column.heading, header)
        _write_cells(sheet, at, table[name].to_list())
    at = table.width
    sheet.set_column(at, at, 40)
    sheet.write_string(0, at, "what the flags mean", header)
    _write_cells(sheet, at, _meanings(results))
    _finish(sheet, len(table), at)


def _finish(sheet: Worksheet, rows: int, last_column: int) -> None:
    """The header and the ids stay in sight, can be filtered by, and are on every printed page, all columns on one."""
    sheet.set_row(0, HEADER_HEIGHT)
    sheet.freeze_panes(1, 2)
    sheet.autofilter(0, 0, rows, last_column)
    sheet.repeat_rows(0)
    sheet.set_landscape()
    sheet.fit_to_pages(1, 0)


def _height(text: str, width: int) -> int:
    """Points for a text in a column of so many characters. Not every program finds out by itself."""
    return LINE_HEIGHT * max(1, math.ceil(len(text) / (1.05 * width)))


def _write_cells(sheet: Worksheet, column: int, cells: Iterable[object]) -> None:
    for row, cell in enumerate(cells, start=1):
        if isinstance(cell, NUMBERS) and math.isfinite(cell) and abs(cell) < LARGEST_NUMBER:
            sheet.write_number(row, column, cell)
        elif cell is not None and cell != "":
            sheet.write_string(row, column, str(cell)[:LONGEST_TEXT])


def _meanings(results: Ranking | Decisions) -> list[str]:
    """The flags of each paper in words."""
    known: dict[tuple[str, ...], str] = {}
    sets = [tuple(flags) for flags in results.table["flags"].to_list()]
    for flags in set(sets):
        known[flags] = "; ".join(FLAGS[flag] for flag in flags)
    return [known[flags] for flags in sets]


def _write_explanations(book: Workbook, sheet: Worksheet, header: Format, results: Ranking | Decisions) -> None:
    wrapped = book.add_format({"text_wrap": True, "valign": "top", "indent": 1})
    top = book.add_format({"valign": "top", "align": "left"})
    columns: dict[str, tuple[int, Sequence[object]]] = {
        "rank": (7, results.table["rank"].to_list()),
        "paper": (14, results.table["paper"].to_list()),
        **_titles(results),
        "why it stands there": (110, sentences_of(results)),
    }
    for at, (heading, (width, cells)) in enumerate(columns.items()):
        sheet.set_column(at, at, width, wrapped if at == len(columns) - 1 else top)
        sheet.write_string(0, at, heading, header)
        _write_cells(sheet, at, cells)
    for row, sentence in enumerate(columns["why it stands there"][1], start=1):
        sheet.set_row(row, _height(str(sentence), columns["why it stands there"][0]))
    _finish(sheet, len(results.table), len(columns) - 1)


def _titles(results: Ranking | Decisions) -> dict[str, tuple[int, Sequence[object]]]:
    """The column of titles on the sheet of explanations, if papers have titles."""
    return (
        {"title": (COLUMNS["title"].width, results.table["title"].to_list())}
        if "title" in results.table.columns
        else {}
    )


def _write_about(book: Workbook, sheet: Worksheet, results: Ranking | Decisions) -> None:
    bold = book.add_format({"bold": True, "valign": "top"})
    wrapped = book.add_format({"text_wrap": True, "valign": "top"})
    sheet.set_column(0, 0, 24, bold)
    sheet.set_column(1, 1, 100, wrapped)
    for row, (name, text) in enumerate(about(results)):
        sheet.write_string(row, 0, name)
        sheet.write_string(row, 1, text[:LONGEST_TEXT])
        sheet.set_row(row, _height(text, 100))


def about(results: Ranking | Decisions) -> Iterator[tuple[str, str]]:
    """What there is to know about the whole, in rows of two cells."""
    ranking = ranking_of(results)
    scores = ranking.scores
    method, scale = find_method(scores.method), scores.matrices.scale
    yield "made by", f"surpeer {metadata.version('surpeer')}"
    yield "papers", f"{len(ranking):,} with {counted(int(scores.reviews.sum()), 'review')}"
    yield "method", f"{method.name}: {method.title}"
    yield "levels, lowest first", SEPARATOR.join(scale.labels)
    yield "what levels count", SEPARATOR.join(f"{value:g}" for value in scale.values)
    if isinstance(results, Decisions):
        certain = f"accept and reject are proposed where they are {100 * results.certainty:.6g}% certain"
        yield "places", f"{results.places:,} papers can be accepted; {certain}"
    for track, _, fit in scores.outcome.tracks:
        followed = (
            f"followed with weight {fit.trust.weight:.2f} (1 is in full)"
            if fit.trust.follows
            else "not followed: papers are ranked by their ratings alone"
        )
        yield f"predictions{'' if track is None else f' of track {track}'}", followed
    yield "", ""
    for name in results.table.columns:
        yield COLUMNS[name].heading, COLUMNS[name].meaning
    yield "", ""
    yield from FLAGS.items()
    if "status" in results.table.columns:
        yield "", ""
        yield from ((status.label, status.meaning) for status in Status)
