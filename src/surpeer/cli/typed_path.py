"""Paths that remember how they were typed: `s3a://bucket/reviews` is no path of this machine and must stay as it is."""

import re
from pathlib import Path

ADDRESS = re.compile(r"[A-Za-z][A-Za-z0-9+.-]+://")


class TypedPath(type(Path())):  # type: ignore[misc]
    """A path with the text that it was made of."""

    __slots__ = ("typed",)
    typed: str


def typed_path(text: str) -> Path:
    """What a user typed, as a path."""
    path = TypedPath(text)
    path.typed = text
    return path


def as_typed(path: Path) -> str:
    """What the user typed.

    >>> as_typed(typed_path("hdfs:///reviews/*.parquet"))
    'hdfs:///reviews/*.parquet'
    """
    return path.typed if isinstance(path, TypedPath) else str(path)


def is_address(path: Path) -> bool:
    """Whether this names something on a cluster or in a cloud, not a file.

    >>> is_address(typed_path("s3a://bucket/reviews")), is_address(typed_path("reviews.csv"))
    (True, False)
    """
    return ADDRESS.match(as_typed(path)) is not None
