"""The rows that charts draw, from the report's document. The report's page makes the same ones in JavaScript.

Shares, which the document keeps in thousandths to be short, are fractions of one here.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from surpeer.errors import InputError, UnknownName, nearest_name, quoted

Document = Mapping[str, Any]
Row = dict[str, Any]

PAPER_FIELDS = (
    "id",
    "title",
    "track",
    "rank",
    "reviews",
    "mean",
    "mean_rank",
    "score",
    "low",
    "high",
    "p_accept",
    "proposal",
    "clearly_better_than",
    "clearly_worse_than",
    "why",
)
TEXTS = {"title", "track", "proposal"}
"""Of these, what a paper does not have is the empty text; else it is null."""


def rows_of(document: Document, name: str, paper: str | None = None) -> list[Row]:
    """The rows of one dataset; those of a single paper need its id.

    Raises UnknownName for a dataset or a paper that does not exist.
    """
    if name in OF_ALL:
        return OF_ALL[name](document)
    if name not in OF_ONE:
        raise UnknownName("dataset", name, (*OF_ALL, *OF_ONE))
    return OF_ONE[name](document, row_of(document, paper))


def row_of(document: Document, paper: str | None) -> int:
    """At which row of the ranking this paper is."""
    ids: Sequence[str] = _papers(document)["id"]
    if paper is None:
        raise InputError("this chart is about one paper; say which")
    if paper not in ids:
        raise UnknownName("paper", paper, [], _advice(ids, paper))
    return ids.index(paper)


def _advice(ids: Sequence[str], paper: str) -> str:
    nearest = nearest_name(paper, ids) if len(ids) <= 20_000 else None
    return (
        f"did you mean {quoted(nearest)}?"
        if nearest is not None
        else f"the {len(ids):,} papers begin with {', '.join(ids[:5])}"
    )


def _papers(document: Document) -> Mapping[str, Any]:
    papers = document["papers"]
    if papers is None:
        raise InputError("this report is for readers who may not see single papers")
    return papers  # type: ignore[no-any-return]


def _paper_rows(document: Document) -> list[Row]:
    columns = _papers(document)
    words = {"track": document["tracks"], "proposal": document["words"]["proposals"]}
    cells = [_column(name, columns[name], len(columns["id"]), words.get(name)) for name in PAPER_FIELDS]
    return [dict(zip(PAPER_FIELDS, row, strict=True)) for row in zip(*cells, strict=True)]


def _column(name: str, cells: Sequence[Any] | None, size: int, words: Sequence[str] | None) -> Sequence[Any]:
    nothing = "" if name in TEXTS else None
    if cells is None:
        return [nothing] * size
    if words is not None:
        return [words[code] for code in cells]
    return [nothing if cell is None else cell for cell in cells]


def _cut(document: Document) -> list[Row]:
    decision = document["decision"]
    if decision is None:
        return []
    return [{"score": decision["cut"], "rank": decision["places"] + 0.5}]


def _levels(document: Document, row: int) -> list[Row]:
    columns = _papers(document)
    counts, prior = columns["counts"][row], _at(columns["prior"], row)
    total = sum(counts)
    return [
        {
            "level": level,
            "position": position,
            "share": counts[position] / total if total else None,
            "prior": None if prior is None or prior[position] is None else prior[position] / 1000,
        }
        for position, level in enumerate(document["scale"]["labels"])
    ]


def _at(column: Sequence[Any] | None, row: int) -> Any:
    return None if column is None else column[row]


def _predictions(document: Document, row: int) -> list[Row]:
    labels = document["scale"]["labels"]
    return [
        {"given": labels[given], "reviewers": reviewers, "level": level, "position": position, "share": share / 1000}
        for given, reviewers, shares in _papers(document)["predictions"][row]
        for position, (level, share) in enumerate(zip(labels, shares, strict=True))
    ]


def _contour(document: Document, row: int) -> list[Row]:
    contours = document["contours"]
    if contours is None:
        return []
    accepts, reviews = _accepts(document, row)
    lines = contours["lines"].get(f"{accepts}/{reviews}") or []
    return [
        {"score": score, "line": number, "step": step, "x": x / 1000, "y": y / 1000}
        for number, (score, line) in enumerate(zip(contours["scores"], lines, strict=False))
        for step, (x, y) in enumerate(line)
    ]


def _accepts(document: Document, row: int) -> tuple[int, int]:
    counts = _papers(document)["counts"][row]
    return counts[-1], sum(counts)


def _point(document: Document, row: int) -> list[Row]:
    """What both sides predicted of the high level; nothing where one of them did not."""
    columns = _papers(document)
    predicted = {given: shares[-1] for given, _, shares in columns["predictions"][row]}
    if len(document["scale"]["labels"]) != 2 or len(predicted) != 2:
        return []
    return [{"x": predicted[0] / 1000, "y": predicted[1] / 1000, "id": columns["id"][row]}]


OF_ALL: dict[str, Callable[[Document], list[Row]]] = {
    "papers": _paper_rows,
    "cut": _cut,
    "curve": lambda document: [dict(row) for row in document["curve"]],
    "spread": lambda document: [dict(row) for row in document["spread"]],
    "calibration": lambda document: [dict(row) for row in document["predictions"]["calibration"]],
    "pushes": lambda document: [dict(row) for row in document["predictions"]["pushes"]],
}
OF_ONE: dict[str, Callable[[Document, int], list[Row]]] = {
    "levels": _levels,
    "predictions": _predictions,
    "contour": _contour,
    "point": _point,
}
