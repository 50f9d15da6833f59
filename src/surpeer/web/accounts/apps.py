"""The app as Django knows it."""

from django.apps import AppConfig


class AccountsConfig(AppConfig):
    """Found by Django."""

    name = "surpeer.web.accounts"
