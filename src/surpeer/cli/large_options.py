"""Which reviews go the way of large ones, and the options that say how: the same for all commands that take them."""

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from surpeer.cli.help_text import LARGE
from surpeer.cli.number_text import read_size
from surpeer.cli.reviews_input import ReviewsInput
from surpeer.cli.typed_path import as_typed, is_address
from surpeer.errors import InputError, UnknownName

if TYPE_CHECKING:
    from surpeer.io.first_look import ReadingOptions

ENGINES = ("polars", "duckdb", "spark")

# From this size on a table is not read into memory as a whole. Parquet is about a third of the same table as CSV.
LARGE_FILE = 64_000_000
LARGE_TEXT = 192_000_000

PARQUET = (".parquet", ".pq")
TABLES = (*PARQUET, ".csv", ".tsv", ".jsonl", ".ndjson")
PACKED = (".gz", ".zst")

Engine = Annotated[
    str | None,
    typer.Option(
        metavar="|".join(ENGINES),
        help="What adds the reviews up: polars or duckdb on this machine, or Apache Spark, on a cluster too.  "
        "[default: polars]",
        show_default=False,
        rich_help_panel=LARGE,
    ),
]
Memory = Annotated[
    str | None,
    typer.Option(
        metavar="SIZE",
        help="The most memory that this command may take, such as 512MB: what does not fit is kept on disk until the "
        "end.  [default: most of what is free]",
        show_default=False,
        rich_help_panel=LARGE,
    ),
]
Temp = Annotated[
    Path | None,
    typer.Option(
        metavar="FOLDER",
        help="Where that is kept.  [default: beside the result]",
        show_default=False,
        rich_help_panel=LARGE,
    ),
]
Master = Annotated[
    str | None,
    typer.Option(
        metavar="URL",
        help="With --engine spark: the cluster, such as spark://host:7077 or yarn.  [default: as Spark is configured, "
        "else this machine]",
        show_default=False,
        rich_help_panel=LARGE,
    ),
]


@dataclass(frozen=True, slots=True)
class LargeOptions:
    """What was typed about how large reviews are to be handled."""

    engine: str | None = None
    memory: str | None = None
    temp: Path | None = None
    master: str | None = None

    def check(self, reviews: ReviewsInput) -> None:
        """Raise for options that cannot be used, before anything is read."""
        if self.engine is not None and self.engine not in ENGINES:
            raise UnknownName("engine", self.engine, ENGINES)
        if is_address(reviews.file) and self.engine != "spark":
            raise InputError(f"{as_typed(reviews.file)}: Apache Spark reads such addresses; add --engine spark")
        if self.master is not None and self.engine != "spark":
            raise InputError("--master names a cluster of Apache Spark; add --engine spark")
        if self.engine == "spark" and (self.memory is not None or self.temp is not None):
            raise InputError("--memory and --temp are for engines on this machine; Spark is told in its own settings")

    def refuse_destination(self, to: str | None) -> None:
        """Raise for results that are made for a platform or a spreadsheet program."""
        if to is not None:
            raise InputError(
                f"--to {to}: found for reviews that are several files, packed or large; expected a result such as "
                "--output ranking.parquet or ranking.csv"
            )

    def bytes_of_memory(self) -> int | None:
        """The most that may be taken; None to take what is free."""
        from surpeer.engines.memory import LEAST

        return read_size("--memory", self.memory, LEAST) if self.memory is not None else None

    @property
    def given(self) -> bool:
        return (self.engine, self.memory, self.temp, self.master) != (None, None, None, None)


def is_large(reviews: ReviewsInput, large: LargeOptions) -> bool:
    """Whether these reviews go the way of large ones: because somebody said so, or because they are several files, or
    packed, or large."""
    large.check(reviews)
    path = reviews.file
    if large.given or path.is_dir() or (not path.exists() and set(path.name) & set("*?[")):
        return True
    endings = [ending.lower() for ending in path.suffixes[-2:]]
    if not endings or not path.is_file():
        return False
    if endings[-1] in PACKED:
        return endings[0] in TABLES
    return is_table_above(reviews, LARGE_FILE, LARGE_TEXT)


def is_table_above(reviews: ReviewsInput, parquet: int, text: int) -> bool:
    """Whether a file is a table in our own columns, and larger than this."""
    path, ending = reviews.file, reviews.file.suffix.lower()
    if ending not in TABLES or not path.is_file() or reviews.for_exports():
        return False
    return path.stat().st_size > (parquet if ending in PARQUET else text) and _is_ours(path)


def _is_ours(path: Path) -> bool:
    """Whether the first lines of a file have our own columns; exports of platforms are read whole."""
    from surpeer.io.tabular import is_our_table

    with path.open("rb") as stream:
        return is_our_table(path, stream.read(1_000_000))


def refuse_options_of_exports(reviews: ReviewsInput) -> None:
    """Raise for options that only make sense for files that are read whole."""
    refused = reviews.for_exports()
    if refused:
        raise InputError(
            f"{', '.join(refused)}: found for reviews that are several files, packed or large; these have to be tables "
            "in surpeer's own columns (`surpeer convert` makes one)"
        )


def reading_options(reviews: ReviewsInput) -> "ReadingOptions":
    """How large reviews are to be read, as it was typed."""
    from surpeer.io.first_look import ReadingOptions

    scale, values = reviews.scale_and_values()
    return ReadingOptions(scale, values, reviews.unit, reviews.normalise, reviews.drop_bad_predictions)
