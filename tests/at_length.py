"""What the suite tries in part, `make test-slow` tries in full."""

from collections.abc import Callable, Iterable
from itertools import combinations, product
from typing import Any, TypeVar

import pytest
from hypothesis import settings

AT_LENGTH = "at length"
"""The profile of hypothesis while slow tests run: conftest.py loads it."""

ONE_OF = 4
"""The suite tries one of so many examples."""


Test = TypeVar("Test", bound=Callable[..., Any])


def is_slow_run() -> bool:
    return settings.get_current_profile_name() == AT_LENGTH


def in_both(test: Test) -> Test:
    """A test that tries more in `make test-slow` than in the suite, and so is in both."""
    return pytest.mark.slow(test) if is_slow_run() else test


def examples(number: int, **how: Any) -> Callable[[Any], Any]:
    """A test of hypothesis that has so many examples in `make test-slow`, and a part of them in the suite."""
    chosen = settings(max_examples=number if is_slow_run() else -(-number // ONE_OF), **how)
    return lambda test: in_both(chosen(test))


def every_pair(names: str, *values: Iterable[Any]) -> pytest.MarkDecorator:
    """All combinations of values; in the suite a few of them, in which every two values of two parameters meet.

    >>> [param.values for param in every_pair("a, b, c", "xy", "xy", "xy").args[1] if not param.marks]
    [('x', 'x', 'x'), ('x', 'y', 'y'), ('y', 'x', 'y'), ('y', 'y', 'x')]
    """
    every = list(product(*values))
    pairs = {one: set(combinations(enumerate(one), 2)) for one in every}
    chosen, missing = set(), set().union(*pairs.values())
    while missing:
        best = max(every, key=lambda one: len(pairs[one] & missing))  # the first of those that are equally good
        chosen.add(best)
        missing -= pairs[best]
    return pytest.mark.parametrize(
        names, [pytest.param(*one, marks=[] if one in chosen else pytest.mark.slow) for one in every]
    )
