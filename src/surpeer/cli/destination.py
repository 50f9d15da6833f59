"""`--to`: results in the file that a platform takes, or in a spreadsheet for everybody else."""

import io
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, BinaryIO, TypeAlias

import typer

from surpeer.cli.help_text import OUTPUT, TO_OPENREVIEW
from surpeer.errors import InputError, UnknownName, counted
from surpeer.io.whole_file import write_whole
from surpeer.io.whole_folder import write_whole_folder

if TYPE_CHECKING:  # decisions take a while to load
    from surpeer.decisions import Decisions
    from surpeer.ranking import Ranking

AnyResults: TypeAlias = "Ranking | Decisions"

ENDINGS = {"hotcrp": (".csv",), "openreview": (".csv", ".json", ""), "xlsx": (".xlsx",)}
DESTINATIONS = tuple(ENDINGS)

Destination = Annotated[
    str | None,
    typer.Option(
        "--to",
        metavar="|".join(DESTINATIONS),
        help="Write the file that HotCRP (tags) or OpenReview (decisions) takes, or a spreadsheet.",
        show_default=False,
        rich_help_panel=OUTPUT,
    ),
]
Venue = Annotated[
    str | None,
    typer.Option(
        metavar="ID",
        help="The id of the venue for the JSON file, such as Conf.org/2026/Conference.",
        show_default=False,
        rich_help_panel=TO_OPENREVIEW,
    ),
]
AcceptAs = Annotated[
    str | None,
    typer.Option(
        "--accept-as",
        metavar="TEXT",
        help="What the venue calls an acceptance.  [default: Accept]",
        show_default=False,
        rich_help_panel=TO_OPENREVIEW,
    ),
]
RejectAs = Annotated[
    str | None,
    typer.Option(
        "--reject-as",
        metavar="TEXT",
        help="What the venue calls a rejection.  [default: Reject]",
        show_default=False,
        rich_help_panel=TO_OPENREVIEW,
    ),
]


@dataclass(frozen=True, slots=True)
class OpenReviewWords:
    """What OpenReview needs to know beside the results; None where the user did not say."""

    venue: str | None
    accept: str | None
    reject: str | None


def destination_of(to: str | None, output: Path | None) -> str | None:
    """Where results go: a file that ends in .xlsx is a spreadsheet."""
    return "xlsx" if to is None and output is not None and output.suffix.lower() == ".xlsx" else to


def check_destination(
    to: str | None, output: Path | None, output_format: str | None, words: OpenReviewWords, decides: bool
) -> None:
    """Raise for options that do not go together, before anything is read.

    decides : whether it is known how many papers are accepted
    """
    if to != "openreview" and words != OpenReviewWords(None, None, None):
        raise InputError("--venue, --accept-as and --reject-as are for --to openreview")
    if to is None:
        return
    if to not in DESTINATIONS:
        raise UnknownName("destination", to, DESTINATIONS)
    if output_format is not None:
        raise InputError(f"found both --to {to} and --format, expected one of them; leave --format out")
    if to == "openreview" and not decides:
        raise InputError("OpenReview takes decisions: say how many papers can be accepted, as in --accept 25%")
    if output is None and to == "xlsx" and sys.stdout.isatty():
        raise InputError("a spreadsheet cannot be shown on a terminal; give it a file, as in --output ranking.xlsx")
    endings = ENDINGS[to]
    if output is not None and output.suffix.lower() not in endings:
        expected = ", ".join(f"a file ending in {ending}" if ending else "or a folder for both" for ending in endings)
        raise InputError(f"{output}: --to {to} writes {expected}; give --output such a name")


def write_to(to: str, results: AnyResults, output: Path | None, words: OpenReviewWords) -> list[str]:
    """Write the results for their destination; notes on what was written."""
    if to == "openreview" and output is not None and output.suffix == "":
        names = ("decisions.csv", "decisions.json")
        write_whole_folder(output, {name: _bytes(_openreview(name, words), results) for name in names})
        return [*_notes(to, results), f"wrote {' and '.join(str(output / name) for name in names)}"]
    writer = _writer(to, output.name if output is not None else "", words)
    if output is not None:
        write_whole(output, lambda stream: writer(results, stream))
    else:
        sys.stdout.buffer.write(_bytes(writer, results))
    return [*_notes(to, results), *([f"wrote {output}, a spreadsheet"] if to == "xlsx" and output is not None else [])]


def _bytes(writer: Callable[[AnyResults, BinaryIO], None], results: AnyResults) -> bytes:
    buffer = io.BytesIO()
    writer(results, buffer)
    return buffer.getvalue()


def _writer(to: str, name: str, words: OpenReviewWords) -> Callable[[AnyResults, BinaryIO], None]:
    if to == "hotcrp":
        from surpeer.io.platforms.hotcrp.tags import write_tags

        return write_tags
    if to == "xlsx":
        from surpeer.io.results_workbook import write_workbook

        return write_workbook
    return _openreview(name, words)


def _openreview(name: str, words: OpenReviewWords) -> Callable[[AnyResults, BinaryIO], None]:
    from surpeer.io.platforms.openreview import decisions

    said = {"accept": words.accept or decisions.ACCEPT, "reject": words.reject or decisions.REJECT}
    if name.lower().endswith(".json"):
        return lambda results, stream: decisions.write_decisions_json(results, stream, venue=words.venue, **said)
    return lambda results, stream: decisions.write_decisions_csv(results, stream, **said)


def _notes(to: str, results: AnyResults) -> list[str]:
    from surpeer.decisions import Decisions
    from surpeer.proposals import Proposal

    if to == "hotcrp":
        return ["upload the file in HotCRP under Assignments > Bulk update; only chairs see these tags"]
    if to == "openreview" and isinstance(results, Decisions):
        left = results.count(Proposal.DISCUSS)
        papers = counted(left, "paper")
        discussed = [f"{papers} to be discussed: no decision in the CSV, null in the JSON"] if left else []
        return [*discussed, "upload the CSV in OpenReview as the Decision CSV of the venue's decision stage"]
    return []
