"""`surpeer demo`: a made-up venue, and how near to the truth its ranking comes."""

import sys
from pathlib import Path
from typing import Annotated

import numpy as np
import polars as pl
import typer

from surpeer.cli.failure import exit_codes
from surpeer.cli.tables import plain_table, render
from surpeer.errors import InputError
from surpeer.io.whole_file import write_whole_bytes
from surpeer.pipeline import calibrate
from surpeer.ranking import Ranking
from surpeer.reviews import Reviews
from surpeer.typed_numbers import read_accept

ACCEPTED, TITLE = "25%", "A made-up venue"
REPEATED = 50
NAMES = {"mean": "mean rating", "venue": "surpeer"}
"""The two methods that are compared, and what they are called here."""
SIGNALS = {"none": "no cheap signal", "famous group": "famous group", "unfashionable topic": "unfashionable topic"}
FAIR = """\
Papers with a cheap signal are as good as others on average, so in a fair ranking all three would be at {middle:g}.
"""

INTRODUCTION = """\
A made-up venue of {papers} papers with {reviews} reviews. Every paper has a true quality, which at a real venue nobody
knows. Some papers carry a cheap signal, which sways reviewers and is not quality: a famous group pushes ratings
up, an unfashionable topic pushes them down.

Each reviewer said accept or reject, and what share of the paper's other reviewers would say so. Reviewers know what
sways the others, so their predictions give it away: surpeer ranks a paper by how far its ratings are above or
below what the predictions led one to expect.
"""


def command(
    output: Annotated[Path, typer.Option("--output", "-o", metavar="FOLDER", help="Where to put the files.")] = Path(
        "surpeer-demo"
    ),
    papers: Annotated[int, typer.Option(min=3, max=2000, metavar="N", help="How many papers the venue has.")] = 60,
    seed: Annotated[int, typer.Option(min=0, metavar="N", help="Another number gives another venue.")] = 1,
) -> None:
    """See what surpeer does, on a made-up venue.

    Writes reviews.csv, as any venue could have it, truth.csv, which only a made-up venue has, and report.html, to be
    opened in a browser; shows how near to the truth the ranking comes in such venues; and says what to try next.

    Example: surpeer demo
    """
    from surpeer.demo import make_venue, pairwise_accuracy

    with exit_codes():
        venue = make_venue(np.random.default_rng(seed), papers)
        _write_new(output, {"reviews.csv": venue.reviews, "truth.csv": venue.truth})
        reviews = Reviews.from_table(venue.reviews)
        rankings = {name: calibrate(reviews, name) for name in NAMES}
        print(INTRODUCTION.format(papers=papers, reviews=len(reviews)))
        print(_averages(papers))
        here = [f"{NAMES[name]} {pairwise_accuracy(rankings[name], venue.truth):.0%}" for name in NAMES]
        print(f"Right pairs in this one venue: {', '.join(here)}. In one venue chance decides much; averages say more.")
        print()
        path = output / "reviews.csv"
        print(_report(rankings["venue"], path, output / "report.html"))
        print()
        print(f"The files are in {output}. Try:")
        print(f"  {_called()} score {path}    # the ranking")
        print(f"  {_called()} decide {path} --accept 25%    # what to accept, discuss and reject")
        print(f'  {_called()} explain {path} "{_moved_most(rankings)}"    # why a paper stands where it stands')


def _report(ranking: Ranking, reviews: Path, output: Path) -> str:
    """Write the report that a chair of this venue would make, and say where it is."""
    from surpeer.decisions import decide
    from surpeer.report.origin import Origin, input_files
    from surpeer.report.write import write_report

    command = ("surpeer", "report", str(reviews), "--accept", ACCEPTED, "--title", TITLE, "--output", str(output))
    origin = Origin(command=command, paths=(str(reviews), str(output)), inputs=input_files([reviews]))
    try:
        write_report(decide(ranking, read_accept(ACCEPTED)), output, title=TITLE, origin=origin)
    except InputError as error:  # the extra is not installed
        return f"No report: {error}"
    return f"Open {output} in a browser: the report that a chair takes into the meeting, if {ACCEPTED} can be accepted."


def _moved_most(rankings: dict[str, Ranking]) -> str:
    """The paper that predictions moved furthest; the first of several."""
    by_mean = {str(row["paper"]): row["rank"] for row in rankings["mean"]}
    moves = {
        str(row["paper"]): abs(int(str(row["rank"])) - int(str(by_mean[str(row["paper"])])))
        for row in rankings["venue"]
    }
    return max(sorted(moves), key=moves.__getitem__)


def _called() -> str:
    """The command as the user typed it, which need not be on her path."""
    return sys.argv[0] if Path(sys.argv[0]).name == "surpeer" else "surpeer"


def _averages(papers: int) -> str:
    """How near to the truth both rankings come on average. One small venue says little; these are always the same."""
    from surpeer.demo import make_venue, mean_rank_by_signal, pairwise_accuracy

    right: dict[str, list[float]] = {name: [] for name in NAMES}
    ranks: dict[str, list[pl.DataFrame]] = {name: [] for name in NAMES}
    for rng in np.random.default_rng(0).spawn(REPEATED):
        venue = make_venue(rng, papers)
        reviews = Reviews.from_table(venue.reviews)
        for name in NAMES:
            ranking = calibrate(reviews, name)
            right[name].append(pairwise_accuracy(ranking, venue.truth))
            ranks[name].append(mean_rank_by_signal(ranking, venue.truth))
    rows = [
        ["pairs of papers in the right order (tossing a coin: 50%)", *(f"{np.mean(right[name]):.1%}" for name in NAMES)]
    ]
    places = {
        name: pl.concat(found).group_by("cheap_signal").agg(pl.col("rank").mean()) for name, found in ranks.items()
    }
    for signal, words in SIGNALS.items():
        found = [places[name].filter(pl.col("cheap_signal") == signal)["rank"] for name in NAMES]
        cells = [f"{rank[0]:.1f}" if len(rank) else "-" for rank in found]
        rows.append([f"average rank of papers: {words}", *cells])
    headings = [f"{REPEATED} such venues, on average", *NAMES.values()]
    table = render(plain_table(headings, rows, right=headings[1:], fold=headings[:1]), sys.stdout.isatty())
    return table + FAIR.format(middle=(papers + 1) / 2)


def _write_new(folder: Path, tables: dict[str, pl.DataFrame]) -> None:
    """Write the files; a file that is there already with other content is somebody's work and stays."""
    texts = {folder / name: table.write_csv().encode() for name, table in tables.items()}
    for path, text in texts.items():
        if path.exists() and path.read_bytes() != text:
            raise InputError(f"{path} exists and is different; choose another folder, as in --output demo2")
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(f"{folder}: cannot be made: {error.strerror or error}") from None
    for path, text in texts.items():
        write_whole_bytes(path, text)
