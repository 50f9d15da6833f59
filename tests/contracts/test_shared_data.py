"""Real forecasts, where they are to be had. The figures are ours; the data is not in the repository."""

from collections import Counter
from fractions import Fraction
from pathlib import Path

import numpy as np
import oracle
import polars as pl
import pytest

from surpeer import Reviews, Status, build_matrices, score

pytestmark = pytest.mark.shared_data


@pytest.mark.parametrize("method", ["surprisal", "venue"])
@pytest.mark.parametrize(("study", "item"), [("study1a", "state"), ("study2", "qname"), ("study4b", "title")])
def test_votes_with_known_truth_are_scored(shared_data: Path, study: str, item: str, method: str) -> None:
    table = pl.read_csv(shared_data / "prelec2017" / f"{study}.csv", infer_schema_length=None)
    table = table.filter(pl.col("own").is_in([0, 1]) & pl.col("meta").is_between(0, 1))
    reviews = Reviews.from_table(
        {"paper": table[item].cast(pl.String), "rating": table["own"].cast(pl.Int64), "prediction": table["meta"]}
    )
    scores = score(build_matrices(reviews), method)
    assert len(scores) == table[item].n_unique()
    finite = scores.status == Status.FINITE
    assert finite.all() if method == "venue" else finite.mean() > 0.5
    truth = (
        table.group_by(item)
        .agg(pl.col("actual").first().cast(pl.Float64))
        .sort(pl.col(item).cast(pl.String))["actual"]
        .to_numpy()
    )
    value = np.where(scores.defined, scores.value, np.nan)
    assert np.nanmedian(value[truth == 1]) > np.nanmedian(value[truth == 0])


def test_experts_with_full_distributions_are_scored_as_by_the_oracle(shared_data: Path) -> None:
    table = pl.read_csv(shared_data / "visionprize" / "visionprize_long.csv", infer_schema=False)
    statuses = []
    for _item, part in table.group_by("round", "question", maintain_order=True):
        names = [f"guess{at + 1}" for at in range(int(part["K"][0]))]
        rows = [
            (int(float(row["own"])) - 1, [row[name] for name in names])
            for row in part.iter_rows(named=True)
            if row["own"] and all(row[name] for name in names) and sum(float(row[name]) for name in names) == 100
        ]
        columns: dict[str, list[object]] = {"paper": ["item"] * len(rows), "rating": [rating + 1 for rating, _ in rows]}
        columns |= {f"p_{at + 1}": [float(shares[at]) for _, shares in rows] for at in range(len(names))}
        found = score(build_matrices(Reviews.from_table(columns, unit="percent")), "surprisal")["item"]
        fractions = [(rating, [str(Fraction(cell) / 100) for cell in shares]) for rating, shares in rows]
        expected = oracle.surprisal(fractions, [Fraction(at + 1) for at in range(len(names))])
        assert found.status.label == expected.status
        if expected.score is not None:
            assert found.value == pytest.approx(expected.score, rel=1e-12, abs=1e-12)
        statuses.append(expected.status)
    assert Counter(statuses) == {"finite": 10, "missing_signal": 9, "incoherent": 2}
