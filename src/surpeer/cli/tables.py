"""Tables of text for people: aligned columns, colours on a terminal only."""

import io
import math
import sys
from collections.abc import Callable, Sequence
from typing import Any

import polars as pl
from rich.console import Console
from rich.table import Table
from rich.text import Text

from surpeer.core.status import Status
from surpeer.errors import printable
from surpeer.probability_text import probability_text
from surpeer.ranking import Ranking

# Wide enough that a table in a file or pipe is never folded.
UNFOLDED = 10_000

# What a column that gives way keeps.
NARROWEST = 12

# What is shown of a title where there is room; people know a paper by its first words.
WIDEST_TITLE = 40

SHORT_HEADINGS = {"standard_error": "error", "own_share": "own", "p_accept": "P(accept)"}

TEXTS = ("paper", "title", "status", "proposal", "reason", "flags")


def render(table: Table, for_terminal: bool) -> str:
    """The table as text, folded and coloured only for a terminal, and never narrower than its numbers need."""
    buffer = io.StringIO()
    if for_terminal:
        terminal = Console(file=sys.stdout)
        width = max(terminal.width, sum((column.min_width or 1) + 2 for column in table.columns))
        console = Console(
            file=buffer,
            force_terminal=True,
            width=width,
            color_system="auto",
            no_color=terminal.no_color,
            markup=False,
            emoji=False,
        )
    else:
        console = Console(file=buffer, width=UNFOLDED, color_system=None, markup=False, emoji=False)
    console.print(table)
    return "\n".join(line.rstrip() for line in buffer.getvalue().splitlines()) + "\n"


def plain_table(
    headings: Sequence[str], rows: Sequence[Sequence[str | Text]], right: Sequence[str] = (), fold: Sequence[str] = ()
) -> Table:
    """A table without lines: columns in `right` are aligned right, those in `fold` give way on a narrow terminal."""
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="bold")
    for at, heading in enumerate(headings):
        widest = max([len(heading), *(len(row[at]) for row in rows)])
        if heading in fold:
            table.add_column(heading, overflow="fold", min_width=min(widest, NARROWEST))
        else:
            table.add_column(heading, justify="right" if heading in right else "left", no_wrap=True, min_width=widest)
    for row in rows:
        table.add_row(*row, style="bold" if "incoherent" in row else None)
    return table


def ranking_text(ranking: Ranking, for_terminal: bool) -> str:
    """The ranking as a table."""
    return result_text(ranking.table_with_joined_flags(" "), for_terminal)


def result_text(frame: pl.DataFrame, for_terminal: bool) -> str:
    """The table of a ranking or of decisions, with the flags of a paper as one text, for people."""
    frame = frame.rename(SHORT_HEADINGS, strict=False)
    if "status" in frame.columns and (frame["status"] == Status.FINITE.label).all():  # then it says nothing
        frame = frame.drop("status")
    rows = [[CELL_TEXTS.get(name, str)(cell) for name, cell in row.items()] for row in frame.iter_rows(named=True)]
    right = [name for name in frame.columns if name not in TEXTS]
    return render(plain_table(frame.columns, rows, right=right, fold=("paper", "title", "flags")), for_terminal)


def title_text(title: str | None) -> Text:
    """The first words of a title in one line, which becomes shorter still on a narrow terminal."""
    text = Text(printable((title or "")[: 4 * WIDEST_TITLE]), no_wrap=True, overflow="ellipsis")
    text.truncate(WIDEST_TITLE, overflow="ellipsis")
    return text


def score_text(score: float | None) -> str:
    """Four decimals, an infinity sign, or a dash where there is no score."""
    if score is None or math.isnan(score):
        return "-"
    if math.isinf(score):
        return "+∞" if score > 0 else "-∞"
    return f"{score:z.4f}"


CELL_TEXTS: dict[str, Callable[[Any], str | Text]] = {
    "paper": lambda cell: printable(str(cell)),
    "title": title_text,
    "mean": "{:.3f}".format,
    "score": score_text,
    "error": score_text,
    "P(accept)": probability_text,
    "own": "{:.0%}".format,
    "flags": lambda cell: cell or "",
}
"""How a column's cells are written; as they are where nothing is said."""
