"""Lines of equal score: on each of them the paper's own formula gives that score."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from surpeer.core import joint_from_predictions, surprisal_score
from surpeer.core.contour_lines import score_line
from surpeer.errors import ArrayError


@given(st.integers(0, 12), st.integers(1, 12), st.sampled_from([-3.0, -1.0, -0.5, 0.25, 1.0, 2.0]))
def test_every_point_has_the_score(accepts: int, more: int, score: float) -> None:
    v = accepts / (accepts + more)
    line = score_line(v, score, 40)
    x, y = line[1:-1].T
    inside = (x > 1e-6) & (y < 1 - 1e-6) & (y - x > 1e-6)
    P = np.stack([np.stack([1 - x, x], axis=-1), np.stack([1 - y, y], axis=-1)], axis=-2)[inside]
    found = surprisal_score(np.broadcast_to([1 - v, v], (len(P), 2)), joint_from_predictions(P), [0, 1])
    assert found == pytest.approx(np.full(len(P), score), rel=1e-6)
    assert inside.any() == (v > 0 if score > 0 else v < 1)


@given(st.floats(0.05, 0.95), st.floats(0.1, 4))
def test_lines_run_from_what_came_on_the_diagonal_to_the_corner(v: float, score: float) -> None:
    for sign in (-1, 1):
        line = score_line(v, sign * score)
        assert line[-1] == pytest.approx([v, v], abs=1e-9)
        assert line[0] == pytest.approx([0, 1], abs=1e-9)
        assert (line >= -1e-12).all()
        assert (line <= 1 + 1e-12).all()


def test_no_surprise_is_the_line_of_priors_that_are_what_came() -> None:
    x, y = score_line(0.25, 0.0, 9)[:-1].T
    assert x / (x + 1 - y) == pytest.approx(np.full(8, 0.25))


@pytest.mark.parametrize(
    ("v", "score", "message"),
    [
        (1.5, 1.0, "v is 1.5, expected a share from 0 to 1"),
        (0.5, np.inf, "score is inf, expected a finite number"),
    ],
)
def test_impossible_lines_are_refused(v: float, score: float, message: str) -> None:
    with pytest.raises(ArrayError, match=message):
        score_line(v, score)
