"""Pieces of an HTML page: escaped text and tables."""

from collections.abc import Iterable, Sequence
from html import escape
from typing import NamedTuple


class Entry(NamedTuple):
    """A table cell: text, its class in the style sheet, and what is shown when the pointer rests on it."""

    text: str
    kind: str = ""
    hint: str = ""
    bar: float | None = None
    """A bar below the text, as a share of the cell's width."""

    def html(self) -> str:
        attributes = f' class="{escape(self.kind)}"' if self.kind else ""
        attributes += f' title="{escape(self.hint)}"' if self.hint else ""
        bar = "" if self.bar is None else f'<i style="width:{100 * min(max(self.bar, 0.0), 1.0):.1f}%"></i>'
        return f"<td{attributes}>{escape(self.text)}{bar}</td>"


Row = Sequence["str | Entry"]


def table(headings: Sequence[str], rows: Iterable[Row], kind: str = "", groups: Sequence[tuple[str, int]] = ()) -> str:
    """A table whose first column names its rows. groups : headings over several columns each, above the others."""
    over = "".join(f'<th scope="colgroup" colspan="{width}">{escape(title)}</th>' for title, width in groups)
    head = "".join(f'<th scope="col">{escape(heading)}</th>' for heading in headings)
    lines = [f'<table class="{escape(kind)}">' if kind else "<table>", "<thead>"]
    lines += [f"<tr>{line}</tr>" for line in (over, head) if line] + ["</thead><tbody>"]
    for first, *others in rows:
        name = first.text if isinstance(first, Entry) else first
        cells = "".join((other if isinstance(other, Entry) else Entry(other)).html() for other in others)
        lines.append(f'<tr><th scope="row">{escape(name)}</th>{cells}</tr>')
    return "\n".join([*lines, "</tbody></table>"])


def section(title: str, *content: str) -> str:
    """A part of the page with its heading."""
    return "\n".join([f"<section><h2>{escape(title)}</h2>", *content, "</section>"])


def paragraph(text: str) -> str:
    """Plain words."""
    return f"<p>{escape(text)}</p>"
