"""Which columns an imported table may have, and what else they may be called: for pages, files and scripts."""

from django.core.exceptions import ValidationError
from django.core.validators import URLValidator

from surpeer.web.accounts.mail_addresses import why_refused
from surpeer.web.venues.import_cells import Column

_url = URLValidator(schemes=["http", "https"])


def _expected_url(text: str) -> str | None:
    try:
        _url(text)
    except ValidationError:
        return "an address that begins with https:// or http://"
    return None


def _expected_one_reviewer(text: str) -> str | None:
    return "one reviewer in each row, with the id of the paper in each" if text.count("@") > 1 else None


EMAIL_NAMES = ("email", "mail", "email address", "address")
PAPER_NAMES = ("paper", "paper id", "paper number", "submission", "submission id", "submission number", "key", "entry")
OTHER_PAPER_NAMES = ("proposal", "proposal id", "application", "application id")
GIVEN_NAMES = ("first name", "given name", "given names", "forename", "first", "reviewer first name")
FAMILY_NAMES = ("last name", "family name", "surname", "last", "reviewer last name")

PAPER_COLUMNS = (
    Column("key", "id", ("id", *PAPER_NAMES, "number", *OTHER_PAPER_NAMES), 200, required=True),
    Column("title", "title", ("title", "paper title", "name"), 1000),
    Column("authors", "authors", ("authors", "author", "author names", "applicants", "applicant"), 2000),
    Column("track", "track", ("track", "track name", "area", "category", "session"), 200),
    Column("url", "url", ("url", "link", "pdf", "web", "address"), 2000, check=_expected_url),
    Column("abstract", "abstract", ("abstract", "summary", "description"), 20_000, is_text=True),
)
REVIEWER_COLUMNS = (
    Column(
        "email", "email", (*EMAIL_NAMES, "reviewer email"), 254, required=True, name_goes_to="name", check=why_refused
    ),
    Column(
        "name",
        "name",
        ("name", "full name", "reviewer", "reviewer name", "juror"),
        200,
        parts=(GIVEN_NAMES, FAMILY_NAMES),
    ),
)
ASSIGNMENT_COLUMNS = (
    Column("paper", "paper", (*PAPER_NAMES, *OTHER_PAPER_NAMES, "number", "id"), 200, required=True),
    Column(
        "reviewer",
        "reviewer",
        ("reviewer email", *EMAIL_NAMES, "reviewer", "juror", "name"),
        254,
        required=True,
        has_own_rows=True,
        parts=(GIVEN_NAMES, FAMILY_NAMES),
        name_goes_to="",
        check=_expected_one_reviewer,
    ),
)
COLUMNS = {"papers": PAPER_COLUMNS, "reviewers": REVIEWER_COLUMNS, "assignments": ASSIGNMENT_COLUMNS}
