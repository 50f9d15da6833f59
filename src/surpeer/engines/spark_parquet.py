"""Parquet files on a cluster. Columns may have different types in different files, as on other engines: files with the
same types are read together, and what is read is brought to types that hold all of it."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import reduce
from typing import TYPE_CHECKING
from urllib.parse import quote

from surpeer.columns import DISTRIBUTION, PAPER, RATING, REVIEWER, TITLE, TRACK, is_ours
from surpeer.engines.spark_heads import look_at_all, parquet_columns
from surpeer.engines.spark_listing import SparkFile, SparkFiles
from surpeer.errors import Problem, ReviewProblems
from surpeer.findings import mixed_ids
from surpeer.io.files_together import common_names
from surpeer.io.folder_columns import NO_VALUE, names_in_folders, refuse_both

if TYPE_CHECKING:
    from pyspark.sql import Column, DataFrame, SparkSession
    from pyspark.sql.types import DataType

Types = Mapping[str, "DataType"]


def read_parquet(session: "SparkSession", files: SparkFiles) -> tuple["DataFrame", tuple[str, ...]]:
    """The rows of the files, and the names of all columns. Rows have those of ours, and others that have one type."""
    by_file = _types_of_all(session, files)
    names = common_names(files.source, files.kind, {file.path: list(types) for file, types in by_file.items()})
    in_folders = names_in_folders(files.source, {file.path: file.folders for file in by_file})
    refuse_both(files.source, in_folders, names)
    different = {name: {types[name].json() for types in by_file.values()} for name in names}
    read = [name for name in names if is_ours(name) or len(different[name]) == 1]
    mixed = [name for name in read if len(different[name]) > 1]
    common = {
        name: _common_type(files, name, {file.name: types[name] for file, types in by_file.items()}) for name in mixed
    }
    tables = [_read(session, group, by_file[group.files[0]], read, common) for group in _groups(files, by_file, mixed)]
    return reduce(lambda table, other: table.unionByName(other), tables), (*names, *in_folders)


def _types_of_all(session: "SparkSession", files: SparkFiles) -> dict[SparkFile, Types]:
    """The types of the columns of every file, by what its end says; all damaged files at once."""
    found = look_at_all(files.source, files.addresses, lambda path, address: parquet_columns(session, path, address))
    return {file: {field.name: field.dataType for field in found[file.path].fields} for file in files.files}


def _groups(files: SparkFiles, by_file: Mapping[SparkFile, Types], mixed: Sequence[str]) -> list[SparkFiles]:
    """Files together with those in which the mixed columns have the same types; mostly all of them."""
    if not mixed:
        return [files]
    groups: dict[tuple[str, ...], list[SparkFile]] = {}
    for file, types in by_file.items():
        groups.setdefault(tuple(types[name].json() for name in mixed), []).append(file)
    return [replace(files, files=tuple(group), place=None) for group in groups.values()]


def _read(session: "SparkSession", group: SparkFiles, types: Types, read: Sequence[str], common: Types) -> "DataFrame":
    """The rows of files with the same types, as the common types, with the columns that are in the names of folders."""
    from pyspark.sql.types import StructType

    schema = StructType()
    for name in read:
        schema = schema.add(name, types[name])
    table = session.read.schema(schema).option("recursiveFileLookup", "true").parquet(*group.places)
    columns = [_as_type(name, types[name], common.get(name, types[name])).alias(name) for name in read]
    return table.select(*columns, *map(_folder_column, group.files[0].folders))


def _common_type(files: SparkFiles, name: str, by_file: Mapping[str, "DataType"]) -> "DataType":
    """A type for all that a column holds in different files.

    by_file : the types, by how messages name the files
    """
    from pyspark.sql.types import ArrayType, DecimalType, DoubleType, LongType, StringType

    kinds = {file: kind for file, kind in by_file.items() if not _is_empty(kind)}
    if name == PAPER:
        return _id_type(files, kinds)
    if len(set(kinds.values())) == 1:  # and in some files nothing
        return next(iter(kinds.values()))
    lists = [isinstance(kind, ArrayType) for kind in kinds.values()]
    if any(lists):
        if name == DISTRIBUTION and all(lists):
            return ArrayType(DoubleType())
        raise ReviewProblems(files.source, [_apart(name, kinds)])
    if any(not (_is_number(kind) or isinstance(kind, StringType)) for kind in kinds.values()):
        raise ReviewProblems(files.source, [_apart(name, kinds)])
    if all(map(_is_whole, kinds.values())):
        large = any(isinstance(kind, DecimalType) for kind in kinds.values())
        return DecimalType(20, 0) if large else LongType()
    is_text = name in (RATING, REVIEWER, TRACK, TITLE) or not all(map(_is_number, kinds.values()))
    return StringType() if is_text else DoubleType()


def _id_type(files: SparkFiles, by_file: Mapping[str, "DataType"]) -> "DataType":
    """Ids are text or whole numbers, the same everywhere; what is neither is refused when they are checked."""
    from pyspark.sql.types import DecimalType, LongType, StringType

    texts = [file for file, kind in by_file.items() if isinstance(kind, StringType)]
    numbers = [file for file in by_file if file not in texts]
    if texts and numbers:
        raise ReviewProblems(files.source, [mixed_ids(numbers[0], texts[0])])
    others = [kind for kind in by_file.values() if not _is_whole(kind)]
    if others or texts:
        return others[0]
    return DecimalType(20, 0) if any(isinstance(kind, DecimalType) for kind in by_file.values()) else LongType()


def _is_whole(kind: "DataType") -> bool:
    from pyspark.sql.types import DecimalType, IntegralType

    return isinstance(kind, IntegralType) or (isinstance(kind, DecimalType) and kind.scale == 0)


def _is_number(kind: "DataType") -> bool:
    from pyspark.sql.types import NumericType

    return isinstance(kind, NumericType)


def _is_empty(kind: "DataType") -> bool:
    """Whether a column of this type can hold nothing."""
    from pyspark.sql.types import NullType

    return isinstance(kind, NullType)


def _apart(name: str, by_file: Mapping[str, "DataType"]) -> Problem:
    """Types of which no common one is known."""
    first: dict[str, str] = {}
    for file, kind in by_file.items():
        first.setdefault(kind.simpleString(), file)
    found = " and ".join(f"{kind} in {file}" for kind, file in first.items())
    return Problem(None, name, found, "types that go together", "write the files again, with one type for the column")


def _as_type(name: str, kind: "DataType", target: "DataType") -> "Column":
    """A column as another type. A float of 32 bits stands for the number that it prints as, and a whole number that is
    stored as a float for itself."""
    from pyspark.sql import functions as f
    from pyspark.sql.types import ArrayType, FloatType, FractionalType, StringType

    column = _column(name)
    if kind == target:
        return column
    if isinstance(kind, ArrayType) and isinstance(kind.elementType, FloatType):
        return column.cast(ArrayType(StringType())).cast(target)
    if isinstance(kind, FloatType):
        column = column.cast(StringType())
    if isinstance(target, StringType) and isinstance(kind, FractionalType):
        whole = column.cast("double").cast("decimal(20,0)")
        return f.when(whole == column.cast("double"), whole.cast(StringType())).otherwise(column.cast(StringType()))
    return column.cast(target)


def _column(name: str) -> "Column":
    """A column by its name, whatever signs that has."""
    from pyspark.sql import functions as f

    return f.col("`" + name.replace("`", "``") + "`")


def _folder_column(name: str) -> "Column":
    """A column that is in the names of folders, as text, as on one machine: Spark itself would make numbers of some, so
    that 007 were 7."""
    from pyspark.sql import functions as f

    written = f.regexp_extract(f.col("_metadata.file_path"), rf"/\Q{quote(name)}\E=([^/]*)/", 1)
    value = _decoded(_decoded(written))  # the address of a file, and in it what no name of a file can have
    return f.when(value != NO_VALUE, value).alias(name)


def _decoded(written: "Column") -> "Column":
    from pyspark.sql import functions as f

    return f.coalesce(f.try_url_decode(f.replace(written, f.lit("+"), f.lit("%2B"))), written)
