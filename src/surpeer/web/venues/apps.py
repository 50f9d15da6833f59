"""The app as Django knows it."""

from django.apps import AppConfig


class VenuesConfig(AppConfig):
    """Found by Django."""

    name = "surpeer.web.venues"
