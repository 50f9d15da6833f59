"""Text that a spreadsheet program would take for a formula, and run, when it opens a CSV file."""

import re

import polars as pl

STARTS = "=+-@＝＋－＠\t\r\n"
"""The characters that a formula begins with, in some program or other."""

_FORMULA = f"^[{re.escape(STARTS)}]"
_HARMLESS = r"^([+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d+)?|[+-]+)$"  # numbers, and grades such as "+" and "--"


def without_formulas(table: pl.DataFrame) -> pl.DataFrame:
    """The table with an apostrophe before every text that begins like a formula and is one.

    >>> without_formulas(pl.DataFrame({"paper": ["=1+1", "-7", "P1", "@SUM(A1)"]}))["paper"].to_list()
    ["'=1+1", '-7', 'P1', "'@SUM(A1)"]
    """
    texts = pl.col(pl.String)
    runs = texts.str.contains(_FORMULA) & ~texts.str.contains(_HARMLESS)
    return table.with_columns(pl.when(runs).then("'" + texts).otherwise(texts).name.keep())
