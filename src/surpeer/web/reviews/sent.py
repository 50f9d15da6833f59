"""What a form sent that could not be stored, because the browser it came from is not known as that of its reviewer.

Of the paper and of the venue nothing is looked up: whoever sent it may have no link at all. All that is shown is what
this very request brought along, the names of the levels among them (the form sends them for this).
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from django.http import HttpRequest, QueryDict

LABELS = "labels"
"""The field with the names of the levels, one on each line."""
NUMBER = re.compile(r"number_[0-9]{1,3}")
TEXTS = {"comment": "Comment to the chairs", "declined_because": "Why you decline"}
NOT_SENT_AGAIN = {"csrfmiddlewaretoken", *TEXTS}


@dataclass(frozen=True)
class Sent:
    """The form as it arrived."""

    address: str
    """Where it is sent again."""
    post: QueryDict

    @classmethod
    def by(cls, request: HttpRequest) -> "Sent | None":
        """None where nobody typed anything."""
        sent = cls(request.path.removesuffix("draft/"), request.POST)  # there a script saves; people have the form
        return sent if sent.rating or sent.texts or any(number for _, number in sent.numbers) else None

    @property
    def rating(self) -> str:
        """The name of the rating, or else its place on the scale; nothing where none was chosen."""
        chosen, labels = self._text("rating"), self._labels
        if not (chosen.isascii() and chosen.isdigit()):
            return chosen
        place = int(chosen[:6])
        return labels[place] if place < len(labels) else f"level {place + 1}, counted from the first of the form"

    @property
    def numbers(self) -> list[tuple[str, str]]:
        """The prediction: each level with its number. Where only one was asked for, it is that of the highest."""
        names = [name for name in self.post if NUMBER.fullmatch(name)]
        known = self._labels[-len(names) :]
        labels = known if len(known) == len(names) else [f"level {place + 1}" for place in range(len(names))]
        return list(zip(labels, map(self._text, names), strict=True))

    @property
    def texts(self) -> list[tuple[str, str, str]]:
        """Longer texts that were typed: name of the field, what it asks for, the text."""
        return [(name, label, text) for name, label in TEXTS.items() if (text := self._text(name)).strip()]

    @property
    def others(self) -> Iterator[tuple[str, str]]:
        """Everything else, to be sent again as it came."""
        return ((name, self._text(name)) for name in self.post if name not in NOT_SENT_AGAIN)

    @property
    def _labels(self) -> list[str]:
        text = self._text(LABELS).replace("\r\n", "\n")
        return text.split("\n") if text else []

    def _text(self, name: str) -> str:
        return str(self.post.get(name, "")).replace("\0", "")
