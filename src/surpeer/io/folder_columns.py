"""Columns that are in the names of folders: votes/track=theory/part-0.parquet, as Spark, Hive and DuckDB write them."""

from collections.abc import Mapping, Sequence
from urllib.parse import unquote

from surpeer.columns import is_ours
from surpeer.errors import InputError, listed

NO_VALUE = "__HIVE_DEFAULT_PARTITION__"

LISTED = 5

FolderColumns = Mapping[str, str | None]
"""Of a file: the value of each column, which is text, or nothing."""


def folder_columns(folders: Sequence[str]) -> FolderColumns:
    """What the names of folders say of all reviews in them, as far as it means something to us.

    >>> folder_columns(["2027", "track=theory%2Fproofs", "part=3"])
    {'track': 'theory/proofs'}
    """
    pairs = [name.partition("=") for name in folders]
    return {
        unquote(name): None if value == NO_VALUE else unquote(value)
        for name, sign, value in pairs
        if sign and is_ours(unquote(name))
    }


def names_in_folders(source: str, by_file: Mapping[str, FolderColumns]) -> tuple[str, ...]:
    """The columns that are in the names of folders, which must be the same for all files."""
    names = dict.fromkeys(name for columns in by_file.values() for name in columns)
    for name in names:
        without = [file for file, columns in by_file.items() if name not in columns]
        if without:
            raise InputError(
                f"{source}: found {name}= in the names of folders of some files and not of others "
                f"({listed(without, LISTED)}), expected it for all; choose files that belong together with a pattern, "
                "or rename the folders"
            )
    return tuple(names)


def refuse_both(source: str, in_folders: Sequence[str], in_files: Sequence[str]) -> None:
    """A column is in one place, so that nobody need ask which of two values counts."""
    both = [name for name in in_folders if name in in_files]
    if both:
        raise InputError(
            f"{source}: found {listed(both, LISTED)} both as a column of the files and in the names of folders "
            f"({both[0]}=...), expected it once; rename the folders, or leave the column out of the files"
        )
