"""`surpeer form`: the settings that add the rating and the prediction to a platform's review form."""

import json
from pathlib import Path
from typing import Annotated, Any

import typer

from surpeer.cli.failure import exit_codes, print_notes
from surpeer.errors import InputError, UnknownName
from surpeer.scale import PRESETS, Scale, plain_number
from surpeer.verdicts import usual_order

PLATFORMS = ("hotcrp", "openreview")
ASKS = ("shares", "text", "expected")

UPLOAD = {
    "hotcrp": "in HotCRP: Settings > Advanced > JSON settings; load it before the first review",
    "openreview": "in OpenReview: paste it into 'Additional review form options' of the Review Stage",
}


def command(
    platform: Annotated[str, typer.Argument(metavar="|".join(PLATFORMS), help="The platform.", show_default=False)],
    levels: Annotated[
        str | None,
        typer.Option(metavar="A,B,...", help="All ratings, lowest first: reject,accept or 1..6.", show_default=False),
    ] = None,
    scale: Annotated[
        str | None,
        typer.Option(
            metavar="NAME|FILE",
            help=f"Levels, values and labels in a TOML or JSON file, or one of {', '.join(PRESETS)}.",
            show_default=False,
        ),
    ] = None,
    ask: Annotated[
        str,
        typer.Option(
            metavar="|".join(ASKS),
            help="What reviewers predict: a share for every level (shares), the same in one line of text (text), or "
            "the mean rating of the others (expected).",
        ),
    ] = "shares",
    rating: Annotated[
        str | None,
        typer.Option(
            metavar="NAME", help="HotCRP: the name of the rating field.  [default: Overall merit]", show_default=False
        ),
    ] = None,
    venue: Annotated[
        str | None,
        typer.Option(
            metavar="ID", help="OpenReview: the id of the venue, as Conf.org/2026/Conference.", show_default=False
        ),
    ] = None,
    area_chairs: Annotated[
        bool, typer.Option("--area-chairs", help="OpenReview: area chairs see predictions too.")
    ] = False,
    output: Annotated[
        Path | None,
        typer.Option(
            "--output",
            "-o",
            metavar="FILE",
            help="Write the settings (JSON) here, and the page for reviewers beside it.  [default: print the settings]",
            show_default=False,
        ),
    ] = None,
    text: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="Where the page for reviewers goes.  [default: FILE-for-reviewers.md]",
            show_default=False,
        ),
    ] = None,
) -> None:
    """Make the review form that asks for ratings and predictions.

    Writes the settings that the platform takes, and with --output also a page that explains the questions to reviewers.

    Example: surpeer form hotcrp --levels 1..4 -o form.json
    """
    from surpeer.io.platforms.reviewer_page import reviewer_page
    from surpeer.io.whole_file import write_whole_bytes

    with exit_codes():
        if platform not in PLATFORMS:
            raise UnknownName("platform for a form", platform, PLATFORMS)
        if ask not in ASKS:
            raise UnknownName("kind of question", ask, ASKS)
        chosen = _scale(levels, scale)
        content = _settings(platform, chosen, ask, rating, venue, area_chairs)
        settings = json.dumps(content, ensure_ascii=False, indent=2) + "\n"
        page = text or (output.with_name(f"{output.stem}-for-reviewers.md") if output is not None else None)
        if page is not None and output is not None and page.absolute() == output.absolute():
            raise InputError(f"{page}: found one file for the settings and for the page, expected two")
        if page is not None:
            write_whole_bytes(page, reviewer_page(chosen, ask, platform, area_chairs).encode())
        if output is None:
            print(settings, end="")
        else:
            write_whole_bytes(output, settings.encode())
        written = [f"wrote {output}: {UPLOAD[platform]}"] if output is not None else []
        if chosen.labels == chosen.levels and plain_number(chosen.levels[0]) is not None:
            written.append("levels are numbers without words; a scale file (--scale) with labels gives them some")
        print_notes((*written, *([f"wrote {page}: send it to reviewers with the invitation"] if page else [])))


def _scale(levels: str | None, scale: str | None) -> Scale:
    from surpeer.io.scale_file import read_scale

    if levels is not None and scale is not None:
        raise InputError("found both --levels and --scale, expected one of them; leave the other out")
    if levels is None and scale is None:
        raise InputError("the form needs levels, lowest first: --levels 1..4, or --scale FILE")
    chosen = Scale.parse(levels) if levels is not None else read_scale(scale or "")
    usual = usual_order(chosen.levels)
    if usual is not None and usual != chosen.levels:
        found = ", ".join(chosen.levels)
        raise InputError(f"found the levels {found}, expected the lowest first: {','.join(usual)}")
    letters = "".join(chosen.levels)
    if len(letters) == len(chosen) and letters.isupper() and letters == "".join(sorted(letters)):
        found = f"the letters {letters[0]} to {letters[-1]}"
        raise InputError(f"found {found}, expected the lowest first; if A is the best grade, it comes last")
    return chosen


def _settings(
    platform: str, scale: Scale, ask: str, rating: str | None, venue: str | None, area_chairs: bool
) -> dict[str, Any]:
    if platform == "hotcrp":
        if venue is not None or area_chairs:
            raise InputError("--venue and --area-chairs are for OpenReview")
        from surpeer.io.platforms.hotcrp.settings import RATING, form_settings

        return form_settings(scale, ask, rating=rating or RATING)
    if rating is not None:
        raise InputError("--rating is for HotCRP; on OpenReview the field is called rating")
    if venue is None:
        raise InputError("OpenReview needs the id of the venue: --venue Conf.org/2026/Conference")
    from surpeer.io.platforms.openreview.form import form_options

    return form_options(scale, ask, venue, area_chairs=area_chairs)
