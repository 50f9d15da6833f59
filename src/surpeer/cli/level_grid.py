"""Numbers under the labels of the rating levels."""

from collections.abc import Iterator, Mapping, Sequence

from surpeer.core.shapes import FloatArray


def percentages(shares: FloatArray) -> list[str]:
    """With four digits at most: 27.5%, 33.33%."""
    return [f"{100 * share:.4g}%" for share in shares.tolist()]


def fractions(numbers: FloatArray) -> list[str]:
    """With six digits, as for checking a computation."""
    return [f"{number:.6g}" for number in numbers.tolist()]


def level_grid(labels: Sequence[str], rows: Mapping[str, list[str]]) -> Iterator[str]:
    """Rows of cells, each with its name, all aligned."""
    columns = list(zip(*rows.values(), strict=True))
    widths = [max(len(label), *map(len, cells)) for label, cells in zip(labels, columns, strict=True)]
    margin = max(map(len, rows))
    yield "   " + " " * margin + "".join(f"  {label:>{width}}" for label, width in zip(labels, widths, strict=True))
    for name, cells in rows.items():
        yield f"   {name:<{margin}}" + "".join(f"  {cell:>{width}}" for cell, width in zip(cells, widths, strict=True))
