"""One paper: why it stands where it stands."""

from typing import Any

from django.shortcuts import get_object_or_404
from ninja import Router
from pydantic import BaseModel, Field

from surpeer.web.api import rights
from surpeer.web.api.answers import CONFLICT, answers
from surpeer.web.api.fields import Pk, Slug
from surpeer.web.api.results import RankedPaper, StateOut, finite, state_of
from surpeer.web.api.tokens import ApiRequest, caller_of
from surpeer.web.results.looking import saw_paper
from surpeer.web.results.paper_page import PARTS, levels_of_card, what_if_of_card
from surpeer.web.results.stored import paper_of

router = Router(tags=["results"])


class LevelCount(BaseModel):
    """A level of the scale in the reviews of a paper."""

    label: str
    given: int = Field(description="Reviewers who gave it.")
    expected: float | None = Field(description="Reviewers who were to be expected to.")


class ScorePart(BaseModel):
    """A part of the score; the parts add up to it."""

    name: str
    meaning: str
    number: float


class Explanation(BaseModel):
    """Why a paper stands where it stands."""

    story: str
    why: str = Field(description="What the predictions did to its place.")
    low: float | None = Field(description="The score is likely between this ...")
    high: float | None = Field(description="... and this.")
    expected_mean: float | None = Field(description="The mean rating that predictions led one to expect.")
    mean_rank: int | None = Field(description="Its rank by mean rating, the first of those that tie.")
    mean_rank_last: int | None
    moved: int | None = Field(description="Ranks that it gained by its reviewers' predictions.")
    levels: list[LevelCount]
    parts: list[ScorePart]
    what_if: list[str] = Field(description="What one changed rating would do.")

    @classmethod
    def of(cls, card: dict[str, Any], labels: list[str]) -> "Explanation":
        levels = levels_of_card(card, labels)
        parts = card["parts"] or []
        return cls(
            story=card.get("story") or "",
            why=card.get("why") or "",
            low=finite(card.get("low")),
            high=finite(card.get("high")),
            expected_mean=finite(card.get("expected")),
            mean_rank=card.get("mean_rank"),
            mean_rank_last=card.get("mean_rank_last"),
            moved=card.get("moved"),
            levels=[LevelCount(label=one["label"], given=one["count"], expected=one["expected"]) for one in levels],
            parts=[
                ScorePart(name=name, meaning=meaning, number=number)
                for (name, meaning), number in zip(PARTS, parts, strict=bool(parts))
            ],
            what_if=what_if_of_card(card),
        )


class PaperResultOut(BaseModel):
    """A paper in the results."""

    state: StateOut
    pk: int
    id: str
    place: RankedPaper | None = Field(description="Null for a paper that no review counts for.")
    explanation: Explanation | None


@router.get(
    "/venues/{slug:slug}/results/papers/{int:pk}",
    response=answers(PaperResultOut, *CONFLICT),
    summary="One paper in the results",
)
def read_paper_result(request: ApiRequest, slug: Slug, pk: Pk) -> PaperResultOut:
    """Its place in the ranking, and why it stands there."""
    venue = rights.with_results(request, slug)
    paper = get_object_or_404(venue.papers.only("key", "venue"), pk=pk)
    fresh, result = rights.computed(venue)
    row = paper_of(result, paper.pk)
    saw_paper(caller_of(request), venue, paper, fresh.now.text)
    return PaperResultOut(
        state=state_of(fresh, result),
        pk=paper.pk,
        id=paper.key,
        place=None if row is None else RankedPaper.of(row),
        explanation=None if row is None else Explanation.of(row["card"], result.summary["levels"]),
    )
