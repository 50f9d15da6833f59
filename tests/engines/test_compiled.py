"""When compiled loops are loaded, and what happens where they cannot be. That they give the same: test_numbered.py and
the way "compiled" of test_same_answer.py."""

import sys
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from invented_venues import CASES
from large_ways import scored, write_files

import surpeer
from surpeer.engines import compiled
from surpeer.engines.compiled import ENOUGH, Compiled

LOOPS = "surpeer.engines.compiled_loops"


@pytest.fixture(autouse=True)
def _nothing_loaded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Compiled, "loops", None)
    monkeypatch.setattr(Compiled, "looked", False)


@pytest.fixture
def _without_numba(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """As if it were not installed."""
    monkeypatch.delitem(sys.modules, LOOPS, raising=False)
    monkeypatch.setitem(sys.modules, "numba", None)
    yield
    sys.modules.pop(LOOPS, None)


def test_few_reviews_do_not_pay_for_many() -> None:
    Compiled.prepare(ENOUGH - 1)
    assert (Compiled.loops, Compiled.looked) == (None, False)


def test_many_reviews_have_them() -> None:
    Compiled.prepare(ENOUGH)
    assert Compiled.loops is import_module(LOOPS)


def test_who_asks_has_them() -> None:
    assert surpeer.load_loops()
    assert Compiled.loops is import_module(LOOPS)


@pytest.mark.usefixtures("_without_numba")
def test_without_numba_nothing_changes() -> None:
    Compiled.prepare(ENOUGH)
    assert (Compiled.loops, Compiled.looked) == (None, True)
    assert not surpeer.load_loops()


def test_a_run_over_many_reviews_uses_them(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    used: list[str] = []
    monkeypatch.setattr(compiled, "import_module", lambda name: Named(import_module(name), used))
    scored("compiled", write_files(CASES["two levels"], tmp_path / "reviews", 3), method="surprisal")
    assert set(used) == {"short_rows_by_part", "add_short_rows", "put_papers", "equal_numbers"}


class Named:
    """A module whose functions say that they were called."""

    def __init__(self, module: Any, used: list[str]) -> None:
        self.module, self.used = module, used

    def __getattr__(self, name: str) -> Any:
        self.used.append(name)
        return getattr(self.module, name)


def test_where_no_folder_can_keep_them(monkeypatch: pytest.MonkeyPatch) -> None:
    """They are compiled each time."""
    loops: Any = import_module(LOOPS)
    real = loops.numba.njit

    def nowhere(of: Any, **how: Any) -> Any:
        if how.pop("cache", False):
            raise RuntimeError("cannot cache function: no locator available")
        return real(of, **how)

    monkeypatch.setattr(loops.numba, "njit", nowhere)
    twice = loops._compiled(loops.numba.int64)(lambda number: 2 * number)
    assert twice(21) == 42


@pytest.mark.parametrize("different", [0, 1, 2048, 2049, 50_000])
def test_equal_numbers_in_a_table_that_grows(different: int) -> None:
    rng = np.random.default_rng(different)
    few = rng.integers(-(2**63), 2**63 - 1, different)
    numbers = rng.permutation(np.repeat(few, 2))
    loops: Any = import_module(LOOPS)
    examples, which = loops.equal_numbers(numbers)
    assert len(examples) == len(set(few.tolist()))
    assert (numbers[examples][which] == numbers).all()
