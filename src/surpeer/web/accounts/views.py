"""Signing in, joining, and one's own account."""

from datetime import timedelta
from typing import Any, cast

from django.contrib import messages
from django.contrib.auth import login, views
from django.contrib.auth.decorators import login_required
from django.contrib.auth.forms import PasswordChangeForm
from django.db import transaction
from django.forms import Form
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from surpeer.web.accounts import invitations, limits
from surpeer.web.accounts.forms import ForgottenForm, JoinForm, NameForm, SignInForm, TokenForm
from surpeer.web.accounts.models import Invitation, User
from surpeer.web.address import absolute
from surpeer.web.audit.log import Action, record
from surpeer.web.request import WebRequest

MODEL_BACKEND = "django.contrib.auth.backends.ModelBackend"


class SignIn(views.LoginView):
    """Django's own, with a limit on guessing and an entry in the log."""

    form_class = SignInForm
    template_name = "accounts/login.html"
    redirect_authenticated_user = True

    def post(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        if limits.too_many("password", request, request.POST.get("username", "")):
            return limits.wait_page(request)
        return super().post(request, *args, **kwargs)

    def form_valid(self, form: Any) -> HttpResponse:
        record(cast(User, form.get_user()), Action.SIGNED_IN)
        return super().form_valid(form)

    def form_invalid(self, form: Any) -> HttpResponse:
        limits.wrong("password", self.request, self.request.POST.get("username", ""))
        return super().form_invalid(form)


@require_http_methods(["GET", "HEAD", "POST"])
def join(request: HttpRequest, token: str) -> HttpResponseBase:
    """Use an invitation: with the account that is signed in, or with a new one."""
    if limits.too_many("invitation", request):
        return limits.wait_page(request)
    invitation = invitations.find_invitation(token)
    if invitation is None:
        limits.wrong("invitation", request)
        return render(request, "accounts/invitation_void.html", status=404)
    user = cast(WebRequest, request).user
    if user.is_authenticated:
        return _join_with_account(request, invitation, user)
    form = JoinForm(request.POST or None, initial={"email": invitation.email})
    if request.method == "POST" and form.is_valid():
        return _join_with_new_account(request, invitation, form)
    return render(request, "accounts/join.html", {"form": form, "invitation": invitation})


def _join_with_account(request: HttpRequest, invitation: Invitation, user: User) -> HttpResponseBase:
    if request.method != "POST":
        return render(request, "accounts/join_signed_in.html", {"invitation": invitation})
    return _joined(request) if invitations.accept(invitation, user) else _too_late(request)


def _join_with_new_account(request: HttpRequest, invitation: Invitation, form: Form) -> HttpResponseBase:
    given = form.cleaned_data
    with transaction.atomic():
        user = User.objects.create_user(given["email"], given["password"], name=given["name"])
        accepted = invitations.accept(invitation, user)
        if not accepted:
            transaction.set_rollback(True)
    if not accepted:
        return _too_late(request)
    login(request, user, MODEL_BACKEND)
    return _joined(request)


def _joined(request: HttpRequest) -> HttpResponseBase:
    messages.success(request, "Welcome.")
    return redirect("venues")


def _too_late(request: HttpRequest) -> HttpResponseBase:
    return render(request, "accounts/invitation_void.html", status=404)


@require_safe
def link_needed(request: HttpRequest) -> HttpResponse:
    """For reviewers whose link is not known here, or no longer counts."""
    return render(request, "accounts/link_needed.html", status=403)


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def account(request: HttpRequest) -> HttpResponseBase:
    """One's own name, and the tokens of one's scripts."""
    user = cast(WebRequest, request).user
    form = NameForm(request.POST or None, instance=user)
    if request.method == "POST" and form.is_valid():
        form.save()
        messages.success(request, "Your name was saved.")
        return redirect("account")
    tokens = user.tokens.filter(revoked_at=None).order_by("-created_at")
    return render(request, "accounts/account.html", {"form": form, "tokens": tokens, "token_form": TokenForm()})


@login_required
@require_POST
def new_token(request: HttpRequest) -> HttpResponseBase:
    """Make a token and show it, this once."""
    user = cast(WebRequest, request).user
    form = TokenForm(request.POST)
    if not form.is_valid():
        context = {"form": NameForm(instance=user), "tokens": user.tokens.filter(revoked_at=None), "token_form": form}
        return render(request, "accounts/account.html", context, status=422)
    token = form.save(commit=False)
    token.user, token.expires_at = user, timezone.now() + timedelta(days=form.cleaned_data["days"])
    with transaction.atomic():
        secret = token.make()
        record(user, Action.MADE_TOKEN, about=str(token.pk))
    return render(request, "accounts/new_token.html", {"token": token, "secret": secret})


@login_required
@require_POST
def revoke_token(request: HttpRequest, pk: int) -> HttpResponseBase:
    """Make a token void."""
    user = cast(WebRequest, request).user
    token = get_object_or_404(user.tokens.filter(revoked_at=None), pk=pk)
    with transaction.atomic():
        token.revoked_at = timezone.now()
        token.save(update_fields=["revoked_at"])
        record(user, Action.REVOKED_TOKEN, about=str(token.pk))
    messages.success(request, f"The token “{token.name}” was revoked.")
    return redirect("account")


class ChangePassword(views.PasswordChangeView):
    """Django's own."""

    form_class = PasswordChangeForm
    template_name = "accounts/change_password.html"

    def form_valid(self, form: Any) -> HttpResponse:
        messages.success(self.request, "Your password was changed. You are signed out everywhere else.")
        return super().form_valid(form)


class ResetPassword(views.PasswordResetView):
    """Django's own, with a limit: every mail costs somebody's attention."""

    form_class = ForgottenForm
    template_name = "accounts/reset.html"
    email_template_name = "accounts/reset_mail.txt"
    subject_template_name = "accounts/reset_subject.txt"

    def post(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        name = request.POST.get("email", "")
        if limits.too_many("reset", request, name):
            return limits.wait_page(request)
        limits.wrong("reset", request, name)
        return super().post(request, *args, **kwargs)

    def form_valid(self, form: Any) -> HttpResponse:
        """The link has the configured address: what a request calls the server may be made up."""
        self.extra_email_context = {"server": absolute("/", self.request).rstrip("/")}
        return super().form_valid(form)
