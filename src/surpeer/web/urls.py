"""All addresses; each app lists its own."""

from django.urls import URLPattern, URLResolver, include, path

from surpeer.web import pages

urlpatterns: list[URLPattern | URLResolver] = [
    path("", pages.home, name="home"),
    path("health/", pages.health, name="health"),
    path("", include("surpeer.web.reviews.urls")),  # first, because reviewers are many
    path("", include("surpeer.web.accounts.urls")),
    path("", include("surpeer.web.venues.urls")),
    path("", include("surpeer.web.results.urls")),
    path("", include("surpeer.web.audit.urls")),
    path("api/v1/", include("surpeer.web.api.urls")),
]
