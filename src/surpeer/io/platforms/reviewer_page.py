"""The page that a chair sends to reviewers: what is asked of them, why, and who sees it."""

from surpeer.io.review_form.example_shares import example_shares
from surpeer.scale import Scale

_QUESTION = {
    "shares": (
        "Imagine many other reviewers of the same paper, as careful as you are. Of 100 of them, how many would give\n"
        "each rating? Fill in one number for every rating; together they make 100."
    ),
    "text": (
        "Imagine many other reviewers of the same paper, as careful as you are. Of 100 of them, how many would give\n"
        "each rating? Write one number for every rating, the lowest rating first; together they make 100."
    ),
    "expected": (
        "Imagine many other reviewers of the same paper, as careful as you are. What rating would they give on\n"
        "average? A number between two ratings, such as {between}, is a good answer."
    ),
}


_STEPS = """

The form has a list for each rating, in steps of ten: choose "20%" for 20 of 100."""


def reviewer_page(scale: Scale, ask: str, platform: str, area_chairs: bool = False) -> str:
    """One page of Markdown in plain words.

    ask : `shares`, `text` or `expected`, as in the form
    area_chairs : whether the form shows predictions to the area chairs of a paper
    """
    between = f"{(scale.values[-1] + scale.values[-2]) / 2:g}"
    return f"""# Two questions about each paper

## 1. Your rating

What do **you** think of the paper? Rate it as you always would.

{_levels(scale)}

## 2. Your prediction of the others

{_QUESTION[ask].format(between=between)}

{_example(scale, ask, between)}{_STEPS if (ask, platform) == ("shares", "hotcrp") else ""}

## How to answer

- Rate first, then predict. The prediction is not a second rating: it is fine, and useful, if the two differ.
- Say what you expect to happen, not what ought to happen. If you think that a famous name, a fashionable topic or an
  impressive proof will draw high ratings whatever the paper is worth, then predict high ratings. If you think that
  others will overlook how good it is, predict low ones.
- You need not be sure. Spread your prediction if you cannot tell; a minute is enough.

## Why we ask

Some papers are rated higher or lower for reasons that have little to do with their quality, and everybody on the
committee may know it. Ratings alone cannot show this, but predictions can: they tell us what a paper was *expected* to
get. A paper that does better than its reviewers expected is likely to be better than its ratings say.

Your prediction is never used to judge you.
{seen_by(area_chairs)}
"""


def seen_by(area_chairs: bool) -> str:
    """Who sees a prediction, which must be true of the form that was made with the page."""
    chairs = "the program chairs, the area chairs of the paper" if area_chairs else "the program chairs"
    return f"Only {chairs} and you see your prediction. Other reviewers and authors never do."


def _levels(scale: Scale) -> str:
    """The ratings from the lowest to the highest."""
    lines = []
    for level, label in zip(scale.levels, scale.labels, strict=True):
        end = {scale.levels[0]: " (the lowest)", scale.levels[-1]: " (the highest)"}.get(level, "")
        lines.append(f"- {level}{end}" if label == level else f"- {level}: {label}{end}")
    return "\n".join(lines)


def _example(scale: Scale, ask: str, between: str) -> str:
    if ask == "expected":
        halves = f"half of them to give {scale.levels[-1]} and half {scale.levels[-2]}"
        return f"For example: if you expect {halves}, answer {between}."
    shares = example_shares(len(scale))
    listed = ", ".join(f"{share} for {level}" for share, level in zip(shares, scale.levels, strict=True))
    return f"For example: {listed}." + (f" In one line: `{' '.join(map(str, shares))}`" if ask == "text" else "")
