"""Loops that are compiled, where numba is installed (the extra `fast`): the same results as from numpy, sooner.

Loading them takes half a second. Only a run over very many reviews saves as much, and loads them by itself; who
has many runs in one process can ask for them. From then on the process uses them.
"""

from contextlib import suppress
from importlib import import_module
from typing import ClassVar, Protocol, cast

from surpeer.core.shapes import IntArray

# Reviews from which on loading does no harm: at 20 million it takes longer than it saves, at 100 as long, measured.
ENOUGH = 64_000_000


class Loops(Protocol):
    """Of surpeer.engines.compiled_loops."""

    def short_rows_by_part(
        self, ids: IntArray, levels: IntArray, shares: IntArray, bits: int, share_bits: int
    ) -> tuple[IntArray, IntArray]: ...

    def add_short_rows(self, rows: IntArray, share_bits: int, first: int, sums: IntArray) -> None: ...

    def put_papers(self, sums: IntArray, first: int, part: int, bits: int, table: IntArray, rows: int) -> int: ...

    def equal_numbers(self, numbers: IntArray) -> tuple[IntArray, IntArray]: ...


class Compiled:
    """What this process has loaded."""

    loops: ClassVar[Loops | None] = None
    looked: ClassVar[bool] = False

    @classmethod
    def prepare(cls, reviews: int) -> None:
        """Load them before a run over so many reviews, if that pays."""
        if reviews >= ENOUGH and not cls.looked:
            load_loops()


def load_loops() -> bool:
    """Have compiled loops at hand in this process, for runs over any number of reviews in files.

    Results are the same. Returns whether there are such loops: they need numba, which `pip install 'surpeer[fast]'`
    adds. The first time they are compiled, which takes some seconds.
    """
    Compiled.looked = True
    with suppress(ImportError):  # numba is not there, or not for this version of numpy
        Compiled.loops = cast(Loops, import_module("surpeer.engines.compiled_loops"))
    return Compiled.loops is not None
