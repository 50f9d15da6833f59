"""`surpeer plot`: one chart as a picture in a file. The library twins are `ranking.plot()` and `decisions.plot()`."""

import inspect
import textwrap
from collections.abc import Callable
from pathlib import Path
from typing import Annotated

import typer

from surpeer.cli.failure import exit_codes, print_notes
from surpeer.cli.help_text import OUTPUT
from surpeer.cli.number_text import read_certainty
from surpeer.cli.options import AcceptOrNot, Certainty, MethodName
from surpeer.cli.paper_argument import paper_as_typed
from surpeer.cli.reviews_input import ReviewsInput, takes_reviews
from surpeer.cli.table_output import refuse_to_overwrite
from surpeer.pipeline import calibrate
from surpeer.report.charts import CHARTS
from surpeer.scores import DEFAULT_METHOD, find_method
from surpeer.typed_numbers import read_accept

HELP = """Draw one chart as a picture.

CHART is one of

\b
{charts}

Those of one paper need --paper.

Example: surpeer plot intervals reviews.csv --accept 25% -o intervals.svg
"""
WIDTH = 76


def _chart_list() -> str:
    """Every chart with what it shows, one below the other."""
    column = max(map(len, CHARTS)) + 4
    return "\n".join(
        textwrap.fill(chart.shows, WIDTH, initial_indent=f"  {name:<{column - 2}}", subsequent_indent=" " * column)
        for name, chart in CHARTS.items()
    )


def _chart_first(command: Callable[..., None]) -> Callable[..., None]:
    """`surpeer plot CHART REVIEWS`: what to draw, then of what."""
    signature = inspect.signature(command)
    parameters = dict(signature.parameters)
    chart = parameters.pop("chart")
    command.__signature__ = signature.replace(parameters=[chart, *parameters.values()])  # type: ignore[attr-defined]
    command.__doc__ = HELP.format(charts=_chart_list())
    return command


@_chart_first
@takes_reviews
def command(
    reviews: ReviewsInput,
    chart: Annotated[
        str, typer.Argument(metavar="CHART", help=f"What to draw: one of {', '.join(CHARTS)}.", show_default=False)
    ],
    output: Annotated[
        Path,
        typer.Option(
            "--output",
            "-o",
            metavar="FILE",
            help="Write the picture to this file: .svg or .png by its ending (.json is the Vega-Lite spec).",
            show_default=False,
            rich_help_panel=OUTPUT,
        ),
    ],
    paper: Annotated[
        str | None, typer.Option(metavar="ID", help="The paper, for charts of one paper.", show_default=False)
    ] = None,
    accept: AcceptOrNot = None,
    certainty: Certainty = "80%",
    method: MethodName = DEFAULT_METHOD,
    theme: Annotated[
        str, typer.Option(metavar="light|dark", help="The ground that it is drawn on.", rich_help_panel=OUTPUT)
    ] = "light",
    zoom: Annotated[
        float,
        typer.Option(metavar="NUMBER", help="Pixels of a PNG for each unit of the drawing.", rich_help_panel=OUTPUT),
    ] = 2.0,
) -> None:
    """Replaced by HELP, which lists the charts."""
    from surpeer.decisions import decide
    from surpeer.io.whole_file import check_file
    from surpeer.report.charts.theme import palette
    from surpeer.report.drawing import check_chart, find_chart, picture
    from surpeer.report.picture import check_ending, check_zoom

    with exit_codes():
        what, which = find_chart(chart), None if paper is None else paper_as_typed(paper)
        find_method(method)
        palette(theme)
        check_zoom(zoom)
        wanted, sure = None if accept is None else read_accept(accept), read_certainty(certainty)
        check_chart(what, which)
        refuse_to_overwrite(reviews.file, output, "picture")
        check_ending(output)
        check_file(output)
        loaded = reviews.load()
        ranking = calibrate(loaded, method)
        results = ranking if wanted is None else decide(ranking, wanted, certainty=sure)
        picture(results, chart, which, theme=theme).save(output, zoom=zoom)
        print_notes(loaded.notes)
        print(f"{output}: the chart {what.name}. {what.shows}")
