"""Which window a form of a review was sent from, and what that window knows of: its hidden fields."""

import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from uuid import UUID, uuid4

WHOLE_NUMBER = re.compile(r"[0-9]{1,9}")


@dataclass(frozen=True)
class Window:
    """Where a form stands: its own key, and what it knows of."""

    key: UUID
    based_on: int = 0
    """The number of the submitted version when it was opened, 0 for none."""
    draft: int = 0
    """The number of the draft that it shows or has saved, 0 for none."""
    turn: int = 0
    """How many times it has saved."""

    @property
    def fields(self) -> Mapping[str, object]:
        """The hidden fields."""
        return asdict(self)


def window_of(post: Mapping[str, str]) -> Window:
    """As it was sent; where that was no form of ours, a new window that knows of nothing."""
    return whole_window(post) or Window(uuid4())


def whole_window(post: Mapping[str, str]) -> Window | None:
    """As it was sent; None where fields are missing or are none of ours."""
    numbers = [post.get(name) or "0" for name in ("based_on", "draft", "turn")]
    if not all(WHOLE_NUMBER.fullmatch(number) for number in numbers):
        return None
    try:
        return Window(UUID(post.get("key", "")), *map(int, numbers))
    except ValueError:
        return None
