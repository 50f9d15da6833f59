"""Addresses of this app."""

from django.urls import URLPattern, path

from surpeer.web.reviews import entry, review_views, views

urlpatterns: list[URLPattern] = [
    path("r/<str:token>/", entry.personal_link, name="personal_link"),
    path("reviews/", views.my_papers, name="my_papers"),
    path("reviews/my-data/", views.my_data, name="my_data"),
    path("reviews/leave/", entry.leave, name="leave"),
    path("reviews/<int:assignment>/", review_views.review, name="review"),
    path("reviews/<int:assignment>/stored/", review_views.review_stored, name="review_stored"),
    path("reviews/<int:assignment>/draft/", review_views.save_draft, name="save_draft"),
    path("reviews/<int:assignment>/decline/", views.decline, name="decline"),
    path("reviews/<int:assignment>/take-back/", views.take_back, name="take_back"),
]
