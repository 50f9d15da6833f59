"""Tables of text for people: aligned columns, colours on a terminal only."""

import io
import math
import sys
from collections.abc import Iterable, Sequence

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from surpeer.ranking import Ranking

# Wide enough that a table in a file or pipe is never folded.
UNFOLDED = 10_000


def render(table: Table, for_terminal: bool) -> str:
    """The table as text, folded and coloured only for a terminal."""
    buffer = io.StringIO()
    if for_terminal:
        terminal = Console(file=sys.stdout)
        console = Console(
            file=buffer, force_terminal=True, width=terminal.width, color_system="auto", no_color=terminal.no_color
        )
    else:
        console = Console(file=buffer, width=UNFOLDED, color_system=None)
    console.print(table)
    return "\n".join(line.rstrip() for line in buffer.getvalue().splitlines()) + "\n"


def plain_table(headings: Iterable[str], right: Sequence[str] = (), title: str | None = None) -> Table:
    """An empty table without lines, the columns named in `right` aligned to the right."""
    table = Table(
        box=None, pad_edge=False, padding=(0, 2, 0, 0), title=title, title_justify="left", header_style="bold"
    )
    for heading in headings:
        table.add_column(heading, justify="right" if heading in right else "left", no_wrap=heading not in ("flags",))
    return table


def ranking_text(ranking: Ranking, for_terminal: bool) -> str:
    """The ranking as a table."""
    frame = ranking.table_with_joined_flags(" ")
    table = plain_table(frame.columns, right=("rank", "reviews", "mean", "score"))
    for rank, paper, reviews, mean, score, status, flags in frame.iter_rows():
        style = "bold" if status == "incoherent" else None
        cells = (str(rank), escape(str(paper)), str(reviews), f"{mean:.3f}", score_text(score), status, flags or "")
        table.add_row(*cells, style=style)
    return render(table, for_terminal)


def score_text(score: float | None) -> str:
    """Four decimals, an infinity sign, or a dash where there is no score."""
    if score is None or math.isnan(score):
        return "-"
    if math.isinf(score):
        return "+∞" if score > 0 else "-∞"
    return f"{score:.4f}"
