"""The review form of a venue: which questions it asks, and which answers each one offers, lowest first."""

from dataclasses import dataclass

from surpeer.io.review_form.names import folded


@dataclass(frozen=True, slots=True)
class Option:
    """One answer that a question offers."""

    symbol: str
    """As it stands in an export: `4`, `A`."""
    label: str = ""
    """What it says to people: `Weak accept`, `60%`; empty where that is not known."""


@dataclass(frozen=True, slots=True)
class Question:
    """One field of a review form."""

    name: str
    """As people know it, without markup."""
    keywords: tuple[str, ...] = ()
    """Other names under which exports show it."""
    options: tuple[Option, ...] = ()
    """Lowest first; empty for free text and numbers."""


@dataclass(frozen=True, slots=True)
class Form:
    """The questions of a review form in their order."""

    questions: tuple[Question, ...]

    def find(self, name: str) -> Question | None:
        """The question with this name or keyword; capitals, spaces and underscores do not matter."""
        wanted = folded(name)
        by_name = [question for question in self.questions if folded(question.name) == wanted]
        by_keyword = [question for question in self.questions if wanted in map(folded, question.keywords)]
        return next(iter(by_name or by_keyword), None)
