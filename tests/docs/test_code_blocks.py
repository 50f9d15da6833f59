"""Every code block of README and docs is run or checked, page by page.

console          `$ command`, then what it prints on standard output; the exit code is 0
console notes    the same, with all that a terminal shows
console error    a command that fails, with all that a terminal shows; `console error 1`: with this exit code
sh               commands, one per line, that end with exit code 0, or are in allowed.py
python           executed; the blocks of a page share their names
pycon            a doctest
csv, toml, json  with a file name: saved under it for the commands that follow; else a table, scale or column map
text             no code
"""

import doctest
import re
import shlex
import tomllib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import working_folder
from allowed import NOT_RUN, NOT_WRITTEN_BY_HAND, reason_not_to_run
from conftest import ROOT
from pages import RUN, Block, blocks, inline_code, listed_commands, name_of, typed_commands
from running import differs, run, unknown_parts

from surpeer.io.review_form.column_map import read_column_map
from surpeer.io.scale_file import read_scale

Names = dict[str, Any]
Check = Callable[[Block, Names, str], Iterator[str]]
SAID = "surpeer is running at "
"""By `surpeer serve`, and no command."""
OF_THIS_FOLDER = re.compile(r"\.\[(.*)\]")


def check_console(block: Block, _names: Names, _page: str) -> Iterator[str]:
    wants_error, all_shown = "error" in block.rest, bool(block.rest)
    wanted = next((int(word) for word in block.rest if word.isdigit()), None)
    for command in typed_commands(block):
        ran = run(command.line)
        failed = ran.exit_code != 0
        if failed != wants_error or (wanted is not None and ran.exit_code != wanted):
            yield f"$ {command.line}\nended with exit code {ran.exit_code}\n{ran.terminal}"
        elif differs(command.shown, ran.terminal if all_shown else ran.stdout):
            yield f"$ {command.line}\nprinted\n{ran.terminal if all_shown else ran.stdout}\nbut shown is\n{command.shown}"


def needs_server(block: Block) -> bool:
    """Whether a block is run against a server of a venue, by tests/web/test_scripts_page.py, and not here."""
    return "server" in block.rest


def check_sh(block: Block, _names: Names, _page: str) -> Iterator[str]:
    if needs_server(block):
        return
    for command in listed_commands(block):
        words = shlex.split(command.line, comments=True)
        if words[0] == "surpeer":
            yield from unknown_parts(words)
        if words[0] == "make":
            yield from (f"no make target {word}" for word in words[1:] if not is_target(word))
        if words[:2] == ["pip", "install"]:
            yield from (f"surpeer has no extra {extra}" for extra in unknown_extras(words[2:]))
        if reason_not_to_run(command.line) is None:
            ran = run(command.line)
            if ran.exit_code != 0:
                yield f"{command.line}\nended with exit code {ran.exit_code}\n{ran.terminal}"


def is_target(word: str) -> bool:
    return "=" in word or re.search(rf"^{re.escape(word)}:", (ROOT / "Makefile").read_text(), re.MULTILINE) is not None


def unknown_extras(packages: list[str]) -> list[str]:
    """Of `.[excel,report]`, what is no extra of ours."""
    named = [extra for found in map(OF_THIS_FOLDER.fullmatch, packages) if found for extra in found[1].split(",")]
    known = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["optional-dependencies"]
    return [extra for extra in named if extra not in known]


def check_python(block: Block, names: Names, page: str) -> Iterator[str]:
    if needs_server(block):
        return
    exec(compile("\n" * block.line + block.text, page, "exec"), names)
    yield from ()


def check_pycon(block: Block, names: Names, page: str) -> Iterator[str]:
    if page in NOT_WRITTEN_BY_HAND:
        return
    test = doctest.DocTestParser().get_doctest(block.text, names, page, page, block.line)
    report: list[str] = []
    doctest.DocTestRunner(optionflags=doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS).run(test, out=report.append)
    names.update(test.globs)
    yield from report


def check_file(block: Block, _names: Names, _page: str) -> Iterator[str]:
    path = Path(block.rest[0] if block.rest else f"unnamed.{block.kind}")
    path.write_text(block.text)
    if block.rest:
        return
    if block.kind == "csv":
        ran = run(f"surpeer validate {path}")
        if ran.exit_code != 0:
            yield ran.terminal
    elif "paper" in block.text:
        if not read_column_map(path).names_columns:
            yield "the column map names no column"
    else:
        read_scale(str(path))
    path.unlink()


def check_text(block: Block, _names: Names, page: str) -> Iterator[str]:
    if page not in NOT_WRITTEN_BY_HAND:
        for line in block.text.split("\n"):
            if line.startswith(("$ ", "surpeer ", ">>> ")) and not line.startswith(SAID):
                yield f"a command that is not run: {line}"


CHECKS: dict[str, Check] = {
    "console": check_console,
    "sh": check_sh,
    "python": check_python,
    "pycon": check_pycon,
    "csv": check_file,
    "toml": check_file,
    "json": check_file,
    "text": check_text,
}


def problems(page: str, text: str) -> Iterator[str]:
    """What is wrong with the blocks of a page, each with its line."""
    names: Names = {"__name__": "page"}
    for block in blocks(text):
        check = CHECKS.get(block.kind)
        if check is None:
            yield f"{page}:{block.line}: a block of the kind {block.kind!r}, expected one of {', '.join(CHECKS)}"
            continue
        try:
            yield from (f"{page}:{block.line}: {problem}" for problem in check(block, names, page))
        except Exception as error:
            yield f"{page}:{block.line}: {type(error).__name__}: {error}"


@pytest.mark.parametrize("page", RUN, ids=name_of)
def test_blocks_do_what_they_say(
    page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, openreview_account: list[Any]
) -> None:
    working_folder.fill(tmp_path, name_of(page))
    monkeypatch.chdir(tmp_path)
    found = list(problems(name_of(page), page.read_text()))
    assert not found, "\n\n".join(found)


@pytest.mark.parametrize("page", RUN, ids=name_of)
def test_commands_in_sentences_exist(page: Path) -> None:
    found = []
    for line, code in inline_code(page.read_text()):
        words = code.split()
        if words[:1] == ["surpeer"] and len(words) > 1:
            found += [f"{name_of(page)}:{line}: `{code}`: {problem}" for problem in unknown_parts(words)]
    assert not found, "\n".join(found)


def test_nothing_is_allowed_that_no_page_has() -> None:
    commands = [
        command.line
        for page in RUN
        for block in blocks(page.read_text())
        if block.kind == "sh"
        for command in listed_commands(block)
    ]
    unused = [pattern for pattern in NOT_RUN if not any(re.match(pattern, command) for command in commands)]
    assert unused == []


@pytest.fixture
def openreview_account(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """A client that answers with the example's notes and keeps what is posted."""
    openreview = pytest.importorskip("openreview")
    client = working_folder.Client()
    monkeypatch.setattr(openreview.api, "OpenReviewClient", lambda **_: client)
    return client.posted


WRONG = {
    "```console\n$ surpeer methods\nmethod\n```": "but shown is",
    "```console\n$ surpeer score missing.csv\n```": "exit code 2",
    "```console error\n$ surpeer methods\n```": "exit code 0",
    "```console error 1\n$ surpeer score missing.csv\n...\n```": "exit code 2",
    "```sh\nsurpeer score missing.csv\n```": "exit code 2",
    "```sh\nsurpeer bench accuracy --no-such-option 1\n```": "no option --no-such-option",
    "```sh\nmake nonsense\n```": "no make target nonsense",
    "```sh\npip install '.[excel,nonsense]'\n```": "no extra nonsense",
    "```sh\nsurpeer score reviews.csv\n```": "exit code 2",
    "```python\nassert 1 == 2\n```": "AssertionError",
    "```pycon\n>>> 1 + 1\n3\n```": "Expected",
    '```toml\nlevels = ["one"]\n```': "ScaleError",
    "```csv\npaper,rating,p_reject,p_accept\nA,accept,0.7,0.7\n```": "sum to 1.4",
    "```text\nsurpeer score reviews.csv\n```": "not run",
    "```\nwhat is this\n```": "expected one of",
    "- a list\n\n      surpeer score reviews.csv\n": "expected one of",
}


@pytest.mark.parametrize(("text", "message"), WRONG.items(), ids=[text.split("\n")[0] for text in WRONG])
@pytest.mark.filterwarnings("ignore")
def test_wrong_blocks_are_found(text: str, message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    working_folder.fill(tmp_path, "page.md")
    monkeypatch.chdir(tmp_path)
    [problem] = problems("page.md", text)
    assert message in problem


RIGHT = """
```console error 2
$ surpeer score \\
    missing.csv
...
```

- ```csv small.csv
  paper,rating,p_reject,p_accept
  A,accept,0.3,0.7
  ```

```console
$ surpeer validate small.csv  # a comment
small.csv: no problems
...
$ head -n 1 small.csv | cut -c 1-5
paper
```

```python
x = 2
```

```pycon
>>> x + 1
3
```
"""


def test_right_blocks_pass(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    working_folder.fill(tmp_path, "page.md")
    monkeypatch.chdir(tmp_path)
    assert list(problems("page.md", RIGHT)) == []


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("surpeer scroe reviews.csv", "no command 'scroe'"),
        ("surpeer score reviews.csv --acept 3", "score has no option --acept"),
        ("surpeer bench speed", "no command 'speed'"),
        ("surpeer bench accuracy --seed 3 -z", "accuracy has no option -z"),
    ],
)
def test_unknown_commands_and_options_are_found(words: str, message: str) -> None:
    assert list(unknown_parts(words.split())) == [message]


@pytest.mark.parametrize(
    "words", ["surpeer explain reviews.csv --format json -- -7 --paper", "surpeer score reviews.csv --values=-2,-1"]
)
def test_dashes_that_are_no_options_are_no_problem(words: str) -> None:
    assert list(unknown_parts(words.split())) == []
