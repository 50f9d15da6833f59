"""The app as Django knows it."""

from django.apps import AppConfig


class ReviewsConfig(AppConfig):
    """Found by Django."""

    name = "surpeer.web.reviews"
