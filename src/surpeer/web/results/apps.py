"""The app as Django knows it."""

from django.apps import AppConfig


class ResultsConfig(AppConfig):
    """Found by Django."""

    name = "surpeer.web.results"
