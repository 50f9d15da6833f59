"""The file that says which column is what."""

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from surpeer import InputError, ScaleError
from surpeer.io.review_form.column_map import ColumnMap, Wanted, read_column_map

Write = Callable[[str, str | bytes], Path]

KEYS = "paper, reviewer, rating, expected, track, title, round, sheet, predictions, header_row, levels, values, labels"


def test_all_keys(write: Write) -> None:
    content = """
        paper = "Submission no."
        reviewer = "E-mail"
        rating = "Your verdict"
        expected = "What others say"
        track = "Area"
        title = "Name of it"
        round = "Phase"
        sheet = "Reviews"
        header_row = 3
        levels = ["reject", "accept"]
        values = [-1, 1]
        labels = ["No", "Yes"]

        [predictions]
        reject = "How many of 20 would reject?"
        accept = "How many of 20 would accept?"
    """
    said = read_column_map(write("columns.toml", content))
    assert (said.paper, said.reviewer, said.track, said.round) == ("Submission no.", "E-mail", "Area", "Phase")
    assert (said.sheet, said.header_row, said.title) == ("Reviews", 3, "Name of it")
    shares = {"reject": "How many of 20 would reject?", "accept": "How many of 20 would accept?"}
    assert said.wanted == Wanted("Your verdict", (), shares, "What others say")
    assert said.scale is not None
    assert (said.scale.levels, said.scale.values, said.scale.labels) == (("reject", "accept"), (-1, 1), ("No", "Yes"))
    assert said.names_columns


@pytest.mark.parametrize(
    ("predictions", "expected"), [('"all in one"', ("all in one",)), ('["a", "b"]', ("a", "b")), ("[]", ())]
)
def test_predictions_in_a_list(predictions: str, expected: tuple[str, ...], write: Write) -> None:
    toml = read_column_map(write("columns.toml", f"predictions = {predictions}"))
    assert toml.wanted.predictions == expected
    assert read_column_map(write("columns.json", f'{{"predictions": {predictions}}}')) == toml
    assert not toml.names_columns


def test_an_empty_map_says_nothing(write: Write) -> None:
    assert read_column_map(write("columns.toml", "")) == ColumnMap()
    assert read_column_map(write("columns.toml", b"\xef\xbb\xbf# nothing")) == ColumnMap()


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ('raiting = "x"', f'unknown key "raiting", expected {KEYS}, did you mean rating?'),
        ('qqq = "x"', f'unknown key "qqq", expected {KEYS}'),
        ("paper = 3", 'paper is "3", expected the name of a column'),
        ('paper = " "', 'paper is " ", expected the name of a column'),
        ("header_row = 0", 'header_row is "0", expected the number of a row, such as 1'),
        ("header_row = true", 'header_row is "True", expected the number of a row, such as 1'),
        ('header_row = "1"', 'header_row is "1", expected the number of a row, such as 1'),
        (
            "predictions = [1]",
            "predictions: expected the name of a column, a list of names, or a table from levels to names",
        ),
        (
            "paper = 3\npredictions = 4",
            (
                'paper is "3", expected the name of a column; '
                "predictions: expected the name of a column, a list of names, or a table from levels to names"
            ),
        ),
    ],
)
def test_what_is_wrong_with_a_map(content: str, message: str, write: Write) -> None:
    path = write("columns.toml", content)
    with pytest.raises(InputError, match=f"^{re.escape(f'{path}: {message}')}$"):
        read_column_map(path)


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("columns.toml", "paper = "),
        ("columns.json", "{"),
        ("columns.json", "[" * 100_000),
        ("columns.toml", b"\xff\xfe"),
        ("columns.toml", "paper = 1\npaper = 2"),
        ("columns.json", '{"header_row": ' + "9" * 5000 + "}"),
    ],
)
def test_a_map_that_cannot_be_read(name: str, content: str | bytes, write: Write) -> None:
    path = write(name, content)
    start = f"{path}: cannot be read as TOML (or JSON, if it ends in .json): "
    with pytest.raises(InputError, match=f"^{re.escape(start)}"):
        read_column_map(path)


def test_a_map_that_is_no_map(write: Write, tmp_path: Path) -> None:
    path = write("columns.json", "[1]")
    message = f'{path}: expected names of columns, such as paper = "Submission"'
    with pytest.raises(InputError, match=f"^{re.escape(message)}$"):
        read_column_map(path)
    missing = tmp_path / "none.toml"
    with pytest.raises(InputError, match=f"^{re.escape(str(missing))}: cannot be read: No such file or directory$"):
        read_column_map(missing)


def test_levels_that_are_no_scale(write: Write) -> None:
    path = write("columns.toml", 'levels = ["a"]')
    message = f"{path}: the rating scale cannot be used: found 1 level, expected between 2 and 101"
    with pytest.raises(ScaleError, match=f"^{re.escape(message)}$"):
        read_column_map(path)
    with pytest.raises(ScaleError, match="no levels, expected a list such as levels ="):
        read_column_map(write("columns.toml", "values = [1, 2]"))
