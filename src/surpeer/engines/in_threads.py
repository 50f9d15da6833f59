"""One batch after the other, several of them at a time: results in order, and never more waiting than was asked for."""

import os
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from typing import TypeVar

Batch = TypeVar("Batch")
Result = TypeVar("Result")


def in_threads(
    work: Callable[[Batch], Result], batches: Iterable[Batch], threads: int | None = None
) -> Iterator[Result]:
    """work(batch) for each batch, in order. At most `threads` batches are in memory beside the one that is used."""
    count = threads or os.cpu_count() or 1
    with ThreadPoolExecutor(count) as workers:
        waiting: deque[Future[Result]] = deque()
        try:
            for batch in batches:
                waiting.append(workers.submit(work, batch))
                if len(waiting) >= count:
                    yield waiting.popleft().result()
            while waiting:
                yield waiting.popleft().result()
        finally:
            for one in waiting:
                one.cancel()
