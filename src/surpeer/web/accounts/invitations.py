"""One-time links by which people get an account or a role."""

import logging
from dataclasses import dataclass
from datetime import timedelta
from smtplib import SMTPException

from django.core.mail import send_mail
from django.db import transaction
from django.http import HttpRequest
from django.urls import reverse
from django.utils import timezone

from surpeer.web.accounts.mail_text import mail_text
from surpeer.web.accounts.models import Invitation, Role, User
from surpeer.web.accounts.secret_links import hash_of
from surpeer.web.address import absolute
from surpeer.web.audit.log import Action, record
from surpeer.web.venues.models import Membership, Venue

OPEN_FOR = timedelta(days=14)
logger = logging.getLogger(__name__)


@dataclass(frozen=True)
class Invited:
    """An invitation that was made."""

    link: str
    failure: str
    """Why its mail was not sent, in the words of the mail server; empty where it was."""


def invite_first_chair() -> str | None:
    """The path of a new link for the very first chair, or None when somebody has an account. Earlier links are void."""
    if User.objects.exists():
        return None
    with transaction.atomic():
        Invitation.objects.open().filter(email="").update(revoked_at=timezone.now())
        secret = Invitation(expires_at=timezone.now() + OPEN_FOR).make()
    return reverse("join", args=[secret])


def invite_member(request: HttpRequest, by: User, venue: Venue, email: str, role: str) -> Invited:
    """Invite somebody to run or watch a venue; an earlier link to the same address is void. The invitation is good even
    if its mail cannot be sent."""
    with transaction.atomic():
        Invitation.objects.open().filter(email=email, venue=venue).update(revoked_at=timezone.now())
        invitation = Invitation(
            email=email, venue=venue, role=role, invited_by=by, expires_at=timezone.now() + OPEN_FOR
        )
        secret = invitation.make()
        record(by, Action.INVITED_MEMBER, venue, about=str(invitation.pk), role=role)
    link = absolute(reverse("join", args=[secret]), request)
    said = {"by": by, "venue": venue, "role": Role(role).name.lower(), "link": link, "days": OPEN_FOR.days}
    subject = " ".join(f"{venue.name}: your access".split())
    try:
        send_mail(subject, mail_text("accounts/invitation.txt", said), None, [email])
    except (SMTPException, OSError, ValueError) as error:
        logger.exception("the mail of invitation %s was not sent", invitation.pk)
        return Invited(link, str(error) or type(error).__name__)
    return Invited(link, "")


def find_invitation(secret: str) -> Invitation | None:
    """The invitation that this secret opens."""
    found: Invitation | None = Invitation.objects.open().filter(hash=hash_of(secret)).first()
    return found


def accept(invitation: Invitation, user: User) -> bool:
    """Use the invitation, once: False where somebody else was faster."""
    with transaction.atomic():
        if not Invitation.objects.open().filter(pk=invitation.pk).update(used_at=timezone.now()):
            return False
        if invitation.role == Role.CHAIR and not user.may_create_venues:
            user.may_create_venues = True
            user.save(update_fields=["may_create_venues"])
        if invitation.venue is not None:
            _join(invitation.venue, user, invitation.role)
        record(user, Action.JOINED, invitation.venue, about=str(invitation.pk), role=invitation.role)
    return True


def _join(venue: Venue, user: User, role: str) -> None:
    """An observer can become a chair by an invitation; a chair does not become less by one."""
    membership, new = Membership.objects.get_or_create(venue=venue, user=user, defaults={"role": role})
    if not new and role == Role.CHAIR:
        membership.role = role
        membership.save(update_fields=["role"])
