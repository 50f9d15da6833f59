"""Damaged workbooks become sheets of text, or errors that say what is wrong; nothing else."""

import io
import struct
import zipfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager, redirect_stderr, redirect_stdout

import pytest
from at_length import examples
from hypothesis import given
from hypothesis import strategies as st
from workbook_samples import (
    XLS_CELLS,
    archive,
    biff,
    compound,
    record,
    spreadsheetml,
    xls,
    xlsx,
)

from surpeer.errors import ReviewProblems
from surpeer.io.workbook import read_workbook

SOUND: dict[str, Callable[[], bytes]] = {
    "xlsx": lambda: xlsx({"S": [[f"text {at}", at, at / 3, True] for at in range(12)]}),
    "xls": lambda: xls({"S": [[f"text {at}", at, at / 3, True] for at in range(12)]}),
    "spreadsheetml": lambda: spreadsheetml({"S": [["a", 1], [], ["b", 2]]}),
    "csv archive": lambda: archive({"review.csv": "#,a\n1,2\n", "submission.csv": "#,title\n1,x\n"}),
}  # fmt: skip


XLS_STREAM = biff(
    XLS_CELLS,
    [
        record(0x42, struct.pack("<H", 1200)),
        record(0x41E, struct.pack("<HHB", 164, 10, 0) + b"yyyy-mm-dd"),
        *[record(0xE0, struct.pack("<HH16x", 0, code)) for code in (0, 14, 164)],
        record(
            0xFC, struct.pack("<II", 2, 2) + struct.pack("<HB", 3, 0) + b"abc" + struct.pack("<HB", 1, 1) + b"\xc9\x03"
        ),
    ],
)
"""Texts, formats and cells of every kind."""


@contextmanager
def no_output() -> Iterator[None]:
    out, err = io.StringIO(), io.StringIO()
    with redirect_stdout(out), redirect_stderr(err):
        yield
    assert (out.getvalue(), err.getvalue()) == ("", "")


def is_text_or_refused(data: bytes) -> bool:
    """Whether a file is sheets of text, or an error of ours, and nothing is printed."""
    with no_output():
        try:
            sheets = read_workbook("book", data)
        except ReviewProblems as error:
            return bool(error.problems) and str(error).startswith("book: ")
    return all(isinstance(cell, str) for sheet in sheets for row in sheet.rows for cell in row)


damages = st.lists(
    st.tuples(st.floats(0, 1, exclude_max=True), st.sampled_from([0, 1, 255]) | st.integers(0, 255)),
    min_size=1,
    max_size=5,
)


@pytest.mark.parametrize("kind", SOUND)
@examples(250, derandomize=True, database=None)
@given(damages, st.floats(0, 5), st.booleans())
def test_damage_is_an_error_or_other_text_and_nothing_else(
    kind: str, changes: list[tuple[float, int]], cut: float, at_the_start: bool
) -> None:
    data = bytearray(SOUND[kind]())
    within = min(600, len(data)) if at_the_start else len(data)
    for place, value in changes:
        data[int(place * within)] = value
    assert is_text_or_refused(bytes(data[: int(cut * len(data))] if cut < 1 else data))


@examples(250, derandomize=True, database=None)
@given(st.data())
def test_damage_inside_the_parts_of_xlsx(data: st.DataObject) -> None:
    with zipfile.ZipFile(io.BytesIO(SOUND["xlsx"]())) as file:
        parts = {name: bytearray(file.read(name)) for name in file.namelist()}
    part = parts[data.draw(st.sampled_from(sorted(parts)))]
    for place in data.draw(st.lists(st.integers(0, len(part) - 1), min_size=1, max_size=3)):
        part[place] = data.draw(st.sampled_from(b'<>&"0129AZ/ =xs-\x00\xff'))
    assert is_text_or_refused(archive({name: bytes(content) for name, content in parts.items()}))


@examples(250, derandomize=True, database=None)
@given(st.data())
def test_damage_inside_the_records_of_xls(data: st.DataObject) -> None:
    stream = bytearray(XLS_STREAM)
    for place in data.draw(st.lists(st.integers(0, len(stream) - 1), min_size=1, max_size=4)):
        stream[place] = data.draw(st.sampled_from([0, 1, 6, 9, 10, 127, 128, 255]) | st.integers(0, 255))
    assert is_text_or_refused(compound(bytes(stream)))
