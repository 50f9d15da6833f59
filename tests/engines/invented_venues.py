"""Invented reviews in every shape that surpeer reads: small ones with all kinds of predictions, ids and gaps, and
simulated ones whose predictions say something, so that the venue method follows them."""

from typing import Any

import numpy as np
import polars as pl
from scipy.stats import norm

from surpeer.scale import Scale


def venue(levels: int, papers: int = 25, reviews: int = 90, seed: int = 0, step: int = 10) -> pl.DataFrame:
    """Predictions in steps of per cents, so that determinants are often exactly zero."""
    rng = np.random.default_rng(seed)
    shares = rng.multinomial(100 // step, [1 / levels] * levels, size=reviews) * step / 100
    return pl.DataFrame(
        {
            "paper": rng.integers(0, papers, reviews),
            "rating": [str(level + 1) for level in rng.integers(0, levels, reviews)],
            **{f"p_{level + 1}": shares[:, level] for level in range(levels)},
        }
    )


def simulated(levels: int, papers: int = 200, each: int = 5, seed: int = 0, step: int = 5) -> pl.DataFrame:
    """Papers look good or bad, which reviewers predict, and are good or bad, which they do not. Shuffled."""
    rng = np.random.default_rng(seed)
    look, quality = rng.normal(0, 1.2, papers), rng.normal(0, 0.7, papers)
    paper = np.repeat(np.arange(papers), each)
    edges = np.linspace(-1.5, 1.5, levels - 1)
    rating = np.searchsorted(edges, (look + quality)[paper] + rng.normal(0, 1, len(paper)))
    centre = look[paper] + (rating - (levels - 1) / 2) / levels + rng.normal(0, 0.3, len(paper))
    below = norm.cdf((edges - centre[:, None]) / 1.2)
    ends = np.zeros((len(paper), 1)), np.ones((len(paper), 1))
    shares = np.diff(np.concatenate([ends[0], below, ends[1]], axis=1), axis=1)
    whole = np.floor(shares * (100 // step))
    whole[np.arange(len(paper)), shares.argmax(axis=1)] += 100 // step - whole.sum(axis=1)
    columns = {f"p_{level + 1}": (whole[:, level] * step).astype(int) / 100 for level in range(levels)}
    frame = pl.DataFrame({"paper": paper * 3 + 5, "rating": [str(level + 1) for level in rating], **columns})
    return frame.sample(fraction=1, shuffle=True, seed=seed)


THREE = venue(3, seed=1)
NUMBER = pl.int_range(pl.len())
P = ("p_1", "p_2", "p_3")


def _missing(frame: pl.DataFrame, where: pl.Expr, names: tuple[str, ...] = P) -> pl.DataFrame:
    return frame.with_columns(pl.when(~where).then(pl.col(name)).alias(name) for name in names)


def _shares(frame: pl.DataFrame, shares: Any) -> pl.DataFrame:
    return frame.with_columns(pl.Series(name, shares[:, at]) for at, name in enumerate(P))


def _last_row(other: pl.DataFrame) -> pl.DataFrame:
    """The last row only is of the other table."""
    return pl.concat([THREE[:-1], other[-1:]])


def _tracks(frame: pl.DataFrame, names: list[str | None]) -> pl.DataFrame:
    return frame.with_columns(track=(pl.col("paper") % 3).replace_strict(dict(enumerate(names))))


_RANDOM = np.random.default_rng(2).dirichlet([1, 1, 1], len(THREE))
_SEVEN = np.round(_RANDOM[:, :2], 7)
_SEVEN = np.column_stack([_SEVEN, np.round(1 - _SEVEN.sum(axis=1), 7)])
_THIRDS = np.full((len(THREE), 3), 1 / 3)
_FLOATS = np.tile([0.1 + 0.2, 0.2, 0.5], (len(THREE), 1))
_MEANS = pl.Series("expected", np.random.default_rng(3).integers(10, 31, len(THREE)) / 10)
_IMPLIED = (pl.col("p_1") + 2 * pl.col("p_2") + 3 * pl.col("p_3")).round(4).alias("expected")
_MISSING = _missing(THREE, NUMBER % 7 == 0)
_PARTIAL = _missing(THREE, NUMBER % 7 == 0, ("p_2", "p_3"))

CASES: dict[str, pl.DataFrame] = {
    "two levels": venue(2, seed=2),
    "four levels": venue(4, seed=4),
    "five levels": venue(5, seed=5),
    "ten levels": venue(10, seed=10),
    "thirds": _shares(THREE, _THIRDS),
    "thirds in the last row": _last_row(_shares(THREE, _THIRDS)),
    "0.1 + 0.2": _shares(THREE, _FLOATS),
    "random floats": _shares(THREE, _RANDOM),
    "seven decimals": _shares(THREE, _SEVEN),
    "seven decimals in the last row": _last_row(_shares(THREE, _SEVEN)),
    "sums off by 0.001": THREE.with_columns((pl.col("p_1") + 0.001).round(6)),
    "missing": _MISSING,
    "missing in the last row": _missing(THREE, len(THREE) - 1 == NUMBER),
    "only in the last row": _missing(THREE, len(THREE) - 1 > NUMBER),
    "partial": _PARTIAL,
    "partial in the last row": _missing(THREE, len(THREE) - 1 == NUMBER, ("p_2", "p_3")),
    "partial and thirds": _missing(_last_row(_shares(THREE, _THIRDS)), NUMBER % 7 == 0, ("p_2", "p_3")),
    "expected": THREE.select("paper", "rating", _MEANS),
    "expected with gaps": THREE.select("paper", "rating", pl.when(NUMBER % 5 != 0).then(_MEANS).alias("expected")),
    "expected beside predictions": THREE.with_columns(_IMPLIED),
    "expected for missing predictions": _MISSING.with_columns(THREE.select(_IMPLIED)["expected"]),
    "prediction": venue(2).select("paper", "rating", prediction="p_2"),
    "list": THREE.select("paper", "rating", distribution=pl.concat_list(P)),
    "floats of 32 bits": THREE.with_columns(pl.col(P).cast(pl.Float32)),
    "thirds of 32 bits": _shares(THREE, _THIRDS).with_columns(pl.col(P).cast(pl.Float32)),
    "list of 32 bits": THREE.select("paper", "rating", distribution=pl.concat_list(P).cast(pl.List(pl.Float32))),
    "no predictions": THREE.select("paper", "rating"),
    "percent": THREE.with_columns((pl.col(name) * 100).round(0).cast(pl.Int64) for name in P),
    "labels": venue(2).select(
        "paper",
        pl.col("rating").replace({"1": "reject", "2": "accept"}),
        p_reject="p_1",
        p_accept="p_2",
    ),
    "tracks": _tracks(THREE, ["A", "B", "C"]),
    "tracks with gaps": _tracks(THREE, ["A", "B", None]),
    "tracks and partial": _tracks(_PARTIAL, ["A", "B", None]),
    "no track at all": THREE.with_columns(track=pl.lit(None, dtype=pl.String)),
    "titles": THREE.with_columns(title=pl.format("Title of {}", "paper")),
    "titles with gaps": THREE.with_columns(title=pl.when(NUMBER % 2 == 0).then(pl.format("T{}", "paper"))),
    "no title at all": THREE.with_columns(title=pl.lit("  ")),
    "titles and tracks": _tracks(THREE, ["A", "B", None]).with_columns(title=pl.format("T{}", "paper")),
    "single reviews": THREE.with_columns(paper=NUMBER),
    "unanimous": THREE.with_columns(rating=pl.lit("3")),
    "one paper": THREE.with_columns(paper=pl.lit(3, dtype=pl.Int64)),
    "reviewers": THREE.with_columns(reviewer=pl.format("R{}", NUMBER)),
    "reviewers with gaps": THREE.with_columns(reviewer=pl.when(NUMBER % 3 > 0).then(pl.format("R{}", NUMBER))),
    "negative ids": THREE.with_columns(paper=-1 - pl.col("paper")),
    "sparse ids": THREE.with_columns(paper=pl.col("paper") * 7919**3 - 10**12),
    "ids of 64 bits": THREE.with_columns(paper=pl.col("paper") * (2**58) - 2**62),
    "text ids": THREE.with_columns(paper=pl.format("P é{}", "paper")),
    "empty rows": pl.concat([THREE[:20], THREE.clear(3), THREE[20:]]),
}

FORMS_OF_SUMS = (
    "two levels",
    "ten levels",
    "thirds",
    "sums off by 0.001",
    "missing",
    "partial",
    "partial and thirds",
    "expected with gaps",
    "no predictions",
    "tracks with gaps",
    "tracks and partial",
    "titles with gaps",
    "titles and tracks",
    "one paper",
    "reviewers with gaps",
    "ids of 64 bits",
    "text ids",
)
"""Rows that are checked have the same form in many cases: these have one of every form, and every kind of ids."""

HOW: dict[str, dict[str, Any]] = {
    "percent": {"unit": "percent"},
    "sums off by 0.001": {"normalise": True},
    **{
        name: {"scale": Scale(["1", "2", "3"])}
        for name in ("expected", "expected with gaps", "list", "list of 32 bits", "no predictions")
    },
    "prediction": {"scale": Scale(["1", "2"])},
}
"""How a case has to be read."""
