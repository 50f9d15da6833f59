"""What a chart has to know of a venue before it sees a row: how many papers, which words, what was decided."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Facts:
    """Taken from a report's document, so that the report and a single picture are drawn alike."""

    papers: int = 0
    """How many are drawn."""
    decided: bool = False
    """Whether it was said how many are accepted."""
    has_errors: bool = True
    """Whether scores have intervals."""
    interval: float = 0.8
    """How probable it is that the truth is inside an interval."""
    followed: bool = True
    """Whether predictions say what was to be expected."""
    levels: tuple[str, ...] = ("reject", "accept")
    tracks: tuple[str, ...] = ()
    titled: bool = True
    """Whether papers have titles."""
    steps: int = 0
    """Of the curve."""

    @property
    def interval_text(self) -> str:
        return f"{100 * self.interval:.6g}%"


def facts_of(document: Mapping[str, Any]) -> Facts:
    """The facts of a document of the report."""
    papers = document.get("papers")
    predictions = document.get("predictions") or {"groups": []}
    return Facts(
        papers=len(papers["id"]) if papers else next((group["papers"] for group in predictions["groups"]), 0),
        decided=document.get("decision") is not None,
        has_errors=bool(document["method"]["has_errors"]),
        interval=document["interval"],
        followed=bool(document["method"].get("followed", True)),
        levels=tuple(document["scale"]["labels"]),
        tracks=tuple(document.get("tracks") or ()),
        titled=bool(papers and papers.get("title")),
        steps=len(document.get("curve") or ()),
    )
