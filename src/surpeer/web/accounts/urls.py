"""Addresses of this app."""

from django.contrib.auth import views as auth
from django.urls import URLPattern, path, reverse_lazy

from surpeer.web.accounts import members, views

urlpatterns: list[URLPattern] = [
    path("login/", views.SignIn.as_view(), name="login"),
    path("logout/", auth.LogoutView.as_view(), name="logout"),
    path("join/<str:token>/", views.join, name="join"),
    path("link-needed/", views.link_needed, name="link_needed"),
    path("account/", views.account, name="account"),
    path(
        "account/password/", views.ChangePassword.as_view(success_url=reverse_lazy("account")), name="password_change"
    ),
    path("account/tokens/new/", views.new_token, name="new_token"),
    path("account/tokens/<int:pk>/revoke/", views.revoke_token, name="revoke_token"),
    path("password/reset/", views.ResetPassword.as_view(), name="password_reset"),
    path(
        "password/reset/sent/",
        auth.PasswordResetDoneView.as_view(template_name="accounts/reset_sent.html"),
        name="password_reset_done",
    ),
    path(
        "password/reset/<str:uidb64>/<str:token>/",
        auth.PasswordResetConfirmView.as_view(template_name="accounts/reset_confirm.html"),
        name="password_reset_confirm",
    ),
    path(
        "password/reset/complete/",
        auth.PasswordResetCompleteView.as_view(template_name="accounts/reset_complete.html"),
        name="password_reset_complete",
    ),
    path("venues/<slug:slug>/people/", members.members, name="members"),
    path("venues/<slug:slug>/people/invite/", members.invite, name="invite_member"),
    path("venues/<slug:slug>/people/<int:pk>/remove/", members.remove, name="remove_member"),
    path("venues/<slug:slug>/people/invitations/<int:pk>/withdraw/", members.withdraw, name="withdraw_invitation"),
]
