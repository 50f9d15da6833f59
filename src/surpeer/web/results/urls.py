"""Addresses of this app."""

from django.urls import URLPattern, path

from surpeer.web.results import download_views, picture_views, views

VENUE = "venues/<slug:slug>/"
PAPER = f"{VENUE}results/papers/<int:pk>/"
REVIEW = f"{PAPER}reviews/<slug:code>/"

urlpatterns: list[URLPattern] = [
    path(f"{VENUE}results/open/", views.open_results, name="open_results"),
    path(f"{VENUE}results/", views.results, name="results"),
    path(f"{VENUE}results/discussion/", views.discussion, name="discussion"),
    path(f"{VENUE}results/charts/", views.result_charts, name="result_charts"),
    path(f"{VENUE}results/charts/<str:name>", picture_views.result_picture, name="result_picture"),
    path(f"{VENUE}results/state.json", views.result_state, name="result_state"),
    path(f"{VENUE}results/downloads/", download_views.downloads, name="downloads"),
    path(PAPER, views.paper_result, name="paper_result"),
    path(f"{PAPER}<slug:chart>/<slug:theme>.svg", picture_views.paper_chart, name="paper_chart"),
    path(f"{REVIEW}exclude/", views.exclude_review, name="exclude_review"),
    path(f"{REVIEW}lift/", views.lift_exclusion, name="lift_exclusion"),
    path(f"{VENUE}download/<str:name>", download_views.download, name="download"),
    path(f"{VENUE}report/", download_views.report_page, name="report_page"),
]
