"""E-mail addresses as mail servers take them, and why another one is refused."""

from django import forms
from django.core.exceptions import ValidationError
from django.core.validators import EmailValidator

EXPECTED = "an e-mail address such as ada@example.org"
PLAIN = "only letters without accents (a to z), digits and marks such as . - _ before the @"
_check = EmailValidator()


def why_refused(text: str) -> str | None:
    """What was expected instead of this address; None where it can be used.

    >>> why_refused("ada@exämple.org")
    >>> why_refused("ada")
    'an e-mail address such as ada@example.org'
    """
    try:
        _check(text)
    except ValidationError:
        name, at, _ = text.rpartition("@")
        return f"{PLAIN}, because many mail servers take no others" if at and not name.isascii() else EXPECTED
    return None


def check_address(text: str) -> None:
    """Raise a ValidationError that says what is wrong."""
    expected = why_refused(text)
    if expected is not None:
        raise ValidationError(f"Found “{text[:80]}”, expected {expected}.", code="invalid")


class AddressField(forms.EmailField):
    """Django's own, which says why it refuses an address."""

    default_validators = [check_address]  # noqa: RUF012 - Django's
