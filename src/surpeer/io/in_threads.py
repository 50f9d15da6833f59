"""One thing after the other, several of them at a time: results in order, and never more waiting than was asked for."""

import os
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from typing import TypeVar

Item = TypeVar("Item")
Result = TypeVar("Result")


def in_threads(
    work: Callable[[Item], Result],
    items: Iterable[Item],
    threads: int | None = None,
    first_alone: bool = False,
    ahead: int = 0,
) -> Iterator[Result]:
    """work(item) for each item, in order. At most `threads` of them, and `ahead` more, are in memory beside the one in
    use.

    ahead : where memory allows, so that no thread has to wait for an item that comes late
    first_alone : whoever only wants to see how a file begins need not wait for more of it
    """
    count = threads or os.cpu_count() or 1
    every = iter(items)
    if first_alone:
        for first in every:
            yield work(first)
            break
    with ThreadPoolExecutor(count) as workers:
        waiting: deque[Future[Result]] = deque()
        try:
            for item in every:
                waiting.append(workers.submit(work, item))
                if len(waiting) >= count + ahead:
                    yield waiting.popleft().result()
            while waiting:
                yield waiting.popleft().result()
        finally:
            for one in waiting:
                one.cancel()
