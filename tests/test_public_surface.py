"""The public names, and what importing them loads."""

import ast
import subprocess
import sys
from pathlib import Path

import check_rings
import pytest

import surpeer

BLOCKER = """
import sys
class Refuse:
    def find_spec(self, name, path=None, target=None):
        top = name.split(".")[0]
        if top not in sys.stdlib_module_names and top not in ("numpy", "scipy", "surpeer") and not top.startswith("_sysconfigdata"):
            raise ImportError(f"core must not load {name}")
sys.meta_path.insert(0, Refuse())
import numpy as np
import surpeer.core as core
from surpeer.core import covariance_score, determinant, fixed_point, order, probability, total_order
from surpeer.core.venue import fit_venue, moments_of_reviews
assert float(core.surprisal_score([0.2, 0.8], [[0.31, 0.19], [0.19, 0.31]], [0, 1])) > 1
paper, rating, shares = np.array([0, 0, 1, 1]), np.array([0, 1, 1, 1]), np.full((4, 2), 0.5)
counts, values = np.array([[1, 1], [0, 2]]), np.arange(2.0)
fit = fit_venue(moments_of_reviews(counts, paper, rating, shares, np.full(4, np.nan), values), values)
assert fit.quality.mean[0] < fit.quality.mean[1]
print(sorted({name.split(".")[0] for name in sys.modules} - set(sys.stdlib_module_names)))
"""


def test_core_loads_numpy_and_scipy_at_most() -> None:
    finished = subprocess.run([sys.executable, "-c", BLOCKER], capture_output=True, text=True)
    assert finished.returncode == 0, finished.stderr
    assert {"numpy", "surpeer"} <= set(ast.literal_eval(finished.stdout))


def test_every_module_is_in_its_ring() -> None:
    assert check_rings.problems() == []


@pytest.mark.parametrize(
    ("part", "module", "complaint"),
    [
        ("core", "polars", "core imports polars"),
        ("core", "surpeer.reviews", r"core \(ring 0\) imports reviews \(ring 1\)"),
        ("reviews", "surpeer.ranking", "reviews comes before ranking"),
        ("io", "surpeer.demo", "io and demo are of one ring"),
        ("scores", "typer", "scores imports typer"),
        ("experiments", "surpeer.io", "experiments and io are of one ring"),
        ("experiments", "matplotlib", "experiments imports matplotlib"),
        ("matrices", "surpeer", "matrices imports the package as a whole"),
    ],
)
def test_the_ring_check_can_fail(part: str, module: str, complaint: str) -> None:
    import re

    found = check_rings._complaint(part, module)
    assert found is not None
    assert re.search(complaint, found)


def test_typed_names_are_the_lazy_names() -> None:
    tree = ast.parse(Path(surpeer.__file__).read_text())
    typed = {
        alias.name: node.module
        for block in tree.body
        if isinstance(block, ast.If)
        for node in block.body
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    }
    assert typed == {**dict.fromkeys(surpeer._PACKAGES, "surpeer"), **surpeer._HOME}
    assert set(dir(surpeer)) == set(surpeer.__all__)


@pytest.mark.parametrize("package", ["core", "experiments"])
def test_packages_load_when_they_are_used(package: str) -> None:
    code = f"import sys, surpeer; assert 'numpy' not in sys.modules; assert surpeer.{package}.__doc__"
    subprocess.run([sys.executable, "-c", code], check=True)


def test_experiments_export_what_they_say() -> None:
    for name in surpeer.experiments.__all__:
        assert getattr(surpeer.experiments, name).__doc__


@pytest.mark.parametrize(
    ("arguments", "not_needed"),
    [
        (["--help"], {"numpy", "polars", "rich"}),
        (["serve", "--help"], {"numpy", "polars", "rich"}),
        (["backup", "--help"], {"numpy", "polars", "rich"}),
        (["score", "--help"], {"matplotlib", "scipy.stats", "scipy.special", "surpeer.experiments", "rich.progress"}),
        (["decide", "--help"], {"matplotlib", "scipy.stats", "scipy.special", "surpeer.experiments", "rich.progress"}),
    ],
    ids=lambda value: value[0] if isinstance(value, list) else "",
)
def test_commands_do_not_load_what_they_do_not_need(arguments: list[str], not_needed: set[str]) -> None:
    code = f"""
import atexit, sys
atexit.register(lambda: print(*sys.modules, file=sys.stderr))
sys.argv = {["surpeer", *arguments]!r}
from surpeer.cli.main import main
main()
"""
    loaded = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True).stderr.split()
    assert "surpeer.cli.main" in loaded
    assert not not_needed & set(loaded)


def test_a_table_in_our_columns_does_not_wait_for_what_exports_need(tmp_path: Path) -> None:
    path = tmp_path / "reviews.csv"
    path.write_text("paper,rating,p_0,p_1\nA,0,0.5,0.5\n")
    code = f"import sys, surpeer; surpeer.read_reviews({str(path)!r}); print(*sys.modules)"
    loaded = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True).stdout.split()
    assert not [name for name in loaded if name.startswith(("surpeer.io.platforms", "surpeer.io.workbook"))]


def test_an_unknown_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="module 'surpeer' has no attribute 'nothing'"):
        _ = surpeer.nothing
