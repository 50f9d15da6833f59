"""Mails where there is no mail server: each a file that mail programs open, in the folder that the settings name."""

import secrets
from collections.abc import Sequence
from datetime import datetime
from pathlib import Path

from django.core.mail import EmailMessage
from django.core.mail.backends import filebased
from django.utils.text import slugify

ENDING = ".eml"
UNSENT = "X-Unsent"
"""By this header some mail programs, such as Outlook, open the file as a mail that is ready to be sent."""


LONGEST_PART = 40


class NamedMail(EmailMessage):
    """A mail that says how its file is to be called, where it becomes one."""

    whom = ""
    """The name of the person it is for; without one, or without a letter of a to z in it, the address is taken."""
    kind = ""
    """Such as "invitation"; without one the subject is taken."""


class EmailBackend(filebased.EmailBackend):
    """Django's own writes a log of all mails of a connection, which mail programs do not open."""

    def open(self) -> bool:
        """There is nothing to open for all of them."""
        return False

    def send_messages(self, email_messages: Sequence[EmailMessage]) -> int:
        """Each becomes a file of its own."""
        for message in email_messages:
            content = message.message()
            content[UNSENT] = "1"
            path = Path(self.file_path) / file_name(message)
            path.write_bytes(content.as_bytes(linesep="\r\n"))  # type: ignore[call-arg] # Django's own
        return len(email_messages)


def file_name(message: EmailMessage) -> str:
    """A name that no other mail has: whom it is for, what it is, when it was made. Whoever passes the files on finds
    those of one person together."""
    whom = _part(getattr(message, "whom", "")) or _part("".join(message.to[:1])) or "mail"
    kind = _part(getattr(message, "kind", "") or str(message.subject))
    parts = (whom, kind, f"{datetime.now():%Y%m%d-%H%M%S}", secrets.token_hex(6))
    return "-".join(part for part in parts if part) + ENDING


def _part(text: str) -> str:
    """Letters of a to z, digits and hyphens: nothing that means something to a system or a shell.

    >>> _part("Ada Ådams / ../x"), _part("ben@example.org"), _part("研究")
    ('ada-adams-x', 'ben-example-org', '')
    """
    return slugify(text.replace("@", " ").replace(".", " "))[:LONGEST_PART].strip("-_")
