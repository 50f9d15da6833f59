"""Whether a column that is called `Title` has the titles of papers. Reviews have titles too, and so have people."""

from collections.abc import Sequence


def why_no_titles(papers: Sequence[str], titles: Sequence[str | None]) -> str | None:
    """Why these cannot be the titles of papers, as far as one can tell; None if they can.

    papers, titles : (n,) of each review

    >>> why_no_titles(["1", "1", "2", "2"], ["Bees", "Bees", "Ants", "Ants"])
    >>> why_no_titles(["1", "1", "2", "2"], ["Dr.", "Prof.", "Dr.", "Prof."])
    'most papers have more than one'
    """
    of_paper: dict[str, list[str]] = {}
    for paper, title in zip(papers, titles, strict=True):
        if title is not None:
            of_paper.setdefault(paper, []).append(title)
    several = [len(set(given)) > 1 for given in of_paper.values() if len(given) > 1]
    if 2 * sum(several) > len(several):
        return "most papers have more than one"
    different = {given[0] for given in of_paper.values()}
    return "most papers share it with another" if 2 * len(different) < len(of_paper) else None
