"""The app as Django knows it."""

from django.apps import AppConfig


class AuditConfig(AppConfig):
    """Found by Django."""

    name = "surpeer.web.audit"
