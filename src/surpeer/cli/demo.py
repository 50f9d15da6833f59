"""`surpeer demo`: a made-up venue, scored with all methods."""

import sys
from pathlib import Path
from typing import Annotated

import numpy as np
import polars as pl
import typer

from surpeer.cli.failure import exit_codes
from surpeer.cli.tables import plain_table, render, score_text
from surpeer.errors import InputError
from surpeer.io.whole_file import write_whole_bytes
from surpeer.pipeline import calibrate
from surpeer.ranking import Ranking
from surpeer.reviews import Reviews
from surpeer.scores import METHODS

SHOWN = 15
REPEATED = 50
SIDE_BY_SIDE = ("venue", "mean", "surprisal")  # more do not fit on a screen


def command(
    output: Annotated[Path, typer.Option("--output", "-o", metavar="FOLDER", help="Where to put the files.")] = Path(
        "surpeer-demo"
    ),
    papers: Annotated[int, typer.Option(min=3, max=2000, help="Size of the venue.")] = 60,
    seed: Annotated[int, typer.Option(min=0, help="Another number gives another venue.")] = 1,
) -> None:
    """Write a small made-up venue (reviews.csv, truth.csv) and score it with all methods."""
    from surpeer.demo import make_venue, pairwise_accuracy

    with exit_codes():
        venue = make_venue(np.random.default_rng(seed), papers)
        _write_new(output, {"reviews.csv": venue.reviews, "truth.csv": venue.truth})
        reviews = Reviews.from_table(venue.reviews)
        rankings = {name: calibrate(reviews, name) for name in METHODS}
        print(f"A made-up venue: {papers} papers, {len(reviews)} reviews. Some papers carry a cheap signal that sways")
        print("reviewers: a famous group (up) or an unfashionable topic (down). Reviewers know that it sways the")
        print("others too, and their predictions show it.")
        print()
        print(_side_by_side({name: rankings[name] for name in SIDE_BY_SIDE}, venue.truth), end="")
        print()
        print("How often two papers are put in the order of their true quality:")
        width = max(map(len, rankings))
        print(f"  {'method':<{width}}{'this venue':>12}{f'average of {REPEATED} such venues':>32}")
        averages = _average_accuracy(papers)
        for name, ranking in rankings.items():
            print(f"  {name:<{width}}{pairwise_accuracy(ranking, venue.truth):>12.1%}{averages[name]:>32.1%}")
        print("Chance decides much in one small venue; the average says more.")
        print()
        print(f"The files are in {output}. Try:")
        print(f"  {_called()} score {output / 'reviews.csv'}")
        print(f"  {_called()} decide {output / 'reviews.csv'} --accept 25%")
        print(f'  {_called()} explain {output / "reviews.csv"} "{venue.truth["paper"][0]}"')


def _called() -> str:
    """The command as the user typed it, which need not be on her path."""
    return sys.argv[0] if Path(sys.argv[0]).name == "surpeer" else "surpeer"


def _average_accuracy(papers: int) -> dict[str, float]:
    """One small venue says little; these are always the same ones."""
    from surpeer.demo import make_venue, pairwise_accuracy

    shares: dict[str, list[float]] = {name: [] for name in METHODS}
    for rng in np.random.default_rng(0).spawn(REPEATED):
        venue = make_venue(rng, papers)
        reviews = Reviews.from_table(venue.reviews)
        for name, found in shares.items():
            found.append(pairwise_accuracy(calibrate(reviews, name), venue.truth))
    return {name: float(np.mean(found)) for name, found in shares.items()}


def _write_new(folder: Path, tables: dict[str, pl.DataFrame]) -> None:
    """Write the files; a file that is there already with other content is somebody's work and stays."""
    texts = {folder / name: table.write_csv().encode() for name, table in tables.items()}
    for path, text in texts.items():
        if path.exists() and path.read_bytes() != text:
            raise InputError(f"{path} exists and is different; choose another folder with --output")
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(f"{folder}: cannot be made: {error.strerror or error}") from None
    for path, text in texts.items():
        write_whole_bytes(path, text)


def _side_by_side(rankings: dict[str, Ranking], truth: pl.DataFrame) -> str:
    """The best papers by true quality, with score and rank by each method."""
    best = truth.sort("true_quality", "paper", descending=[True, False]).head(SHOWN)
    places = {name: {row["paper"]: row for row in ranking} for name, ranking in rankings.items()}
    headings = ["paper", "cheap signal", "true quality", *(f"{name} (rank)" for name in rankings)]
    rows = []
    for row in best.iter_rows(named=True):
        cells = [row["paper"], row["cheap_signal"], f"{row['true_quality']:.2f}"]
        for by_paper in places.values():
            placed = by_paper[row["paper"]]
            score = placed["score"]
            cells.append(f"{score_text(score if isinstance(score, float) else None)} ({placed['rank']})")
        rows.append(cells)
    table = plain_table(headings, rows, right=headings[2:], fold=("cheap signal",))
    return f"The {len(best)} truly best papers\n" + render(table, sys.stdout.isatty())
