"""Rows that are kept do not keep the texts of others in memory."""

import subprocess
import sys

import polars as pl
import pytest
from peak_memory import told
from polars.testing import assert_frame_equal

from surpeer.engines.duckdb_engine import _ids_apart
from surpeer.engines.texts_apart import PER_TEXT, size_in_memory, with_texts_apart

ROWS = pl.DataFrame({"paper": ["a", "ein längerer Text als zwölf", None, ""], "score": [1.0, None, 2.0, 3.0]})


def test_rows_stay_as_they_are() -> None:
    assert_frame_equal(with_texts_apart(ROWS), ROWS)
    numbers = ROWS.select("score")
    assert_frame_equal(with_texts_apart(numbers), numbers)
    assert_frame_equal(with_texts_apart(ROWS.clear()), ROWS.clear())


def test_texts_take_more_than_their_letters() -> None:
    assert size_in_memory(ROWS) == ROWS.estimated_size() + 4 * PER_TEXT
    assert size_in_memory(ROWS.select("score")) == ROWS.select("score").estimated_size()


KEEPING = """
from pathlib import Path
import polars as pl
from surpeer.engines.duckdb_engine import _ids_apart
from surpeer.engines.texts_apart import with_texts_apart

kept = []
for number in range(30):
    some = pl.select(paper=pl.int_range(100_000)).select(pl.format("{{}} " + "x" * 200, "paper").alias("paper"))
    kept.append({keep}(some.gather_every(1000)))
print(Path("/proc/self/status").read_text().split("VmRSS:")[1].split()[0])
"""


@told
@pytest.mark.parametrize(("keep", "much"), [("with_texts_apart", False), ("", True)])
def test_what_is_kept_is_little(keep: str, much: bool) -> None:
    """Of 600 MB of texts a thousandth; all of them without it, which is why it is there."""
    done = subprocess.run([sys.executable, "-c", KEEPING.format(keep=keep)], capture_output=True, text=True, check=True)
    assert (int(done.stdout) * 1024 > 500_000_000) is much


@pytest.mark.parametrize("ids", [list(range(1000)), [f"a paper with a long id {at}" for at in range(1000)]])
def test_ids_of_sums_that_duckdb_hands_over_are_kept_without_them(ids: list[object]) -> None:
    """All columns of what it hands over are one piece of memory: 2,264 of 900 MB were taken."""
    sums = pl.DataFrame({"paper": ids, "n0": range(1000)})
    apart = _ids_apart(sums)
    assert_frame_equal(apart, sums)
    assert _addresses(apart["paper"]).isdisjoint(_addresses(sums["paper"]))


def _addresses(column: pl.Series) -> set[int]:
    """Of the memory that a column is in."""
    return {buffer.address for buffer in column.to_arrow(compat_level=pl.CompatLevel.newest()).buffers() if buffer}
