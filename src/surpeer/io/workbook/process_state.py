"""What libraries need to be set while they read, and Python can only set for the whole process: for all threads."""

import gc
import threading
import warnings
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from types import TracebackType


class WhileAnyReads:
    """Sets a state when the first thread comes in, and sets it back when the last is out, whatever is raised.

    Each thread for itself would not do: the second would find, and at its end restore, what the first has set.
    """

    def __init__(self, state: Callable[[], AbstractContextManager[None]]) -> None:
        self._state = state
        self._lock = threading.Lock()
        self._inside = 0
        self._entered: AbstractContextManager[None] | None = None

    def __enter__(self) -> None:
        with self._lock:
            if self._entered is None:
                entered = self._state()
                entered.__enter__()
                self._entered = entered
            self._inside += 1

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        with self._lock:
            self._inside -= 1
            if not self._inside and self._entered is not None:
                entered, self._entered = self._entered, None
                entered.__exit__(None, None, None)


@contextmanager
def _no_warnings() -> Iterator[None]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield


@contextmanager
def _no_collection() -> Iterator[None]:
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()


NO_WARNINGS = WhileAnyReads(_no_warnings)
"""What openpyxl and xlrd warn of stays unsaid. Process-wide: the warnings of other threads stay unsaid meanwhile."""
NO_COLLECTION = WhileAnyReads(_no_collection)
"""Millions of cells come and go without a cycle among them; to look for one takes a third of the time. Process-wide:
in other threads, too, cycles are not collected meanwhile."""
