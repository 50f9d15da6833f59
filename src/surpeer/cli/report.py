"""`surpeer report`: a file of reviews -> one HTML file to look at. The library twin is `surpeer.write_report`."""

import sys
from pathlib import Path
from typing import Annotated

import typer

from surpeer.cli.failure import exit_codes, print_notes
from surpeer.cli.help_text import OUTPUT
from surpeer.cli.number_text import read_certainty
from surpeer.cli.options import AcceptOrNot, Certainty, MethodName
from surpeer.cli.reviews_input import ReviewsInput, takes_reviews
from surpeer.cli.table_output import refuse_to_overwrite
from surpeer.errors import InputError, counted
from surpeer.pipeline import calibrate
from surpeer.scores import DEFAULT_METHOD, find_method
from surpeer.typed_numbers import read_accept

ENDINGS = (".html", ".htm")


@takes_reviews
def command(
    reviews: ReviewsInput,
    output: Annotated[
        Path,
        typer.Option(
            "--output", "-o", metavar="FILE", help="Write the report to this file (.html).", rich_help_panel=OUTPUT
        ),
    ] = Path("report.html"),
    accept: AcceptOrNot = None,
    certainty: Certainty = "80%",
    audience: Annotated[
        str,
        typer.Option(
            metavar="chair|committee|public",
            help="Who will see it. chair: everything. committee: no reviewers. public: no single paper. What they may "
            "not see is not in the file.",
            rich_help_panel=OUTPUT,
        ),
    ] = "chair",
    title: Annotated[
        str,
        typer.Option(
            metavar="TEXT", help="The name of your venue, for the head.", show_default=False, rich_help_panel=OUTPUT
        ),
    ] = "",
    method: MethodName = DEFAULT_METHOD,
) -> None:
    """Make the report to take into the meeting.

    One HTML file to look at. It has the ranking with how sure it is, the papers to discuss, what the predictions
    changed and whether they were any good, a card for every paper, and how the data were read. It opens in any browser,
    loads nothing from the network, and can be printed.

    Example: surpeer report reviews.csv --accept 25% -o report.html
    """
    from surpeer.decisions import Decisions, decide
    from surpeer.io.whole_file import check_file
    from surpeer.proposals import Proposal
    from surpeer.ranking_notes import all_notes
    from surpeer.report.origin import Origin, input_files
    from surpeer.report.page import check_installed
    from surpeer.report.write import read_audience, write_report

    with exit_codes():
        find_method(method)
        for_whom = read_audience(audience)
        wanted, sure = None if accept is None else read_accept(accept), read_certainty(certainty)
        _check_ending(output)
        refuse_to_overwrite(reviews.file, output, "report")
        check_file(output)
        check_installed()
        replaced = " (replaced)" if output.exists() else ""
        loaded = reviews.load()
        ranking = calibrate(loaded, method)
        results = ranking if wanted is None else decide(ranking, wanted, certainty=sure)
        files = [path for path in (reviews.file, reviews.form, reviews.columns) if path is not None]
        named = (*files, reviews.key, reviews.scale, output)
        origin = Origin(
            command=("surpeer", *sys.argv[1:]),
            paths=tuple(str(path) for path in named if path is not None),
            inputs=input_files(files),
        )
        write_report(results, output, audience=for_whom, title=title, origin=origin)
        notes = all_notes(results)
        if isinstance(results, Decisions):
            discuss = f", {results.count(Proposal.DISCUSS):,} of them to discuss"
        else:
            notes.append("no cut and no proposals, because --accept does not say how many papers can be accepted")
            discuss = ""
        print_notes(tuple(notes))
        print(
            f"{output}{replaced}: a report on {counted(len(ranking), 'paper')}{discuss}; "
            f"for the {for_whom}: {for_whom.meaning}"
        )


def _check_ending(output: Path) -> None:
    if output.suffix.lower() not in ENDINGS:
        raise InputError(f"{output}: a report is a web page; end the name in .html, as in --output report.html")
