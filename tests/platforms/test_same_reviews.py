"""The same reviews in every format that we read."""

import json
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from platform_samples import LEVELS, RATINGS, SAMPLES, SHARES, rows_of, samples

from surpeer import InputError, ReviewProblems, Scale
from surpeer.io.content import Content, Sheet
from surpeer.io.platforms.registry import PLATFORMS
from surpeer.io.review_file import OURS, read_reviews

Write = Callable[[str, bytes], Path]
WITH_PREDICTIONS = [name for name in SAMPLES if name != "revnorm"]


def numbers(ratings: tuple[tuple[int, ...], ...]) -> list[int]:
    return [rating for row in ratings for rating in row]


@pytest.mark.parametrize("forced", [False, True])
@pytest.mark.parametrize("name", SAMPLES)
def test_every_format_gives_the_same_reviews(name: str, forced: bool, write: Write) -> None:
    sample = SAMPLES[name]
    platform = (sample.platform or OURS) if forced else None
    reviews = read_reviews(write(sample.name, sample.data), Scale(LEVELS), platform=platform)
    assert len(reviews.papers) == len(RATINGS)
    assert [int(reviews.scale.levels[rating]) for rating in reviews.rating] == numbers(RATINGS)
    assert reviews.reviewer is not None
    assert reviews.reviewer.n_unique() >= 3
    if name in WITH_PREDICTIONS:
        np.testing.assert_allclose(reviews.predictions, np.tile(np.array(SHARES) / 100, (9, 1)))


TYPED_PREDICTIONS = {
    name
    for name in WITH_PREDICTIONS
    if name.startswith(("easychair", "pretalx", "indico")) or name in ("openreview submissions", "openreview v1")
}
"""Formats whose samples have all shares in one text, and levels that may begin anywhere."""


@pytest.mark.parametrize("missing", [None, 1, 2, 3, 4])
@pytest.mark.parametrize("name", WITH_PREDICTIONS)
def test_levels_need_not_be_named_though_nobody_gave_one_of_them(name: str, missing: int | None, write: Write) -> None:
    ratings = tuple(tuple(rating % 4 + 1 if rating == missing else rating for rating in row) for row in RATINGS)
    sample = samples(ratings)[name]
    path = write(sample.name, sample.data)
    if missing == 4 and name in TYPED_PREDICTIONS:  # four numbers, and 1 to 3 occur: nobody can tell
        with pytest.raises(InputError, match="they may be 1 to 4 or 0 to 3"):
            read_reviews(path)
        return
    reviews = read_reviews(path)
    assert reviews.scale.levels == LEVELS
    assert [int(reviews.scale.levels[rating]) for rating in reviews.rating] == numbers(ratings)
    np.testing.assert_allclose(reviews.predictions, np.tile(np.array(SHARES) / 100, (9, 1)))


@pytest.mark.parametrize("name", [name for name, sample in SAMPLES.items() if sample.name.endswith(".csv")])
def test_a_header_alone_has_no_reviews(name: str, write: Write) -> None:
    sample = SAMPLES[name]
    head = sample.data.partition(b"\n1,")[0] if name == "cmt csv" else sample.data.partition(b"\n")[0]
    path = write(sample.name, head + b"\n")
    with pytest.raises(ReviewProblems, match="found no reviews, expected at least one"):
        read_reviews(path, platform=sample.platform)


@pytest.mark.parametrize("name", [name for name, one in SAMPLES.items() if one.name.endswith((".json", ".csv"))])
def test_only_its_own_platform_recognises_a_sample(name: str) -> None:  # the others have the same content
    sample = SAMPLES[name]
    is_json = sample.name.endswith(".json")
    content = (
        Content("file", json=json.loads(sample.data)) if is_json else Content("file", (Sheet(rows_of(sample.data)),))
    )
    found = [platform for platform in PLATFORMS if platform != "table" and PLATFORMS[platform].recognise(content)]
    assert found == ([sample.platform] if sample.platform else [])
