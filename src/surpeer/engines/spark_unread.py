"""Rows that cannot be read, cells that nobody reads, and how numbers are written, on their way from executors to the
driver: in columns more of the table, which are empty for most rows."""

import json
from collections.abc import Iterable
from dataclasses import astuple
from itertools import starmap

import polars as pl

from surpeer.errors import Problem

UNREAD = "surpeer: not read"
"""What is wrong with a row that cannot be read, or with a file; all other cells of the row are empty."""

OTHER = "surpeer: other cells"
"""Filled where nothing but cells that nobody reads is: then the row is not empty, and lacks a paper."""

COMMAS = "surpeer: decimal commas"
"""How many numbers of some rows had one, with the first of these rows."""

BESIDE = (OTHER, UNREAD, COMMAS)


def unread_rows(problems: Iterable[Problem], schema: pl.Schema) -> pl.DataFrame:
    """A row for each problem."""
    texts = [json.dumps(astuple(problem)) for problem in problems]
    empty = {name: pl.Series([None] * len(texts), dtype=kind) for name, kind in schema.items() if name != UNREAD}
    return pl.DataFrame({**empty, UNREAD: pl.Series(texts, dtype=pl.String)}).select(schema.names())


def problems_in(column: Iterable[str | None]) -> list[Problem]:
    """The problems of such rows."""
    return list(starmap(Problem, (json.loads(text) for text in column if text is not None)))
