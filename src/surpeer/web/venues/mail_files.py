"""Mails that were put into files instead of being sent: found again, and deleted with the person they were meant for.

Each mail to a reviewer is a file of its own with her number in a header, so that neither a new address nor another name
of the venue hides it. Mails that were sent, or moved elsewhere, are out of reach.
"""

from pathlib import Path

from django.conf import settings
from django.db.models import Exists, OuterRef, Q

from surpeer.web.mail_folder import ENDING
from surpeer.web.venues.models import PersonalLink, Reviewer

HEADER = "X-Surpeer-Reviewer"
ENDINGS = (ENDING, ".log")  # the second: of mails that earlier versions put there


def mails_are_sent() -> bool:
    """Whether there is a mail server; without one every mail becomes a file."""
    return bool(settings.EMAIL_HOST)


def only_filed() -> Q:
    """Reviewers whose invitation was put into a file and, as far as one knows, reached nobody: no link of theirs was
    opened."""
    opened = PersonalLink.objects.filter(reviewer=OuterRef("pk"), used_at__isnull=False)
    return Q(invitation_filed=True) & ~Q(Exists(opened))


def headers_for(reviewer: Reviewer) -> dict[str, str]:
    """What a mail says of whom it is for; nothing where it is sent, because others read it then."""
    return {} if mails_are_sent() else {HEADER: str(reviewer.pk)}


def delete_mails_to(reviewer_pk: int) -> int:
    """Delete the files of mails to this reviewer; returns how many there were."""
    folder = Path(settings.EMAIL_FILE_PATH)
    found = [path for ending in ENDINGS for path in folder.glob(f"*{ending}") if _is_for(path, reviewer_pk)]
    for path in found:
        path.unlink(missing_ok=True)
    return len(found)


def _is_for(path: Path, reviewer_pk: int) -> bool:
    """Whether the head of the mail names the reviewer; its body, where anybody can write anything, is not looked at."""
    wanted = f"{HEADER}: {reviewer_pk}".encode()
    try:
        with path.open("rb") as file:
            for line in file:
                if line.strip() in (b"", wanted):
                    return line.strip() == wanted
    except FileNotFoundError:  # somebody tidies up
        return False
    return False
