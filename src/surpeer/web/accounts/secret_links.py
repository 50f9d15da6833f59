"""Secrets that open something: made at random, shown once, kept only as a hash."""

import hashlib
import secrets

BYTES = 32  # of randomness: guessing is hopeless, and the hash needs no salt


def new_secret() -> str:
    """A secret that fits into an address."""
    return secrets.token_urlsafe(BYTES)


def hash_of(secret: str) -> str:
    """What of a secret is kept."""
    return hashlib.sha256(secret.encode("utf-8", "surrogatepass")).hexdigest()
