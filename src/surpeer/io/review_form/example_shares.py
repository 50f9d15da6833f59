"""The example of a prediction, the same in every form and on the page that is sent to reviewers with it."""


def example_shares(levels: int) -> list[int]:
    """Shares in whole tens, the lowest level first and most on the level below the highest, which sum to 100.

    >>> example_shares(2), example_shares(4), sum(example_shares(11))
    ([40, 60], [10, 20, 50, 20], 100)
    """
    if levels == 2:
        return [40, 60]
    shares = [0] * levels
    shares[-1], shares[-2], shares[-3] = 20, 50, 20
    shares[max(0, levels - 4)] += 10
    return shares
