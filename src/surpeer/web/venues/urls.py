"""Addresses of this app."""

from django.urls import URLPattern, path

from surpeer.web.venues import (
    assignment_views,
    import_views,
    mail_views,
    overview,
    paper_views,
    progress_file,
    reviewer_access,
    reviewer_views,
    settings_views,
)

VENUE = "venues/<slug:slug>/"
PAPER, REVIEWER = f"{VENUE}papers/<int:pk>/", f"{VENUE}reviewers/<int:pk>/"

urlpatterns: list[URLPattern] = [
    path("venues/", overview.venues, name="venues"),
    path("venues/new/", settings_views.new_venue, name="new_venue"),
    path(VENUE, overview.venue, name="venue"),
    path(f"{VENUE}progress.json", overview.venue_progress, name="venue_progress"),
    path(f"{VENUE}progress.csv", progress_file.progress_file, name="progress_file"),
    path(f"{VENUE}settings/", settings_views.venue_settings, name="venue_settings"),
    path(f"{VENUE}close/", settings_views.close_round, name="close_round"),
    path(f"{VENUE}reopen/", settings_views.reopen_round, name="reopen_round"),
    path(f"{VENUE}import/<str:kind>/", import_views.import_file, name="import"),
    path(f"{VENUE}uploads/<int:pk>/", import_views.import_preview, name="import_preview"),
    path(f"{VENUE}uploads/<int:pk>/confirm/", import_views.import_confirm, name="import_confirm"),
    path(f"{VENUE}papers/", paper_views.papers, name="papers"),
    path(f"{VENUE}papers/new/", paper_views.new_paper, name="new_paper"),
    path(PAPER, paper_views.paper, name="paper"),
    path(f"{PAPER}edit/", paper_views.edit_paper, name="edit_paper"),
    path(f"{PAPER}remove/", paper_views.remove_paper, name="remove_paper"),
    path(f"{PAPER}assign/", assignment_views.assign_reviewer, name="assign_reviewer"),
    path(f"{VENUE}reviewers/", reviewer_views.reviewers, name="reviewers"),
    path(f"{VENUE}reviewers/new/", reviewer_views.new_reviewer, name="new_reviewer"),
    path(f"{VENUE}invite/", mail_views.invite, name="invite"),
    path(f"{VENUE}remind/", mail_views.remind, name="remind"),
    path(REVIEWER, reviewer_views.reviewer, name="reviewer"),
    path(f"{REVIEWER}edit/", reviewer_views.edit_reviewer, name="edit_reviewer"),
    path(f"{REVIEWER}remove/", reviewer_views.remove_reviewer, name="remove_reviewer"),
    path(f"{REVIEWER}assign/", assignment_views.assign_paper, name="assign_paper"),
    path(f"{REVIEWER}invite/", mail_views.send_one, {"kind": "invite"}, name="invite_one"),
    path(f"{REVIEWER}remind/", mail_views.send_one, {"kind": "remind"}, name="remind_one"),
    path(f"{REVIEWER}link/", reviewer_access.make_link, name="make_link"),
    path(f"{REVIEWER}links/replace/", reviewer_access.replace_links, name="replace_links"),
    path(f"{REVIEWER}links/revoke/", reviewer_access.revoke_links, name="revoke_links"),
    path(f"{REVIEWER}export/", reviewer_access.export_person, name="export_person"),
    path(f"{REVIEWER}erase/", reviewer_access.erase_person, name="erase_person"),
    path(f"{VENUE}assignments/<int:pk>/remove/", assignment_views.unassign, name="unassign"),
]
