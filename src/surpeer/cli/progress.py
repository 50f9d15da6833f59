"""A progress bar on standard error, on a terminal only."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager


@contextmanager
def progress(steps: int) -> Iterator[Callable[[str], None]]:
    """Gives a function to call with a few words at the start of each step."""
    if not sys.stderr.isatty():
        yield lambda _: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

    columns = (BarColumn(), MofNCompleteColumn(), TimeElapsedColumn(), TextColumn("{task.description}"))
    with Progress(*columns, console=Console(file=sys.stderr), transient=True) as bar:
        task = bar.add_task("", total=steps)
        begun = False

        def begin(words: str) -> None:
            nonlocal begun
            bar.update(task, description=words, advance=int(begun))
            begun = True

        yield begin
