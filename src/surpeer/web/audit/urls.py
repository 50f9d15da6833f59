"""Addresses of this app."""

from django.urls import URLPattern, path

from surpeer.web.audit import views

urlpatterns: list[URLPattern] = [path("venues/<slug:slug>/log/", views.venue_log, name="venue_log")]
