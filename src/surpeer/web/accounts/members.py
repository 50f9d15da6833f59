"""The people of a venue who have accounts: chairs and observers."""

from django.contrib import messages
from django.db import transaction
from django.http import HttpResponseBase
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.views.decorators.http import require_POST, require_safe

from surpeer.web.access import for_chairs, for_readers
from surpeer.web.accounts.forms import MemberForm
from surpeer.web.accounts.invitations import invite_member
from surpeer.web.accounts.models import Invitation, Role
from surpeer.web.audit.log import Action, record
from surpeer.web.request import WebRequest
from surpeer.web.venues.models import Venue

LAST_CHAIR = "A venue needs a chair. Invite another one before you remove this one."


@require_safe
@for_readers
def members(request: WebRequest, venue: Venue) -> HttpResponseBase:
    """Who runs and who watches the venue, and who was invited to."""
    return _page(request, venue, MemberForm())


@require_POST
@for_chairs
def invite(request: WebRequest, venue: Venue) -> HttpResponseBase:
    """Invite somebody by mail; the link is shown, too, for when mail does not arrive."""
    form = MemberForm(request.POST)
    if not form.is_valid():
        return _page(request, venue, form, status=422)
    email, role = form.cleaned_data["email"].lower(), form.cleaned_data["role"]
    if venue.memberships.filter(user__email=email, role__in=[role, Role.CHAIR]).exists():
        messages.warning(request, f"{email} has this role, or more, already.")
        return redirect("members", venue.slug)
    invited = invite_member(request, request.user, venue, email, role)
    context = {"venue": venue, "email": email, "link": invited.link, "failure": invited.failure}
    return render(request, "accounts/invited.html", context)


@require_POST
@for_chairs
def remove(request: WebRequest, venue: Venue, pk: int) -> HttpResponseBase:
    """Take somebody's role away; the last chair stays."""
    with transaction.atomic():
        chairs = venue.memberships.select_for_update().filter(role=Role.CHAIR)
        membership = get_object_or_404(venue.memberships, pk=pk)
        if membership.role == Role.CHAIR and len(chairs) == 1:
            messages.error(request, LAST_CHAIR)
            return redirect("members", venue.slug)
        membership.delete()
        record(request.user, Action.REMOVED_MEMBER, venue, about=str(membership.user_id), role=membership.role)
    messages.success(request, f"{membership.user} no longer has a part in this venue.")
    return redirect("venues") if membership.user_id == request.user.pk else redirect("members", venue.slug)


@require_POST
@for_chairs
def withdraw(request: WebRequest, venue: Venue, pk: int) -> HttpResponseBase:
    """Make an invitation void."""
    invitation = get_object_or_404(Invitation.objects.open().filter(venue=venue), pk=pk)
    with transaction.atomic():
        invitation.revoked_at = timezone.now()
        invitation.save(update_fields=["revoked_at"])
        record(request.user, Action.REMOVED_MEMBER, venue, about=f"invitation {invitation.pk}")
    messages.success(request, f"The invitation of {invitation.email} is void.")
    return redirect("members", venue.slug)


def _page(request: WebRequest, venue: Venue, form: MemberForm, status: int = 200) -> HttpResponseBase:
    memberships = list(venue.memberships.select_related("user").order_by("role", "user__name"))
    chairs = [one.pk for one in memberships if one.role == Role.CHAIR]
    context = {
        "venue": venue,
        "form": form,
        "memberships": memberships,
        "only_chair": chairs[0] if len(chairs) == 1 else None,
        "invitations": Invitation.objects.open().filter(venue=venue).order_by("email"),
    }
    return render(request, "accounts/members.html", context, status=status)
