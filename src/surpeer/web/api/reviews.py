"""Single reviews, once the results are open. Where chairs may not know who gave which rating, nobody is named."""

from datetime import datetime

from django.shortcuts import get_object_or_404
from ninja import Query, Router
from pydantic import BaseModel, Field

from surpeer.web.api import rights
from surpeer.web.api.answers import CONFLICT, answers
from surpeer.web.api.fields import Pk, Slug
from surpeer.web.api.paging import Part, Window
from surpeer.web.api.tokens import ApiRequest, caller_of
from surpeer.web.audit.log import Action, record
from surpeer.web.results.looking import saw_paper
from surpeer.web.results.paper_page import ShownReview, reviews_of_paper, reviews_of_papers
from surpeer.web.results.stamp import stamp_of
from surpeer.web.venues.models import Paper

router = Router(tags=["results"])


class PredictedLevel(BaseModel):
    """How many a reviewer expected to give a level."""

    label: str
    number: int


class ReviewOut(BaseModel):
    """The current version of a review."""

    code: str = Field(description="What addresses call this review.")
    reviewer: str = Field(description="Her name; “Reviewer A” where chairs may not know it.")
    rating: str
    prediction: list[PredictedLevel] = Field(description="Where only the highest level was asked for: only that.")
    in_percent: bool = Field(description="Whether the numbers are per cent; else they count imagined reviewers.")
    comment: str
    version: int | None = Field(description="Null where it could tell who wrote it: the log knows who revised.")
    submitted_at: datetime | None = Field(description="Null where it could tell who wrote it.")
    excluded_because: str | None = Field(description="Why it does not count; null if it does.")

    @classmethod
    def of(cls, review: ShownReview) -> "ReviewOut":
        return cls(
            code=review.code,
            reviewer=review.who,
            rating=review.rating,
            prediction=[PredictedLevel(label=label, number=number) for label, number in review.prediction],
            in_percent=review.unit == "%",
            comment=review.comment,
            version=None if review.submitted_at is None else review.version,
            submitted_at=review.submitted_at,
            excluded_because=None if review.excluded is None else review.excluded.reason,
        )


class PaperReviews(BaseModel):
    """The reviews of a paper, those that were excluded included."""

    pk: int
    id: str
    reviews: list[ReviewOut]

    @classmethod
    def of(cls, paper: Paper, reviews: list[ShownReview]) -> "PaperReviews":
        return cls(pk=paper.pk, id=paper.key, reviews=[ReviewOut.of(review) for review in reviews])


class ReviewList(Part[PaperReviews]):
    """Papers with their reviews."""


@router.get(
    "/venues/{slug:slug}/results/papers/{int:pk}/reviews",
    response=answers(PaperReviews, *CONFLICT),
    summary="Reviews of a paper",
)
def list_reviews(request: ApiRequest, slug: Slug, pk: Pk) -> PaperReviews:
    """Ratings, predictions and comments."""
    venue = rights.with_results(request, slug)
    paper = get_object_or_404(venue.papers.only("key", "venue"), pk=pk)
    saw_paper(caller_of(request), venue, paper, stamp_of(venue))
    return PaperReviews.of(paper, reviews_of_paper(venue, paper))


@router.get("/venues/{slug:slug}/results/reviews", response=answers(ReviewList, *CONFLICT), summary="Reviews")
def list_all_reviews(request: ApiRequest, slug: Slug, window: Query[Window]) -> ReviewList:
    """The reviews of all papers, in the order of their ids; `limit` and `offset` count papers. Every call is written
    into the log as an export."""
    venue = rights.with_results(request, slug)
    papers = list(venue.papers.only("key", "venue")[window.part])
    record(caller_of(request), Action.EXPORTED, venue, about="reviews", offset=window.offset, papers=len(papers))
    reviews = reviews_of_papers(venue, papers)
    items = [PaperReviews.of(paper, reviews[paper.pk]) for paper in papers]
    return ReviewList(count=venue.papers.count(), items=items)
