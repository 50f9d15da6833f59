"""Jobs spread over processes. What they return does not depend on how many there are."""

import os
import signal
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from multiprocessing import get_context, parent_process
from multiprocessing.connection import wait
from typing import TypeVar

from surpeer.errors import SurpeerError

Job = TypeVar("Job")
Result = TypeVar("Result")

THREAD_SETTINGS = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "POLARS_MAX_THREADS")


def available_processors() -> int:
    """Those that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def run_jobs(function: Callable[[Job], Result], jobs: Sequence[Job], workers: int) -> Iterator[Result]:
    """Results in the order of the jobs. With one worker all is done here; more are fresh processes (a script that asks
    for them needs the usual `if __name__ == "__main__":`)."""
    workers = min(workers, len(jobs))
    if workers <= 1:
        yield from map(function, jobs)
        return
    with _one_thread_each():
        pool = ProcessPoolExecutor(workers, mp_context=get_context("spawn"), initializer=_live_with_the_parent)
        try:
            yield from pool.map(function, jobs)
        except BrokenProcessPool:
            raise SurpeerError(
                "a worker process was ended from outside, perhaps for lack of memory; try fewer workers"
            ) from None
        finally:
            pool.shutdown(wait=True, cancel_futures=True)


def _live_with_the_parent() -> None:
    """Ctrl-C is for the process that started us; when that is gone, whatever ended it, so are we."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    parent = parent_process()
    if parent is not None:
        threading.Thread(target=_end_after, args=(parent.sentinel,), daemon=True).start()


def _end_after(sentinel: int) -> None:
    wait([sentinel])
    os._exit(1)


@contextmanager
def _one_thread_each() -> Iterator[None]:
    """Processes that are started meanwhile use one thread each for linear algebra and tables, unless the user said."""
    ours = [name for name in THREAD_SETTINGS if name not in os.environ]
    os.environ.update(dict.fromkeys(ours, "1"))
    try:
        yield
    finally:
        for name in ours:
            os.environ.pop(name, None)
