"""Products with the columns of many papers: right, and to the last bit the same whatever columns are beside them."""

import numpy as np
import pytest

from surpeer.core.venue import columnwise
from surpeer.core.venue.columnwise import ALONE, TILE, sums_of_products, times_columns

SHAPES = [(10, 8), (10, 18), (13, 10), (2, 1), (9, 4), (1, 5), (10, 48)]


@pytest.fixture(params=["library", "slow way"])
def way(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    if request.param == "slow way":
        monkeypatch.setattr(columnwise, "_alike", lambda *_: False)
    return str(request.param)


@pytest.mark.usefixtures("way")
@pytest.mark.parametrize("shape", SHAPES)
def test_no_bit_of_a_column_depends_on_the_others(shape: tuple[int, int]) -> None:
    rng = np.random.default_rng(1)
    matrix, columns = rng.normal(size=shape), rng.normal(size=(shape[1], 5 * TILE + 7))
    whole = times_columns(matrix, columns)
    np.testing.assert_allclose(whole, matrix @ columns, rtol=1e-12, atol=1e-13)
    for count in (1, 2, 3, TILE - 1, TILE, TILE + 1, 3 * TILE):
        papers = rng.integers(0, columns.shape[1], count)
        np.testing.assert_array_equal(times_columns(matrix, np.ascontiguousarray(columns[:, papers])), whole[:, papers])
        np.testing.assert_array_equal(times_columns(matrix, columns[:, 5 : 5 + count]), whole[:, 5 : 5 + count])


def test_a_library_that_does_not_treat_columns_alike_is_found_out(monkeypatch: pytest.MonkeyPatch) -> None:
    def uneven(matrix: np.ndarray, columns: np.ndarray) -> np.ndarray:
        product: np.ndarray = matrix @ columns
        product[:, -1] = np.nextafter(product[:, -1], np.inf)
        return product

    assert columnwise._alike.__wrapped__(7, 5)
    monkeypatch.setattr(columnwise, "_in_tiles", uneven)
    assert not columnwise._alike.__wrapped__(7, 5)


@pytest.mark.parametrize("rows", [(1, 4), (4, 1), (3, 7), (2, 2)])
@pytest.mark.parametrize("count", [1, 50, ALONE // 3])
def test_sums_of_products_are_added_up_over_all_pieces(rows: tuple[int, int], count: int) -> None:
    rng = np.random.default_rng(count)
    one, two = rng.normal(size=(rows[0], count)), rng.normal(size=(rows[1], count))
    np.testing.assert_allclose(sums_of_products(one, two), np.einsum("rn,fn->rf", one, two), rtol=1e-9, atol=1e-9)
