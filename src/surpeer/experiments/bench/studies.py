"""Real votes and forecasts with known truth: which files, what they must have, and how they are read.

The three studies are of D. Prelec, H. S. Seung and J. McCoy, Nature 541, 2017. The data is the authors' and not part
of surpeer. Each row is one person's answer on one item.
"""

from dataclasses import dataclass
from pathlib import Path

import numpy as np
import polars as pl

from surpeer.core.shapes import BoolArray, FloatArray, IntArray
from surpeer.errors import InputError, counted, quoted

VOTE, FORECAST, TRUTH = "own", "meta", "actual"

FILES = {"study1a.csv": "state", "study2.csv": "qname", "study4b.csv": "title"}
"""The column that names the item, by file."""

EXPECTED = {
    VOTE: "0 or 1",
    FORECAST: "a share from 0 to 1, or nothing",
    TRUTH: "0 or 1",
}


@dataclass(frozen=True)
class Study:
    """Answers of many people, sorted by item."""

    name: str
    item: IntArray
    """(n,) from 0 to the number of items."""
    vote: IntArray
    """(n,) 0 or 1."""
    forecast: FloatArray
    """(n,) predicted share of people who answer 1; NaN where there is none."""
    truth: BoolArray
    """(items,)"""


def read_studies(folder: Path) -> list[Study]:
    """All files of FILES, from one folder."""
    if not folder.is_dir():
        found = "found a file" if folder.exists() else "no such folder"
        raise InputError(f"{folder}: {found}, expected a folder with {', '.join(FILES)}")
    missing = [name for name in FILES if not (folder / name).is_file()]
    if missing:
        raise InputError(f"{folder}: no {missing[0]} in it, expected the files {', '.join(FILES)}")
    return [read_study(folder / name, item) for name, item in FILES.items()]


def read_study(path: Path, item: str) -> Study:
    """One file; `item` is the column that names the item."""
    table = _text_table(path)
    lacking = [name for name in (item, *EXPECTED) if name not in table.columns]
    if lacking:
        raise InputError(f"{path}: no column {quoted(lacking[0])}, expected {', '.join((item, *EXPECTED))}")
    names = table[item].str.strip_chars()
    _refuse(path, item, table[item], (names.fill_null("") == ""), "the name of an item")
    numbers = {name: table[name].str.strip_chars().cast(pl.Float64, strict=False) for name in EXPECTED}
    for name in (VOTE, TRUTH):
        _refuse(path, name, table[name], ~numbers[name].is_in([0.0, 1.0]).fill_null(False), EXPECTED[name])
    given = table[FORECAST].str.strip_chars().fill_null("") != ""
    share = numbers[FORECAST].is_between(0, 1).fill_null(False)
    _refuse(path, FORECAST, table[FORECAST], given & ~share, EXPECTED[FORECAST])
    rows = pl.DataFrame({"item": names, **numbers}).sort("item", maintain_order=True)
    return _study(path, rows)


def _study(path: Path, rows: pl.DataFrame) -> Study:
    truths = rows.group_by("item", maintain_order=True).agg(pl.col(TRUTH).first(), pl.col(TRUTH).n_unique().alias("n"))
    contradicted = truths.filter(pl.col("n") > 1)["item"]
    if len(contradicted):
        raise InputError(
            f"{path}: item {quoted(contradicted[0])} has both 0 and 1 in the column {TRUTH}, expected one truth"
        )
    truth = truths[TRUTH].to_numpy() == 1
    if truth.all() or not truth.any():
        only = 1 if len(truth) and truth.all() else 0
        raise InputError(
            f"{path}: found {counted(len(truth), 'item')} with the truth {only} and none with {1 - only}, expected "
            "some of both, which a method has to tell apart"
        )
    return Study(
        name=path.stem,
        item=(rows["item"].rle_id().cast(pl.Int64)).to_numpy(),
        vote=rows[VOTE].cast(pl.Int64).to_numpy(),
        forecast=rows[FORECAST].fill_null(np.nan).to_numpy(),
        truth=truth,
    )


def _text_table(path: Path) -> pl.DataFrame:
    try:
        return pl.read_csv(path, infer_schema=False)
    except (pl.exceptions.PolarsError, UnicodeDecodeError) as error:
        raise InputError(f"{path}: cannot be read as CSV: {str(error).splitlines()[0]}") from None


def _refuse(path: Path, column: str, cells: pl.Series, bad: pl.Series, expected: str) -> None:
    """Say which row, as a spreadsheet counts them, has the first cell that cannot be used."""
    if bad.any():
        row = int(bad.arg_max() or 0)
        found = "an empty cell" if cells[row] is None or not cells[row].strip() else quoted(cells[row])
        raise InputError(f"{path}: row {row + 2}, column {column}: found {found}, expected {expected}")
