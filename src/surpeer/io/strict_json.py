"""JSON as it stands, with nothing repaired. Python's own reader lets the last of two equal keys win, takes NaN for a
number, and makes half of a surrogate pair a text that cannot be written anywhere.
"""

import json
from collections import Counter
from typing import Any

from surpeer.errors import quoted


class UnusableJson(ValueError):
    """JSON that Python reads and we do not."""


def loads(text: str) -> Any:
    """The document. Raises json.JSONDecodeError where the text breaks off or is no JSON, and UnusableJson.

    Looking at every object makes a large document of reviews take 1.4 times as long to decode; counting keys instead
    takes longer.
    """
    try:
        document = json.loads(text, object_pairs_hook=_object, parse_constant=_no_number)
    except (json.JSONDecodeError, UnusableJson):
        raise
    except RecursionError:
        raise UnusableJson("JSON that cannot be decoded (too many brackets inside each other)") from None
    except ValueError:
        raise UnusableJson("JSON that cannot be decoded (a number of too many digits)") from None
    if "\\ud" in text or "\\uD" in text:
        _refuse_halves(document)
    return document


def what_is_wrong(error: ValueError) -> str:
    """What was found instead of JSON, for a message about one line."""
    if isinstance(error, json.JSONDecodeError):
        return f"no JSON ({error.msg}, at character {error.pos + 1})"
    return str(error)


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    content = dict(pairs)
    if len(content) < len(pairs):
        key, _ = Counter(key for key, _ in pairs).most_common(1)[0]
        raise UnusableJson(f"JSON with the same key twice ({quoted(key)})")
    return content


def _no_number(name: str) -> None:
    raise UnusableJson(f"JSON with {name}, which is no number (leave the key out if there is none)")


def _refuse_halves(document: Any) -> None:
    try:
        json.dumps(document, ensure_ascii=False).encode()
    except UnicodeEncodeError:
        raise UnusableJson("half of a surrogate pair") from None
