"""docs/reference/errors.md has every message that a user of the commands can meet, and no other.

A message on the page stands in backticks in the first column of a table, with `...` for what changes. Messages in the
source are found in its syntax trees: every call that makes an error or a problem.
"""

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

import pytest
from conftest import ROOT

from surpeer import errors
from surpeer.cli.failure import BAD_INPUT, INTERRUPTED, PROBLEMS_FOUND

PAGE = ROOT / "docs" / "reference" / "errors.md"
SOURCE = ROOT / "src" / "surpeer"
MAKERS = {"Problem", "InputError", "ScaleError", "UnknownName", "unusable"}
NOT_ON_THE_PAGE = {
    "core": "arrays, for people who program",
    "experiments": "the same",
    "errors.py": "defines them",
    "report/charts": "charts that a program asks for; the commands check names first",
}
"""Folders and files whose messages are not there, and why."""
ENOUGH = 8
"""Letters that two texts must share, so that they cannot agree by accident."""
HOLE = "\0"

COMPUTED: dict[str, tuple[str, ...]] = {
    "decisions.py": ("so that some are accepted and some are not",),
    "prediction_cells.py": (
        "a fraction between 0 and 1",
        "a percentage between 0 and 100",
        "a number of imagined reviewers between 0 and 1e9",
        "a share or a number of imagined reviewers",
    ),
    "rating_cells.py": ("did you mean ...?", "it differs from ... only: write it so, or rename the level"),
    "scale.py": ("the rating scale cannot be used: ...",),
    "io/intake/choice.py": ("found fields that may be predictions, but not of which of the levels",),
    "io/intake/rating_choice.py": (
        "fields that may be the rating: ...",
        "found no field that looks like a rating;",
        "are others than ...: found ..., expected",
        "cannot be the rating: found ...",
    ),
    "io/intake/scales.py": ("and nothing says which is the lowest;", "and nothing says which others there are;"),
    "io/intake/take_in.py": ("may be positions in a list of choices or percentages",),
    "io/platforms/hotcrp/platform.py": ("expected reviews; ...",),
    "io/platforms/table.py": ("rows, expected the header in row",),
    "io/review_form/column_map.py": ("expected the name of a column",),
    "io/table.py": ("found byte 0x... in line ..., expected UTF-8 text",),
    "io/workbook/limits.py": ("a sound workbook",),
    "io/json_document.py": ("expected an export of a platform",),
    "engines/spark_failures.py": (
        "there is something already: choose another folder, or remove it",
        "Spark reads s3a:// paths with the package hadoop-aws, which is not there",
        "is not installed where the executors run",
        "executors were lost again and again",
        "Java has too little memory",
        "the result is too large for the driver",
        "the master cannot be reached, or sent us away",
        "cannot be reached: check the address, and that the server runs",
        "a packed file is cut short; write or download it again",
    ),
    "engines/spark_files.py": ("there is something already: choose another folder, or remove it",),
    "engines/spark_heads.py": ("cannot be reached: check the address, and that the server runs",),
    "engines/spark_session.py": ("and there is no java ...",),
    "web/deployment.py": ("the address by which people reach the application, without a path",),
    "web/venues/settings_merging.py": (
        "This was changed after you opened the page, to: ...",
        "This was changed after you opened the page; open the settings in another tab to read it.",
        "This was emptied after you opened the page.",
    ),
    "web/starting.py": ("would be reached from other machines without encryption",),
}
"""By file: the patterns for messages whose text is put together elsewhere than where they are raised."""


@dataclass(frozen=True)
class Message:
    """What one call makes: its text, with holes for what is computed."""

    place: str
    text: str

    @property
    def says_something(self) -> bool:
        """Whether more of it is in the source than the words that every problem has."""
        own = re.sub(r"\bfound |, expected|; ", HOLE, self.text)
        return any(len(part.strip()) >= ENOUGH for part in own.split(HOLE))


@cache
def all_messages() -> tuple[Message, ...]:
    return tuple(messages())


def messages() -> Iterator[Message]:
    for path in sorted(SOURCE.rglob("*.py")):
        name = path.relative_to(SOURCE).as_posix()
        if any(name == left_out or name.startswith(f"{left_out}/") for left_out in NOT_ON_THE_PAGE):
            continue
        tree = ast.parse(path.read_text())
        constants = _constants(tree)
        for call in ast.walk(tree):
            if isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and call.func.id in MAKERS:
                yield Message(f"{name}:{call.lineno}", _text(call, call.func.id, constants))


def _constants(tree: ast.Module) -> dict[str, str]:
    """Names that have one text everywhere in the file."""
    found: dict[str, set[str]] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
            found.setdefault(node.targets[0].id, set()).add(_value(node.value, {}))
    return {name: texts.pop() for name, texts in found.items() if len(texts) == 1}


def _value(node: ast.expr, constants: dict[str, str]) -> str:
    """A text as far as it is written in the source."""
    match node:
        case ast.Constant(value=str(text)):
            return text
        case ast.JoinedStr(values=parts):
            return "".join(_value(part, constants) for part in parts)
        case ast.Name(id=name):
            return constants.get(name, HOLE)
        case ast.BinOp(left=left, right=right, op=ast.Add()):
            return _value(left, constants) + _value(right, constants)
        case ast.IfExp(body=one, orelse=other):
            return _value(one, constants) + HOLE + _value(other, constants)
    return HOLE


def _text(call: ast.Call, maker: str, constants: dict[str, str]) -> str:
    parts = [_value(argument, constants) for argument in call.args]
    if maker in ("Problem", "unusable"):
        found, expected, *rest = parts[2 if maker == "Problem" else 1 :]
        return f"found {found}, expected {expected}; {''.join(rest[:1])}"
    return f"unknown {parts[0]} {HOLE}" if maker == "UnknownName" else parts[0]


def shown() -> list[str]:
    """Messages in the first column of the page's tables."""
    rows = re.findall(r"^\| (`.*?) \| ", PAGE.read_text(), re.MULTILINE)
    return [message for row in rows for message in re.findall(r"`([^`]+)`", row)]


def pieces(pattern: str) -> list[str]:
    return [piece.strip() for piece in pattern.split("...") if piece.strip()]


def covers(pattern: str, message: Message) -> bool:
    """Whether the pieces of a pattern come one after the other in the message."""
    at = 0
    for piece in pieces(pattern):
        at = message.text.find(piece, at)
        if at < 0:
            return False
        at += len(piece)
    return True


def texts(file: str) -> list[Message]:
    """Everything that stands between quotes in a file."""
    tree = ast.parse((SOURCE / file).read_text())
    strings = (node for node in ast.walk(tree) if isinstance(node, ast.Constant | ast.JoinedStr))
    return [Message(file, f"found {_value(node, {})}, expected {HOLE}") for node in strings] + [
        message for message in all_messages() if message.place.startswith(f"{file}:")
    ]


SHOWN = shown()


def is_shown(message: Message) -> bool:
    if message.says_something:
        return any(covers(pattern, message) for pattern in SHOWN)
    return set(COMPUTED.get(message.place.split(":")[0], [message.place])) <= set(SHOWN)


def test_every_message_is_on_the_page() -> None:
    missing = [message for message in all_messages() if not is_shown(message)]
    assert [f"{message.place}: {message.text.replace(HOLE, '...')}" for message in missing] == []
    assert len(all_messages()) > 300, "they are no longer found"


@pytest.mark.parametrize("pattern", SHOWN)
def test_every_message_on_the_page_can_come_up(pattern: str) -> None:
    assert max(map(len, pieces(pattern))) >= ENOUGH, "too short to tell it from others"
    computed = [message for file, patterns in COMPUTED.items() if pattern in patterns for message in texts(file)]
    assert any(covers(pattern, message) for message in [*all_messages(), *computed]), "no such message"


def test_no_message_is_there_twice() -> None:
    assert len(SHOWN) == len(set(SHOWN))


def test_codes_and_classes_are_those_of_the_program() -> None:
    page = PAGE.read_text()
    for code in (0, PROBLEMS_FOUND, BAD_INPUT, INTERRUPTED):
        assert f"\n| {code} | " in page
    for name, kind in vars(errors).items():
        if isinstance(kind, type) and issubclass(kind, errors.SurpeerError):
            assert re.search(rf"^ *{name}\b", page, re.MULTILINE), name
