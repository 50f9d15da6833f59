"""`surpeer score`: a file of reviews -> a ranking. The library twin is `surpeer.calibrate`."""

from surpeer.cli.failure import exit_codes, print_notes
from surpeer.cli.options import Levels, MethodName, ReviewsFile, ScaleName, UnitName, Values, load_reviews
from surpeer.cli.table_output import OutputFile, OutputFormat, choose_format, refuse_to_overwrite, write_result
from surpeer.cli.venue_text import track_notes
from surpeer.pipeline import calibrate
from surpeer.ranking import Ranking
from surpeer.scores import DEFAULT_METHOD, find_method


def command(
    reviews: ReviewsFile,
    method: MethodName = DEFAULT_METHOD,
    levels: Levels = None,
    values: Values = None,
    scale: ScaleName = None,
    unit: UnitName = "fraction",
    output: OutputFile = None,
    output_format: OutputFormat = None,
) -> None:
    """Rank the papers of a file of reviews.

    Columns of REVIEWS: paper, reviewer (optional), rating, and p_<level> for every level, the predicted share of other
    reviewers who give that level; some of them, only `prediction` (of the highest level), or only `expected` (the
    rating expected of another reviewer) will do for the method venue. A column `track` has each track judged by itself.

    Example: surpeer score reviews.csv --levels reject,accept --unit percent -o ranking.csv
    """
    with exit_codes():
        find_method(method)
        kind = choose_format(output_format, output)
        refuse_to_overwrite(reviews, output, "ranking")
        loaded = load_reviews(reviews, levels, values, scale, unit)
        ranking = calibrate(loaded, method)
        print_notes((*loaded.notes, *ranking_notes(ranking)))
        write_result(ranking, kind, output, _text)


def ranking_notes(ranking: Ranking) -> list[str]:
    """What a user should know about a ranking as a whole."""
    undefined = int((~ranking.scores.defined).sum())
    tracks = ranking.scores.outcome.tracks
    no_forecasts = not ranking.scores.matrices.source.has_forecast.any()  # then the reader has said so
    notes = [] if len(tracks) == 1 and no_forecasts else track_notes(tracks)
    if undefined:
        notes.append(
            f"{undefined:,} of {len(ranking):,} papers have no {ranking.scores.method} score "
            "and are compared by their mean rating (see the status column)"
        )
    if ranking.broken:
        notes.append(
            f"comparisons by score and by mean contradict each other; the ranking breaks {ranking.broken:,} of them "
            "(papers flagged cycle)"
        )
    return notes


def _text(ranking: Ranking, for_terminal: bool) -> str:
    from surpeer.cli.tables import ranking_text

    return ranking_text(ranking, for_terminal)
