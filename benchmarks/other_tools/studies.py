"""Real votes on questions with a known answer, as venues: questions are papers, people are reviewers."""

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import polars as pl

from other_tools.worlds import Venue
from surpeer.core.shapes import IntArray
from surpeer.errors import InputError, quoted
from surpeer.experiments.bench.grid import generator
from surpeer.experiments.bench.studies import FILES, Study, read_studies
from surpeer.reviews import Reviews
from surpeer.scale import Scale

PERSON = "subject"


def real_venues(folder: Path, people: int | None, panels: int, seed: int) -> Iterator[tuple[str, Iterator[Venue]]]:
    """Every study by name with its venues: everybody, or random panels of so many people for each question."""
    for study, (file, item) in zip(read_studies(folder), FILES.items(), strict=True):
        person = read_people(folder / file, item)
        rngs = (generator(seed, f"{study.name} {people}", at) for at in range(panels))
        yield study.name, (as_venue(study, person, choose_rows(rng, study.item, people)) for rng in rngs)


def read_people(path: Path, item: str) -> pl.Series:
    """Who answered, in the order of the study's answers."""
    table = pl.read_csv(path, infer_schema=False)
    if PERSON not in table.columns:
        raise InputError(f"{path}: no column {quoted(PERSON)}, expected one that says who answered")
    return table.sort(pl.col(item).str.strip_chars(), maintain_order=True)[PERSON]


def choose_rows(rng: np.random.Generator, item: IntArray, people: int | None) -> IntArray:
    """So many random answers to each question; all where there are fewer. `item` is sorted."""
    shuffled = rng.permutation(len(item))
    by_item = shuffled[np.argsort(item[shuffled], kind="stable")]
    place = np.arange(len(item)) - np.searchsorted(item, item)
    return np.sort(by_item[place < (len(item) if people is None else people)])


def as_venue(study: Study, person: pl.Series, rows: IntArray) -> Venue:
    predicted = study.forecast[rows]
    reviews = Reviews(
        Scale((0, 1)),
        pl.Series(np.arange(len(study.truth))),
        study.item[rows],
        study.vote[rows],
        np.stack([1 - predicted, predicted], axis=1),
        person.gather(rows),
    )
    return Venue(reviews, study.truth.astype(np.float64))
