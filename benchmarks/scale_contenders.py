"""What `scale.py` compares: surpeer, and the bare calls that nobody can do without.

python benchmarks/scale_contenders.py NAME FILE LEVELS      seconds of one call, in a process of its own
"""

import sys
import time
from collections.abc import Callable
from functools import partial
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any
from unittest.mock import patch

import numpy as np
import polars as pl

from surpeer.engines.compiled import Compiled, load_loops
from surpeer.engines.score_files import large_run
from surpeer.io.first_look import ReadingOptions

Contender = Callable[[Path, int], object]


def read(path: Path, _levels: int) -> pl.DataFrame:
    """The bare read."""
    return pl.read_csv(path) if path.suffix == ".csv" else pl.read_parquet(path)


def group_by(path: Path, levels: int, products: bool = False) -> pl.DataFrame:
    """The bare streaming group-by: ratings of each level, and sums of the predictions by those who gave it.

    Shares sum to one, so one level less is added up than there are; polars has no faster way that we know to write it.
    """
    sums: list[pl.Expr] = []
    for own in range(levels):
        gave = pl.col("rating") == own
        sums.append(gave.sum().alias(f"n{own}"))
        shares = {f"s{own}_{level}": pl.col(f"p_{level}") for level in range(1, levels)}
        sums += [pl.when(gave).then(share).otherwise(0.0).sum().alias(name) for name, share in shares.items()]
    if products:
        pairs = [(one, two) for one in range(1, levels) for two in range(one, levels)]
        sums += [(pl.col(f"p_{one}") * pl.col(f"p_{two}")).sum().alias(f"t{one}_{two}") for one, two in pairs]
    scan = pl.scan_csv(path) if path.suffix == ".csv" else pl.scan_parquet(path)
    return scan.group_by("paper").agg(sums).collect(engine="streaming")


def scored(path: Path, _levels: int, method: str = "surprisal", engine: str = "polars") -> int:
    """Every paper scored by surpeer, files to scores; nothing is ranked or written."""
    with large_run(path, ReadingOptions(), method, engine=engine) as run:
        return sum(len(table) for table in run.scored())


def scored_by_loops(path: Path, levels: int) -> int:
    """The same in a process that has compiled loops at hand, where numba is installed; others do without."""
    with patch.object(Compiled, "loops", None):
        load_loops()
        return scored(path, levels)


CONTENDERS: dict[str, Contender] = {
    "read": read,
    "group-by": group_by,
    "group-by with products": partial(group_by, products=True),
    "surprisal": scored,
    "surprisal, compiled": scored_by_loops,
    "venue": partial(scored, method="venue"),
    "surprisal, duckdb": partial(scored, engine="duckdb"),
}


def others() -> dict[str, Callable[[pl.DataFrame], object]]:
    """What people use for small tables, where it is installed."""
    found: dict[str, Callable[[pl.DataFrame], object]] = {}
    if find_spec("pandas") is not None:
        found["pandas"] = _pandas_apply
        if find_spec("crowdkit") is not None:
            found["crowd-kit"] = _majority_vote
    return found


def _majority_vote(reviews: pl.DataFrame) -> object:
    worker = np.arange(len(reviews)) % 1000
    columns = {"task": reviews["paper"], "worker": pl.Series(worker), "label": reviews["rating"]}
    return import_module("crowdkit.aggregation").MajorityVote().fit_predict(_to_pandas(pl.DataFrame(columns)))


def _pandas_apply(reviews: pl.DataFrame) -> object:
    """The binary score, a function of the rows of one paper."""
    return _to_pandas(reviews).groupby("paper")[["rating", "p_1"]].apply(_score_one)


def _score_one(rows: Any) -> float:
    rating, share = rows["rating"], rows["p_1"]
    high, low = share[rating == 1].mean(), share[rating == 0].mean()
    if not high > low:
        return float("nan")
    prior = low / (low + 1 - high)
    return float((rating.mean() - prior) / np.sqrt(prior * (1 - prior) * (high - low)))


def _to_pandas(table: pl.DataFrame) -> Any:
    return import_module("pandas").DataFrame({name: table[name].to_numpy() for name in table.columns})


def main() -> None:
    name, path, levels = sys.argv[1:]
    begin = time.perf_counter()
    CONTENDERS[name](Path(path), int(levels))
    print(time.perf_counter() - begin)


if __name__ == "__main__":
    main()
