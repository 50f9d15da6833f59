"""`--noise LEVEL[:BIAS][@SHARE]`: a kind of papers in words -> PaperKind."""

from collections.abc import Sequence
from fractions import Fraction

from surpeer.errors import InputError, nearest_name, quoted
from surpeer.experiments.planning import PaperKind
from surpeer.probability_text import percent_text
from surpeer.typed_numbers import read_number

NAMED = ("both", "up", "down", "even")
EXPECTED = "LEVEL[:BIAS][@SHARE], such as 0.3, 0.5:up, 0.3@40% or 0.5:0.2,0.8@40%"


def parse_noises(texts: Sequence[str], levels: int) -> list[PaperKind]:
    """The kinds of papers that the options describe; shares that are not given divide what is left."""
    if not texts:
        return [PaperKind(1.0, Fraction(0), _named_biases("even", levels)[0])]
    split = [_split(text) for text in texts]
    shares = _shares([share for _, _, share in split], texts)
    kinds = []
    for text, (level, bias, _), share in zip(texts, split, shares, strict=True):
        noise = _level(level, text)
        biases = _biases(bias, levels, text)
        if noise == 0:  # then no bias matters, and one kind will do
            biases = biases[:1]
        kinds += [PaperKind(float(share / len(biases)), noise, one) for one in biases]
    return kinds


def describe(kinds: Sequence[PaperKind]) -> str:
    """The kinds in words, for people; a kind upwards and its like downwards are one."""
    parts = []
    rest = list(kinds)
    while rest:
        kind = rest.pop(0)
        share, words = kind.share, _direction(kind)
        if rest and words == "upwards" and rest[0] == PaperKind(kind.share, kind.level, kind.bias[::-1]):
            rest.pop(0)
            share, words = 2 * share, "either way"
        noise = "without noise" if kind.level == 0 else f"with level {float(kind.level):.10g} {words}"
        parts.append(f"{percent_text(share)} of papers {noise}" if share < 1 else f"all papers {noise}")
    return "; ".join(parts)


def _direction(kind: PaperKind) -> str:
    if kind.bias[-1] == 1:
        return "upwards"
    if kind.bias[0] == 1:
        return "downwards"
    if len(set(kind.bias)) == 1:
        return "towards no level in particular"
    return f"towards ({', '.join(f'{float(weight):.3g}' for weight in kind.bias)})"


def _split(text: str) -> tuple[str, str, str | None]:
    rest, at, share = text.partition("@")
    level, _, bias = rest.partition(":")
    return level.strip(), bias.strip() or "both", share.strip() if at else None


def _level(found: str, text: str) -> Fraction:
    level = read_number(found)
    if level is None or not 0 <= level < 1:
        raise InputError(
            f"--noise {text}: found the level {quoted(found)}, expected a number from 0 to below 1; {EXPECTED}"
        )
    return level


def _biases(found: str, levels: int, text: str) -> list[tuple[Fraction, ...]]:
    if found in NAMED:
        return _named_biases(found, levels)
    weights = [read_number(part) for part in found.split(",")]
    if len(weights) == 1 and weights[0] is None:
        nearest = nearest_name(found, NAMED)
        hint = f"; did you mean {quoted(nearest)}?" if nearest else ""
        raise InputError(
            f"--noise {text}: found the bias {quoted(found)}, expected {', '.join(NAMED)} or {levels} weights{hint}"
        )
    numbers = [weight for weight in weights if weight is not None and weight >= 0]
    if len(numbers) != len(weights) or len(numbers) != levels or sum(numbers) != 1:
        raise InputError(
            f"--noise {text}: found the bias {quoted(found)}, expected {levels} weights, lowest level first, "
            "of at least 0 and with a sum of 1"
        )
    return [tuple(numbers)]


def _named_biases(name: str, levels: int) -> list[tuple[Fraction, ...]]:
    """Both ends are two kinds of papers."""
    none, all_ = Fraction(0), Fraction(1)
    up, down = (none,) * (levels - 1) + (all_,), (all_,) + (none,) * (levels - 1)
    even = (Fraction(1, levels),) * levels
    return {"both": [up, down], "up": [up], "down": [down], "even": [even]}[name]


def _shares(found: Sequence[str | None], texts: Sequence[str]) -> list[Fraction]:
    given: list[Fraction | None] = []
    for share, text in zip(found, texts, strict=True):
        number = None if share is None else read_number(share)
        if share is not None and (number is None or number <= 0):
            raise InputError(f"--noise {text}: found the share {quoted(share)}, expected one such as 0.4 or 40%")
        given.append(number)
    total = sum((share for share in given if share is not None), Fraction(0))
    without = given.count(None)
    if without == 0 and total != 1:
        advice = "; add --noise 0 for papers without noise" if total < 1 else ""
        raise InputError(f"the shares of --noise add up to {percent_text(total)}, expected 100%{advice}")
    if without > 0 and total >= 1:
        rest = next(text for share, text in zip(given, texts, strict=True) if share is None)
        raise InputError(
            f"the shares of --noise add up to {percent_text(total)}, which leaves nothing for --noise {rest}; "
            "give it a share, and the others less"
        )
    return [(1 - total) / without if share is None else share for share in given]
