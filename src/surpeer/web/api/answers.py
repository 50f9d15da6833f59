"""The shape of every refusal, and which refusals a call declares."""

from typing import Any

from pydantic import BaseModel, Field

from surpeer.errors import Problem


class ProblemOut(BaseModel):
    """One thing that is wrong, as a sentence and in its parts as far as there are any."""

    message: str
    where: str | None = Field(default=None, description="Field, or row and column, that it is about.")
    found: str | None = None
    expected: str | None = None
    remedy: str | None = Field(default=None, description="The nearest way to put it right.")

    @classmethod
    def of(cls, problem: Problem) -> "ProblemOut":
        """A problem of the library, which counts rows from 1."""
        place = [f"row {problem.row}"] if problem.row is not None else []
        place += [f"column {problem.column}"] if problem.column is not None else []
        return cls(
            message=str(problem),
            where=", ".join(place) or None,
            found=problem.found,
            expected=problem.expected,
            remedy=problem.remedy or None,
        )


class Problems(BaseModel):
    """Why a call was refused: everything that is wrong, at once. Nothing was changed."""

    problems: list[ProblemOut]


ALWAYS = (401, 404, 422, 429)
"""No token; no such venue or thing; an address or a query that is malformed; too many wrong tokens."""
BODY = (400, 413)
"""A body that is no JSON, or too large."""
CHAIRS = (403,)
CONFLICT = (409,)


def answers(schema: Any, *refusals: int, status: int = 200) -> dict[int, Any]:
    """What a call can answer, for its declaration."""
    return {status: schema, **dict.fromkeys(sorted({*ALWAYS, *refusals}), Problems)}
