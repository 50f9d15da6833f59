"""One-time links by which people get an account or a role."""

from datetime import timedelta

from django.core.mail import send_mail
from django.db import transaction
from django.http import HttpRequest
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import timezone

from surpeer.web.accounts.models import Invitation, Role, User
from surpeer.web.accounts.secret_links import hash_of
from surpeer.web.address import absolute
from surpeer.web.audit.log import Action, record
from surpeer.web.venues.models import Membership, Venue

OPEN_FOR = timedelta(days=14)


def invite_first_chair() -> str | None:
    """The path of a new link for the very first chair, or None when somebody has an account. Earlier links are void."""
    if User.objects.exists():
        return None
    with transaction.atomic():
        Invitation.objects.open().filter(email="").update(revoked_at=timezone.now())
        secret = Invitation(expires_at=timezone.now() + OPEN_FOR).make()
    return reverse("join", args=[secret])


def invite_member(request: HttpRequest, by: User, venue: Venue, email: str, role: str) -> str:
    """Invite somebody to run or watch a venue; an earlier link to the same address is void. Returns the address."""
    with transaction.atomic():
        Invitation.objects.open().filter(email=email, venue=venue).update(revoked_at=timezone.now())
        invitation = Invitation(
            email=email, venue=venue, role=role, invited_by=by, expires_at=timezone.now() + OPEN_FOR
        )
        secret = invitation.make()
        record(by, Action.INVITED_MEMBER, venue, about=str(invitation.pk), role=role)
    link = absolute(reverse("join", args=[secret]), request)
    said = {"by": by, "venue": venue, "role": Role(role).name.lower(), "link": link, "days": OPEN_FOR.days}
    send_mail(f"{venue.name}: your access", render_to_string("accounts/invitation.txt", said), None, [email])
    return link


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
