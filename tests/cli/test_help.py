"""What a stranger reads first: help texts, and what the command line says about what is missing or not known."""

import re
from collections.abc import Callable

import pytest
import typer
from conftest import ROOT
from typer.testing import CliRunner, Result

from surpeer.cli.commands import COMMANDS, app
from surpeer.cli.help_text import HEADINGS, LARGE, LEVELS, SOURCE, WHO

Run = Callable[..., Result]

EXAMPLE = ROOT / "examples" / "workshop.csv"
NAMES = [name for commands in COMMANDS.values() for name in commands if name != "bench"]  # which is a group of its own
READ_REVIEWS = ("validate", "score", "decide", "explain", "compare", "convert")


def help_of(*names: str, width: int = 80) -> str:
    environment = {"COLUMNS": str(width), "TERMINAL_WIDTH": str(width)}
    result = CliRunner(env=environment).invoke(app, [*names, "--help"], prog_name="surpeer")
    assert result.exit_code == 0
    return result.stdout


def headings_of(text: str) -> list[str]:
    return re.findall(r"^(\S.*):$", text, re.MULTILINE)


@pytest.mark.parametrize("width", [80, 120])
def test_commands_are_listed_by_a_chairs_work_each_in_a_whole_line(width: int) -> None:
    text = help_of(width=width)
    assert headings_of(text) == ["Options", *COMMANDS]
    listed = re.findall(r"^  ([a-z]+) +(\S.*)$", text.partition("Rank and decide:")[2], re.MULTILINE)
    assert [name for name, _ in listed] == [*NAMES, "bench"]
    assert all(words.endswith(".") and not words.endswith("...") for _, words in listed)
    assert max(map(len, text.splitlines())) <= width


def test_the_list_says_of_each_command_what_its_own_help_says_first() -> None:
    for names in COMMANDS.values():
        for name, listed in names.items():
            assert help_of(name).split("\n\n")[1].strip() == listed.summary


@pytest.mark.parametrize("width", [80, 120])
@pytest.mark.parametrize("name", NAMES)
def test_every_option_is_explained_in_the_room_there_is(name: str, width: int) -> None:
    text = help_of(name, width=width)
    assert max(map(len, text.splitlines())) <= width
    assert "<" not in text.replace("p_<level>", "")
    command = typer.main.get_command(app).commands[name]  # type: ignore[attr-defined]
    for parameter in command.params:
        assert parameter.help, parameter.name


@pytest.mark.parametrize("name", READ_REVIEWS)
def test_options_that_describe_the_reviews_come_last(name: str) -> None:
    headings = headings_of(help_of(name))
    assert headings[:2] == ["Arguments", "Options"]
    assert headings[1:] == [heading for heading in HEADINGS if heading in headings]
    assert [heading for heading in headings if heading != LARGE][-3:] == [LEVELS, SOURCE, WHO]


@pytest.mark.parametrize("name", [name for name in NAMES if name not in ("platforms", "methods")])
def test_every_command_has_an_example(name: str) -> None:
    assert f"Example: surpeer {name}" in help_of(name)


@pytest.mark.parametrize(
    ("arguments", "messages"),
    [
        (["score"], ["Missing argument 'REVIEWS'. The file of reviews: ", "Example: surpeer score reviews.csv"]),
        (["explain", EXAMPLE], ["Missing argument 'PAPER'. Id of the paper", 'Example: surpeer explain reviews.csv "Paper 7"']),
        (["decide", EXAMPLE], [
            "Missing option '--accept'. How many papers can be accepted: a number such as 12, or a share such as 25%.",
            "Example: surpeer decide reviews.csv --accept 25%",
        ]),
        (["plan"], ["Missing option '--accuracy'. How often two random papers are to be put in the right order"]),
        (["convert", EXAMPLE], ["Missing option '--output' / '-o'. The table: .csv, .jsonl or .parquet."]),
        (["form"], ["Missing argument 'hotcrp|openreview'. The platform."]),
        (["scor", EXAMPLE], ["No such command 'scor'. Did you mean 'score'?"]),
        ([EXAMPLE], [f"No such command '{EXAMPLE}'. It is a file; did you mean: surpeer report {EXAMPLE}"]),
        (["score", EXAMPLE, "--levels", "strong", "reject,accept"], [
            "unexpected extra argument", "(reject,accept)", 'What has a space in it goes in quotes, as in --levels "weak reject,accept"',
        ]),
        (["explain", "W07", EXAMPLE], [
            'W07: there is no such file, but "', '" is one; did you swap the two? The file comes first: surpeer explain ', " W07\n",
        ]),
        (["score", EXAMPLE, "--levles", "1..5"], ["No such option: --levles", "--levels"]),
        (["explain", ROOT / "examples", "W07"], ["examples: found a folder, expected a file of reviews; name the file in it"]),
        (["score", "none.csv"], ["none.csv: there is no such file; check its name, and the folder that you are in"]),
    ],
)  # fmt: skip
def test_what_is_missing_is_said_with_what_it_is(surpeer: Run, arguments: list[object], messages: list[str]) -> None:
    result = surpeer(*arguments)
    assert result.exit_code == 2
    assert result.stdout == ""
    for message in messages:
        assert message in result.stderr


def test_a_wrong_value_keeps_its_own_message(surpeer: Run) -> None:
    result = surpeer("demo", "--papers", "1")
    assert result.exit_code == 2
    assert "Invalid value for '--papers'" in result.stderr
    assert "Example" not in result.stderr


def test_usage_names_arguments_as_the_text_does() -> None:
    assert help_of("compare").startswith("Usage: surpeer compare [OPTIONS] REVIEWS A B\n")
    assert help_of("form").startswith("Usage: surpeer form [OPTIONS] {hotcrp|openreview}\n")
