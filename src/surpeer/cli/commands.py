"""`surpeer`: the commands in one place."""

from typing import Annotated

import typer

from surpeer import __version__
from surpeer.cli.help_text import SETTINGS
from surpeer.cli.on_demand import GroupOnDemand, Listed

HELP = """Rank papers fairly by ratings and by what reviewers predict of each other.

Reviewers rate a paper and say what share of its other reviewers will give each rating. Their predictions show what was
to be expected of the paper whatever its quality; what counts is how far the ratings are above or below that.

Begin with: surpeer demo
"""

# In the order of a chair's work. Each summary is the first line of the command's own text.
COMMANDS = {
    "Rank and decide": {
        "demo": Listed("demo", "See what surpeer does, on a made-up venue."),
        "validate": Listed("validate", "List every problem of a file of reviews."),
        "score": Listed("score", "Rank the papers of a file of reviews."),
        "decide": Listed("decide", "Propose which papers to accept, to discuss and to reject."),
        "report": Listed("report", "Make the report to take into the meeting."),
        "plot": Listed("plot", "Draw one chart as a picture."),
        "explain": Listed("explain", "Show why one paper stands where it stands."),
        "compare": Listed("compare", "Say which of two papers is better, and how surely."),
    },
    "In the browser": {
        "serve": Listed("serve", "Collect reviews in the browser, watch them come in, decide."),
        "backup": Listed("backup", "Back up the venues in the browser into one file.", "backup"),
        "restore": Listed("backup", "Restore a backup of the venues in the browser.", "restore"),
    },
    "Before the reviews are written": {
        "form": Listed("form", "Make the review form that asks for ratings and predictions."),
        "plan": Listed("plan", "Tell how many reviewers per paper a venue needs."),
    },
    "Files and methods": {
        "platforms": Listed("platforms", "List the platforms whose exports can be read."),
        "convert": Listed("convert", "Turn a platform's export into a plain table of reviews."),
        "methods": Listed("methods", "List the ways to score papers, as --method takes them."),
    },
    "For researchers": {
        "reproduce": Listed("reproduce", "Regenerate every number and figure of Lu and Kong's article."),
        "bench": Listed("bench", "Measure how well the methods rank papers.", "app"),
    },
}


class Surpeer(GroupOnDemand):
    """All commands."""

    headings = COMMANDS


app = typer.Typer(
    name="surpeer",
    cls=Surpeer,
    help=HELP,
    context_settings=SETTINGS,
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)


def _print_version(wanted: bool) -> None:
    if wanted:
        print(f"surpeer {__version__}")
        raise typer.Exit


@app.callback(help=HELP)
def options(
    version: Annotated[
        bool, typer.Option("--version", help="Print the version and stop.", callback=_print_version, is_eager=True)
    ] = False,
) -> None:
    """What is not a command."""
