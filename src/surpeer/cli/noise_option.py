"""`--noise LEVEL[:BIAS][@SHARE]`: a kind of papers in words -> PaperKind."""

from collections.abc import Sequence
from decimal import Decimal, InvalidOperation
from fractions import Fraction

from surpeer.errors import InputError, nearest_name, quoted
from surpeer.experiments.planning import PaperKind

NAMED = ("both", "up", "down", "even")
EXPECTED = "LEVEL, LEVEL:BIAS or LEVEL:BIAS@SHARE, such as 0.3, 0.5:up or 0.5:0.2,0.8@40%"


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
        noise = "without noise" if kind.level == 0 else f"with level {float(kind.level):g} {words}"
        parts.append(f"{share:.0%} of papers {noise}" if share < 1 else f"all papers {noise}")
    return "; ".join(parts)


def _direction(kind: PaperKind) -> str:
    if kind.bias[-1] == 1:
        return "upwards"
    if kind.bias[0] == 1:
        return "downwards"
    return f"towards ({', '.join(f'{float(weight):.3g}' for weight in kind.bias)})"


def _split(text: str) -> tuple[str, str, str | None]:
    rest, at, share = text.partition("@")
    level, _, bias = rest.partition(":")
    return level.strip(), bias.strip() or "both", share.strip() if at else None


def _level(found: str, text: str) -> Fraction:
    level = _number(found)
    if level is None or not 0 <= level < 1:
        raise InputError(
            f"--noise {text}: found the level {quoted(found)}, expected a number from 0 to below 1; {EXPECTED}"
        )
    return level


def _biases(found: str, levels: int, text: str) -> list[tuple[Fraction, ...]]:
    if found in NAMED:
        return _named_biases(found, levels)
    weights = [_number(part) for part in found.split(",")]
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
        number = None if share is None else _number(share.removesuffix("%").strip())
        if share is not None:
            if number is None or number <= 0:
                raise InputError(f"--noise {text}: found the share {quoted(share)}, expected one such as 0.4 or 40%")
            number = number / 100 if share.endswith("%") else number
        given.append(number)
    left = 1 - sum((share for share in given if share is not None), Fraction(0))
    open_ = given.count(None)
    if left < 0 or (left == 0) != (open_ == 0):
        total = f"{float(1 - left):g}"
        raise InputError(f"the shares of --noise add up to {total}, expected 1, or less when some --noise has no share")
    return [left / open_ if share is None else share for share in given]


def _number(text: str) -> Fraction | None:
    try:
        return Fraction(Decimal(text.strip()))
    except (InvalidOperation, ValueError, OverflowError):
        return None
