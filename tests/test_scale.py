import json
import re
from pathlib import Path

import pytest

from surpeer import Scale, ScaleError, read_scale
from surpeer.errors import UnknownName
from surpeer.scale import PRESETS, parse_values


def test_default_values() -> None:
    assert Scale(["reject", "accept"]).values == (0, 1)
    assert Scale(["a", "b", "c"]).values == (1, 2, 3)
    assert Scale([-1, 0, 1]).levels == ("-1", "0", "1")
    assert len(Scale(["a", "b", "c"])) == 3


def test_parse() -> None:
    assert Scale.parse("reject, accept").levels == ("reject", "accept")
    assert Scale.parse("-2..2").levels == ("-2", "-1", "0", "1", "2")
    assert Scale.parse("1..3", "0,0.5,2").values == (0, 0.5, 2)


def test_presets_are_sound_and_binary_is_the_papers() -> None:
    assert Scale.preset("binary") == Scale(["reject", "accept"], [0, 1])
    assert Scale.preset("four-grades").values == (-2, -1, 1, 2)
    assert all(Scale(preset.levels, preset.values, preset.labels) == preset for preset in PRESETS.values())


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: Scale("reject,accept"), 'found the text "reject,accept", expected a list of levels'),
        (lambda: Scale(["one"]), "found 1 level, expected between 2 and 101"),
        (lambda: Scale([str(n) for n in range(102)]), "found 102 levels, expected between 2 and 101"),
        (lambda: Scale(["a", ""]), "found a level without a name"),
        (lambda: Scale(["a", "b", "a"]), 'found level "a" twice, expected every level once'),
        (lambda: Scale(["a", "b"], [1]), "found 1 value for 2 levels, expected one for each"),
        (lambda: Scale(["a", "b"], [1, 1]), "found the values 1, 1, expected increasing numbers"),
        (lambda: Scale(["a", "b"], [0, float("inf")]), "found a value that is not a number between -1e+12 and 1e+12"),
        (lambda: Scale(["a", "b"], ["x", "y"]), "found a value that is not a number"),
        (lambda: Scale(["a", "b"], labels=["A"]), "found 1 label for 2 levels"),
        (lambda: Scale.parse("3..1"), 'the levels "3..1" run downwards'),
        (lambda: Scale.parse("1..9999"), "are 9,999, expected at most 101"),
        (lambda: parse_values("1,two"), 'found "two" among the values, expected numbers such as 0,1'),
    ],
)
def test_what_is_no_scale(make: object, message: str) -> None:
    with pytest.raises(ScaleError, match=re.escape(message)):
        make()  # type: ignore[operator]


def test_all_problems_of_a_scale_at_once() -> None:
    with pytest.raises(ScaleError, match="twice.*found 3 values"):
        Scale(["a", "a"], [1, 2, 3])


def test_unknown_preset() -> None:
    with pytest.raises(UnknownName, match='unknown scale "binry"; did you mean "binary"?'):
        Scale.preset("binry")


def test_scale_files(tmp_path: Path) -> None:
    toml, js = tmp_path / "scale.toml", tmp_path / "scale.json"
    toml.write_text('levels = [1, 2, 3]\nlabels = ["poor", "fair", "good"]\nvalues = [0, 1, 3]\n')
    js.write_text(json.dumps({"levels": ["1", "2", "3"], "labels": ["poor", "fair", "good"], "values": [0, 1, 3]}))
    assert read_scale(str(toml)) == read_scale(str(js)) == Scale(["1", "2", "3"], [0, 1, 3], ["poor", "fair", "good"])
    assert read_scale("binary") == Scale.preset("binary")


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("scale.toml", "levels = [", "scale.toml: cannot be read: "),
        ("scale.json", "{", "scale.json: cannot be read: "),
        ("scale.json", "[1, 2]", "scale.json: expected an object such as"),
        ("scale.json", "{}", "scale.json: no levels, expected a list"),
        ("scale.toml", 'levels = "a,b"', 'scale.toml: levels is "a,b", expected a list'),
        ("scale.toml", 'level = ["a", "b"]', 'scale.toml: unknown key "level", expected levels, values, labels'),
        ("scale.toml", 'levels = ["a"]', "scale.toml: the rating scale cannot be used: found 1 level"),
        ("scale.json", '{"levels": [null, "a"]}', "scale.json: found None among the levels, expected text or numbers"),
        ("scale.json", '{"levels": [1, 2], "values": [true, 2]}', "scale.json: found True among the values"),
        ("scale.json", b"\xff\xfe", "scale.json: cannot be read: "),
    ],
)
def test_what_is_no_scale_file(name: str, content: str | bytes, message: str, tmp_path: Path) -> None:
    path = tmp_path / name
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    with pytest.raises(ScaleError, match=message):
        read_scale(str(path))


def test_missing_scale_file_and_unknown_name(tmp_path: Path) -> None:
    with pytest.raises(ScaleError, match="there is no such file"):
        read_scale(str(tmp_path / "none.toml"))
    with pytest.raises(ScaleError, match="cannot be read: Is a directory"):
        (tmp_path / "folder.toml").mkdir()
        read_scale(str(tmp_path / "folder.toml"))
    with pytest.raises(
        UnknownName, match=r'unknown scale "likert"; known: binary, .* or a file ending in .toml or .json'
    ):
        read_scale("likert")


def test_a_span_with_a_dash_is_not_one_level() -> None:
    with pytest.raises(ScaleError, match=r'the levels "1-5" are one name; did you mean 1\.\.5\?'):
        Scale.parse("1-5")
