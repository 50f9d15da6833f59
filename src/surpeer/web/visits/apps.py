"""The app as Django knows it."""

from django.apps import AppConfig


class VisitsConfig(AppConfig):
    """Found by Django."""

    name = "surpeer.web.visits"
