"""Tables of text for people: aligned columns, colours on a terminal only."""

import io
import math
import sys
from collections.abc import Sequence

from rich.console import Console
from rich.table import Table

from surpeer.errors import printable
from surpeer.ranking import Ranking

# Wide enough that a table in a file or pipe is never folded.
UNFOLDED = 10_000

# What a column that gives way keeps.
NARROWEST = 12


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
    headings: Sequence[str], rows: Sequence[Sequence[str]], right: Sequence[str] = (), fold: Sequence[str] = ()
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
    frame = ranking.table_with_joined_flags(" ")
    rows = [
        (str(rank), printable(str(paper)), str(reviews), f"{mean:.3f}", score_text(score), status, flags or "")
        for rank, paper, reviews, mean, score, status, flags in frame.iter_rows()
    ]
    table = plain_table(frame.columns, rows, right=("rank", "reviews", "mean", "score"), fold=("paper", "flags"))
    return render(table, for_terminal)


def score_text(score: float | None) -> str:
    """Four decimals, an infinity sign, or a dash where there is no score."""
    if score is None or math.isnan(score):
        return "-"
    if math.isinf(score):
        return "+∞" if score > 0 else "-∞"
    return f"{score:.4f}"
