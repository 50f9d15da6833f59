"""One Python function on polars frames, run on every batch of a Spark DataFrame by mapInArrow."""

import warnings
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import polars as pl
import pyarrow as pa

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

BatchFunction = Callable[[Iterator[pl.DataFrame]], Iterator[pl.DataFrame]]

ARROW_TYPES = {
    pl.Int8: pa.int8(),
    pl.Int16: pa.int16(),
    pl.Int32: pa.int32(),
    pl.Int64: pa.int64(),
    pl.Float64: pa.float64(),
    pl.Boolean: pa.bool_(),
    pl.String: pa.string(),
    pl.Binary: pa.binary(),
    pl.List(pl.String): pa.list_(pa.string()),
    pl.List(pl.Float64): pa.list_(pa.float64()),
}
"""Those that Spark takes: it knows nothing of Arrow's large lists."""


@dataclass(frozen=True)
class Named:
    """A table whose columns are numbered, and the names that they have.

    Names can be such as p_1.5, which to Spark is a part of p_1, or Paper beside paper, which to Spark are the same.
    """

    table: "DataFrame"
    names: tuple[str, ...]

    @classmethod
    def of(cls, table: "DataFrame", names: Sequence[str] | None = None) -> "Named":
        """These columns of a table, or all of them; of two with one name the first."""
        numbered = table.toDF(*(f"c{at}" for at in range(len(table.columns))))
        names = table.columns if names is None else names
        return cls(numbered.select(*(f"c{table.columns.index(name)}" for name in names)), tuple(names))

    def column(self, name: str) -> str:
        """What a column is called in the table."""
        return self.table.columns[self.names.index(name)]


def map_batches(named: Named, function: BatchFunction, schema: pl.Schema) -> "DataFrame":
    """The frames that `function` makes of the batches of each partition, as a DataFrame with this schema."""
    names = named.names
    return map_arrow(named.table, lambda batches: function(_frame(batch, names) for batch in batches), schema)


def map_arrow(
    table: "DataFrame", function: Callable[[Iterator[pa.RecordBatch]], Iterator[pl.DataFrame]], schema: pl.Schema
) -> "DataFrame":
    """The same, for a function that takes the batches as Spark hands them over."""
    from pyspark.sql.pandas.types import from_arrow_schema

    target = arrow_schema(schema)

    def mapped(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        for frame in function(batches):
            yield from frame.to_arrow().cast(target).to_batches()

    with warnings.catch_warnings():
        warnings.simplefilter("ignore", FutureWarning)  # of Spark, about pandas, through which nothing passes
        return table.mapInArrow(mapped, from_arrow_schema(target))


def _frame(batch: pa.RecordBatch, names: Sequence[str]) -> pl.DataFrame:
    frame = pl.from_arrow(pa.Table.from_batches([batch]))
    if not isinstance(frame, pl.DataFrame):
        raise TypeError("a table of Arrow is a frame")
    return frame.rename(dict(zip(frame.columns, names, strict=True)))


def arrow_schema(schema: pl.Schema) -> pa.Schema:
    """The same columns for Arrow."""
    return pa.schema([(name, ARROW_TYPES[dtype]) for name, dtype in schema.items()])


def collected_named(named: Named, most: int) -> pl.DataFrame:
    """At most so many rows."""
    frame = collected(named.table.limit(most))
    return frame.rename(dict(zip(frame.columns, named.names, strict=True)))


def collected(table: "DataFrame") -> pl.DataFrame:
    """All rows of a small table."""
    frame = pl.from_arrow(table.toArrow())
    if not isinstance(frame, pl.DataFrame):
        raise TypeError("a table of Arrow is a frame")
    return frame


def broadcast(table: "DataFrame", value: Any) -> Any:
    """A value for every executor, sent once to each; `.value` has it there."""
    return table.sparkSession.sparkContext.broadcast(value)
