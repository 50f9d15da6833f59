"""Numbers with a comma before the decimals, as much of Europe writes them, where a comma can mean nothing else."""

import polars as pl

from surpeer.columns import EXPECTED, PREDICTION, SHARE_PREFIX
from surpeer.errors import counted

_DECIMAL_COMMA = r"^\s*[+-]?\d*,\d+\s*%?\s*$"


def with_points(frame: pl.DataFrame) -> tuple[pl.DataFrame, int]:
    """A table in our columns whose predictions have points, and how many numbers had commas."""
    columns, commas = [], 0
    for column in frame.iter_columns():
        if column.dtype == pl.String and _is_number_column(column.name):
            has_comma = column.str.contains(_DECIMAL_COMMA).fill_null(value=False)
            if has_comma.any():
                commas += int(has_comma.sum())
                columns.append(column.set(has_comma, None).fill_null(column.str.replace(",", ".", literal=True)))
    if not columns:
        return frame, 0
    return frame.with_columns(columns), commas


def comma_notes(commas: int) -> list[str]:
    """A note on so many numbers with a comma."""
    return [f"{counted(commas, 'number')} with a decimal comma read: 0,3 is 0.3"] if commas else []


def _is_number_column(name: str) -> bool:
    return name in (PREDICTION, EXPECTED) or name.startswith(SHARE_PREFIX)
