"""docs/reference/environment.md has every environment variable that the venue in the browser reads, and no other."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

from conftest import ROOT

PAGE = ROOT / "docs" / "reference" / "environment.md"
SOURCE = ROOT / "src" / "surpeer" / "web"
HOLDERS = {"environ", "environment"}
SET_BY_US = {"DJANGO_SETTINGS_MODULE"}


def constants(tree: ast.Module) -> Iterator[tuple[str, str]]:
    """Names of texts, also where several are given at once."""
    for node in ast.walk(tree):
        if not isinstance(node, ast.Assign):
            continue
        names, values = (part.elts if isinstance(part, ast.Tuple) else [part] for part in (node.targets[0], node.value))
        for name, value in zip(names, values, strict=False):
            if isinstance(name, ast.Name) and isinstance(value, ast.Constant) and isinstance(value.value, str):
                yield name.id, value.value


def holds_environment(node: ast.expr) -> bool:
    return (isinstance(node, ast.Name) and node.id in HOLDERS) or (
        isinstance(node, ast.Attribute) and node.attr in HOLDERS
    )


def keys(tree: ast.Module) -> Iterator[ast.expr]:
    """What is looked up in the environment."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Subscript) and holds_environment(node.value):
            yield node.slice
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and holds_environment(node.func.value):
            yield from node.args[:1]


def read(folder: Path) -> set[str]:
    """The names of all variables that the files of a folder look up."""
    trees = [ast.parse(path.read_text()) for path in sorted(folder.rglob("*.py"))]
    known = dict(constants(next(ast.parse(p.read_text()) for p in folder.rglob("deployment.py"))))
    found = set()
    for tree in trees:
        for key in keys(tree):
            if isinstance(key, ast.Constant):
                found.add(str(key.value))
            elif isinstance(key, ast.Name):
                found.add(known[key.id])
    return found - SET_BY_US


def listed() -> list[str]:
    """The first column of the page's table."""
    return re.findall(r"^\| `([A-Z_]+)` \|", PAGE.read_text(), re.MULTILINE)


def test_the_page_has_every_variable_that_is_read() -> None:
    assert len(listed()) == len(set(listed()))
    assert set(listed()) == read(SOURCE)


def test_variables_are_found(tmp_path: Path) -> None:
    (tmp_path / "deployment.py").write_text('A, B = "ONE", "TWO"\nenvironment.get(A)\nos.environ.pop(B, None)\n')
    (tmp_path / "other.py").write_text('from deployment import A\nos.environ["THREE"]\nfacts.get("FOUR")\n')
    assert read(tmp_path) == {"ONE", "TWO", "THREE"}
