"""Scaling numbers to a total. `static/surpeer/review_scaling.js` is its twin in the browser; a test compares them."""

from collections.abc import Sequence


def scaled(numbers: Sequence[int], whole: int) -> list[int]:
    """Whole numbers in (nearly) the same proportions that add up to `whole`, by largest remainders.

    Where remainders are equal the lower level comes first. Nothing can be scaled where all numbers are 0: then they
    are returned as they are.
    """
    total = sum(numbers)
    if total == 0:
        return list(numbers)
    floors = [number * whole // total for number in numbers]
    remainders = [number * whole % total for number in numbers]
    by_remainder = sorted(range(len(numbers)), key=lambda place: (-remainders[place], place))
    raised = set(by_remainder[: whole - sum(floors)])
    return [floor + (place in raised) for place, floor in enumerate(floors)]
