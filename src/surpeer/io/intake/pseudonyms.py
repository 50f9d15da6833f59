"""Reviewers without their names: left out, or replaced by a keyed hash.

The same reviewer has the same pseudonym wherever the same key is used, and without the key nobody can find out who it
is by trying names: a hash without a key would fall to a list of the committee.
"""

import os
import re
import secrets
from collections.abc import Sequence
from dataclasses import dataclass, replace
from hashlib import blake2b
from pathlib import Path

from surpeer.errors import InputError, Problem, UnknownName

KEEP, DROP, PSEUDONYM = "keep", "drop", "pseudonym"
WAYS = (KEEP, DROP, PSEUDONYM)

SHORTEST_KEY = 16  # bytes; what is shorter can be guessed
LONGEST_KEY = 64  # bytes that the hash takes
_QUOTED = re.compile(r' \((?:it begins )?".*?"\)|, near ".*"', re.DOTALL)  # but not the names of columns
_SIZE = 8  # bytes of the hash: among a million reviewers the chance that two share one is 3 in 100 million


def hide(reviewers: Sequence[str | None], way: str, key: bytes | None) -> list[str | None] | None:
    """The reviewers as they are, as pseudonyms, or not at all."""
    if way not in WAYS:
        raise UnknownName("way to treat reviewers", way, WAYS)
    if way == KEEP:
        return list(reviewers)
    if way == DROP:
        return None
    if key is None:
        raise InputError("pseudonyms need a key; name a file with --key FILE, which is made if it does not exist")
    known = {name: pseudonym(name, key) for name in set(reviewers) if name is not None}
    return [None if name is None else known[name] for name in reviewers]


def numbered(reviewers: Sequence[str | None]) -> list[str | None]:
    """The reviewers as numbers in the order in which they come, for messages that must not name them."""
    names = dict.fromkeys(name for name in reviewers if name is not None)
    number = {name: f"reviewer {at}" for at, name in enumerate(names, start=1)}
    return [None if name is None else number[name] for name in reviewers]


def without_quotations(problem: Problem) -> Problem:
    """A problem of a whole row or file without what it quotes, which may name a reviewer."""
    if problem.column is not None:
        return problem
    found = _QUOTED.sub("", problem.found)
    return replace(problem, found="something else" if problem.row is not None and found.startswith('"') else found)


def pseudonym(reviewer: str, key: bytes) -> str:
    """What one reviewer is called under this key; capitals and spaces around the name do not count.

    >>> pseudonym("r1@example.org", b"sixteen bytes...") == pseudonym(" R1@Example.org", b"sixteen bytes...")
    True
    """
    if not SHORTEST_KEY <= len(key) <= LONGEST_KEY:
        raise InputError(f"found a key of {len(key)} bytes, expected {SHORTEST_KEY} to {LONGEST_KEY}")
    text = reviewer.strip().casefold().encode("utf-8", "surrogatepass")
    return "r_" + blake2b(text, digest_size=_SIZE, key=key).hexdigest()


@dataclass(frozen=True, slots=True)
class Key:
    """The key of a file, or a new one that is to be written there."""

    path: Path
    secret: bytes
    is_new: bool


def find_key(path: Path) -> Key:
    """The key that a file holds; a new one, not yet written, if there is no such file."""
    if os.path.lexists(path):
        return Key(path, _existing(path), is_new=False)
    return Key(path, secrets.token_hex(32).encode(), is_new=True)


def save_key(key: Key) -> list[str]:
    """Write a new key into its file, which only its owner can then read; and a note on it."""
    if not key.is_new:
        return []
    try:
        with os.fdopen(os.open(key.path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as stream:
            stream.write(key.secret + b"\n")
    except OSError as error:
        raise InputError(f"{key.path}: the key cannot be written: {error.strerror or error}") from None
    return [f"{key.path}: a new key for pseudonyms; keep it secret, and keep it to get the same pseudonyms again"]


def _existing(path: Path) -> bytes:
    try:
        with path.open("rb") as stream:
            key = stream.read(LONGEST_KEY * 16).strip()
    except OSError as error:
        raise InputError(f"{path}: the key cannot be read: {error.strerror or error}") from None
    if len(key) < SHORTEST_KEY:
        raise InputError(f"{path}: found a key of {len(key)} bytes, expected at least {SHORTEST_KEY}; use another file")
    return blake2b(key).digest() if len(key) > LONGEST_KEY else key
