"""Who may do what: one row for each address and method, and for each operation of the API.

A row has six cells, for anonymous, a reviewer of this venue, a reviewer of another, a chair of this venue, a chair of
another and an observer of this one; or one cell for all of them. A cell says what comes back:

    200, 403, 404, 405, 409   that status
    in                        a redirect to the page on which one signs in
    link                      a redirect to the page that says that a personal link is needed
    sent                      403 and a page that says so, too, and shows what this very request sent, nothing else
    go                        a redirect elsewhere: it was done, or one belongs somewhere else
    closed                    a page that says that the results have not been opened, and nothing else
    409>200                   409 before the results are opened, 200 after

What of an address is filled in, and what is sent to it, is in `access_requests`.
"""

from dataclasses import dataclass

from web.access_world import ROLES

PAGES = """
home                     GET   200  go   go   go   go   go
home                     POST  405
health                   GET   200
health                   POST  405
login                    GET   200  200  200  go   go   go
login                    POST  200  200  200  go   go   go
logout                   GET   405
logout                   POST  go
join                     GET   200
join                     POST  go
link_needed              GET   403
link_needed              POST  405
account                  GET   in   in   in   200  200  200
account                  POST  in   in   in   go   go   go
password_change          GET   in   in   in   200  200  200
password_change          POST  in   in   in   200  200  200
new_token                GET   in   in   in   405  405  405
new_token                POST  in   in   in   200  200  200
revoke_token             GET   in   in   in   405  405  405
revoke_token             POST  in   in   in   go   404  404
password_reset           GET   200
password_reset           POST  go
password_reset_done      GET   200
password_reset_done      POST  405
password_reset_confirm   GET   go
password_reset_confirm   POST  go
password_reset_complete  GET   200
password_reset_complete  POST  405

members                  GET   in   in   in   200  404  200
members                  POST  405
invite_member            GET   405
invite_member            POST  in   in   in   200  404  403
remove_member            GET   405
remove_member            POST  in   in   in   go   404  403
withdraw_invitation      GET   405
withdraw_invitation      POST  in   in   in   go   404  403

venues                   GET   in   in   in   200  200  200
venues                   POST  in   in   in   405  405  405
new_venue                GET   in   in   in   200  200  403
new_venue                POST  in   in   in   go   go   403
venue                    GET   in   in   in   200  404  200
venue                    POST  405
venue_progress           GET   in   in   in   200  404  200
venue_progress           POST  405
progress_file            GET   in   in   in   200  404  200
progress_file            POST  405
venue_settings           GET   in   in   in   200  404  200
venue_settings           POST  in   in   in   go   404  403
close_round              GET   in   in   in   200  404  403
close_round              POST  in   in   in   go   404  403
reopen_round             GET   in   in   in   200  404  403
reopen_round             POST  in   in   in   go   404  403
import                   GET   in   in   in   200  404  403
import                   POST  in   in   in   go   404  403
import_preview           GET   in   in   in   200  404  403
import_preview           POST  405
import_confirm           GET   405
import_confirm           POST  in   in   in   go   404  403
papers                   GET   in   in   in   200  404  200
papers                   POST  405
new_paper                GET   in   in   in   200  404  403
new_paper                POST  in   in   in   go   404  403
paper                    GET   in   in   in   200  404  200
paper                    POST  405
edit_paper               GET   in   in   in   200  404  403
edit_paper               POST  in   in   in   go   404  403
remove_paper             GET   405
remove_paper             POST  in   in   in   go   404  403
assign_reviewer          GET   405
assign_reviewer          POST  in   in   in   go   404  403
reviewers                GET   in   in   in   200  404  200
reviewers                POST  405
new_reviewer             GET   in   in   in   200  404  403
new_reviewer             POST  in   in   in   go   404  403
invite                   GET   in   in   in   200  404  403
invite                   POST  in   in   in   200  404  403
remind                   GET   in   in   in   200  404  403
remind                   POST  in   in   in   200  404  403
reviewer                 GET   in   in   in   200  404  200
reviewer                 POST  405
edit_reviewer            GET   in   in   in   200  404  403
edit_reviewer            POST  in   in   in   go   404  403
remove_reviewer          GET   405
remove_reviewer          POST  in   in   in   go   404  403
assign_paper             GET   405
assign_paper             POST  in   in   in   go   404  403
invite_one               GET   405
invite_one               POST  in   in   in   go   404  403
remind_one               GET   405
remind_one               POST  in   in   in   go   404  403
make_link                GET   405
make_link                POST  in   in   in   200  404  403
replace_links            GET   in   in   in   200  404  403
replace_links            POST  in   in   in   200  404  403
revoke_links             GET   in   in   in   200  404  403
revoke_links             POST  in   in   in   go   404  403
export_person            GET   405
export_person            POST  in   in   in   200  404  403
erase_person             GET   in   in   in   200  404  403
erase_person             POST  in   in   in   go   404  403
unassign                 GET   405
unassign                 POST  in   in   in   go   404  403

personal_link            GET   go
personal_link            POST  405
my_papers                GET   link 200  200  link link link
my_papers                POST  405
my_data                  GET   link 200  200  link link link
my_data                  POST  405
leave                    GET   405
leave                    POST  link go   go   link link link
review                   GET   link 200  404  link link link
review                   POST  sent go   404  sent sent sent
review_stored            GET   link 200  404  link link link
review_stored            POST  405
save_draft               GET   405
save_draft               POST  sent 200  404  sent sent sent
decline                  GET   link 200  404  link link link
decline                  POST  sent go   404  sent sent sent
take_back                GET   405
take_back                POST  link go   404  link link link

open_results             GET   in   in   in   200>go   404  403
open_results             POST  in   in   in   go       404  403
results                  GET   in   in   in   closed>200  404  closed>200
results                  POST  405
discussion               GET   in   in   in   closed>200  404  closed>200
discussion               POST  405
result_charts            GET   in   in   in   closed>200  404  closed>200
result_charts            POST  405
result_picture           GET   in   in   in   409>200  404  409>200
result_picture           POST  405
result_state             GET   in   in   in   409>200  404  409>200
result_state             POST  405
downloads                GET   in   in   in   closed>200  404  closed>200
downloads                POST  405
paper_result             GET   in   in   in   closed>200  404  closed>200
paper_result             POST  405
paper_chart              GET   in   in   in   409>200  404  409>200
paper_chart              POST  405
exclude_review           GET   405
exclude_review           POST  in   in   in   409>go   404  403
lift_exclusion           GET   405
lift_exclusion           POST  in   in   in   409>go   404  403
download                 GET   in   in   in   409>200  404  409>200
download                 POST  405
report_page              GET   in   in   in   closed>200  404  closed>200
report_page              POST  405

venue_log                GET   in   in   in   200  404  200
venue_log                POST  405

no_call                  GET   404
no_call                  POST  404
"""

API = """
list_venues              GET     401  401  401  200      200  200
create_venue             POST    401  401  401  201      201  403
read_venue               GET     401  401  401  200      404  200
change_venue             PATCH   401  401  401  200      404  403
read_progress            GET     401  401  401  200      404  200
close_round              POST    401  401  401  200      404  403
reopen_round             POST    401  401  401  200      404  403
open_results             POST    401  401  401  200      404  403
list_papers              GET     401  401  401  200      404  200
read_paper               GET     401  401  401  200      404  200
import_papers            POST    401  401  401  200      404  403
list_reviewers           GET     401  401  401  200      404  200
import_reviewers         POST    401  401  401  200      404  403
revoke_links             POST    401  401  401  200      404  403
list_assignments         GET     401  401  401  200      404  200
import_assignments       POST    401  401  401  200      404  403
send_invitations         POST    401  401  401  200      404  403
send_reminders           POST    401  401  401  200      404  403
read_results             GET     401  401  401  409>200  404  409>200
list_ranking             GET     401  401  401  409>200  404  409>200
read_paper_result        GET     401  401  401  409>200  404  409>200
list_reviews             GET     401  401  401  409>200  404  409>200
list_all_reviews         GET     401  401  401  409>200  404  409>200
list_exclusions          GET     401  401  401  409>200  404  409>200
exclude_review           POST    401  401  401  409>201  404  403
lift_exclusion           DELETE  401  401  401  409>200  404  403
list_log                 GET     401  401  401  200      404  200
"""
"""The operations of the API by the ids of its description. Anonymous and reviewers have no tokens; the others bring
theirs. A token that is missing is answered with 401."""

REFUSALS = {"in", "link", "sent", "401", "403", "404", "405", "409", "closed"}


@dataclass(frozen=True)
class Row:
    """What each role gets, before and after the results are opened."""

    name: str
    method: str
    cells: tuple[str, ...]

    def expected(self, role: str, opened: bool) -> str:
        before, _, after = self.cells[ROLES.index(role)].partition(">")
        return after if opened and after else before

    @property
    def allows_somebody(self) -> bool:
        return any(self.expected(role, opened=True) in ("200", "go") for role in ROLES)

    @property
    def depends_on_opening(self) -> bool:
        return any(">" in cell for cell in self.cells)


def rows_of(table: str) -> list[Row]:
    """The rows of a table."""
    found = []
    for line in filter(None, table.splitlines()):
        name, method, *cells = line.split()
        assert len(cells) in (1, len(ROLES)), f"{line}: expected one cell or one for each of {ROLES}"
        found.append(Row(name, method, tuple(cells * len(ROLES) if len(cells) == 1 else cells)))
    return found
