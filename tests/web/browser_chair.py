"""What a chair does before the results: account, venue, imports, invitations, watching, closing."""

import re
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Page, expect

from web.browser_watch import window
from web.running import RunningServer

PASSWORD = "seven grey herons"
NAME = "Workshop on Moles"
LEVELS = (("weak", "0"), ("fair", "1"), ("good", "2"), ("superb", "4"))
DEADLINE = "2099-03-31T23:59"


def signed_in(browser: Browser, server: RunningServer) -> list[Any]:
    """Cookies of the chair of the demonstration: checking a password takes long on purpose, so do it once for a file."""
    found = re.search(r"with (\S+) and (\S+)", server.text)
    assert found, server.text
    with window(browser, server.url) as person:
        page = person.page
        page.goto("/login/")
        page.get_by_label("E-mail address").fill(found[1])
        page.get_by_label("Password").fill(found[2])
        page.get_by_role("button", name="Sign in").click()
        expect(page.get_by_role("heading", name="Your venues")).to_be_visible()
        assert person.problems == []
        return person.context.cookies()


def create_account(page: Page, link: str, name: str, email: str) -> None:
    """By a link that works once."""
    page.goto(link)
    page.get_by_label("Your name").fill(name)
    page.get_by_label("E-mail address").fill(email)
    page.get_by_label("Password", exact=True).fill(PASSWORD)
    page.get_by_label("Password again").fill(PASSWORD)
    page.get_by_role("button", name="Create the account").click()
    expect(page.get_by_role("heading", name="Your venues")).to_be_visible()


def create_venue(page: Page) -> None:
    """With a scale of her own: one row of the usual five is removed, another added, all are renamed."""
    page.get_by_role("link", name="Create a venue").click()
    page.get_by_label("Name").fill(NAME)
    for _ in range(2):
        page.get_by_role("button", name="Remove level 1").click()
    page.get_by_role("button", name="Add a level").click()
    expect(page.get_by_label("Label of level 4")).to_be_focused()
    for place, (label, value) in enumerate(LEVELS, start=1):
        page.get_by_label(f"Label of level {place}").fill(label)
        page.get_by_label(f"Value of level {place}").fill(value)
    page.get_by_label("Deadline").fill(DEADLINE)
    page.get_by_label("How many to accept").fill("2")
    page.get_by_label("Instructions for reviewers").fill("Superb is for papers that you would tell a friend about.")
    page.get_by_role("button", name="Create the venue").last.click()
    expect(page.get_by_role("heading", name=NAME)).to_be_visible()
    expect(page.get_by_text("weak, fair, good, superb")).to_be_visible()


def look_at_file(page: Page, kind: str, file: Path) -> None:
    """Upload a file and see what it would do."""
    page.goto(f"{venue_address(page)}import/{kind}/")
    page.get_by_label("File").set_input_files(file)
    page.get_by_role("button", name="Look at the file").click()
    expect(page.get_by_role("heading", name=f"Import {kind}: {file.name}")).to_be_visible()


def refused_file(page: Page, kind: str, file: Path, *problems: str) -> None:
    """A file with problems: every one is shown, and there is no button that imports it."""
    look_at_file(page, kind, file)
    count = f"{len(problems)} problem{'' if len(problems) == 1 else 's'}"
    expect(page.get_by_role("alert")).to_contain_text(f"The file has {count}, so nothing of it can be imported")
    expect(page.get_by_role("row")).to_have_count(len(problems) + 1)
    for problem in problems:
        expect(page.get_by_role("row", name=problem)).to_be_visible()
    expect(page.get_by_role("button", name="Import")).to_have_count(0)
    page.goto(f"{venue_address(page)}{'papers' if kind == 'papers' else 'reviewers'}/")
    expected = page.get_by_text(f"There are no {kind} yet.") if kind != "assignments" else page.get_by_text("no papers")
    expect(expected.first).to_be_visible()


def import_file(page: Page, kind: str, file: Path, count: int) -> None:
    """A right file: nothing is written before it is confirmed."""
    look_at_file(page, kind, file)
    expect(page.get_by_text("Nothing was written yet.")).to_be_visible()
    expect(page.get_by_role("table").get_by_role("row")).to_have_count(count + 1)
    page.get_by_role("button", name="Import").click()
    expect(page.get_by_role("status").first).to_contain_text("Imported.")


def import_again(page: Page, kind: str, file: Path) -> None:
    """The same file once more changes nothing."""
    look_at_file(page, kind, file)
    expect(page.get_by_role("status")).to_contain_text("Nothing to do: everything in the file is there already.")
    expect(page.get_by_role("button", name="Import")).to_have_count(0)


def invite_reviewers(page: Page, count: int) -> None:
    """Everybody who has papers."""
    page.goto(venue_address(page))
    page.get_by_role("link", name="Invite reviewers").first.click()
    expect(page.get_by_text("Open your personal link to see them.")).to_be_visible()
    page.get_by_role("button", name=f"Send {count} invitations").click()
    expect(page.get_by_role("status")).to_contain_text(
        f"{count} mails were put into the folder mail of the data, not sent."
    )


def remind_the_late(page: Page) -> None:
    """The one who has something left to do."""
    page.goto(f"{venue_address(page)}remind/?all=1")  # they were invited a moment ago
    page.get_by_role("button", name="Send 1 reminder").click()
    expect(page.get_by_role("status")).to_contain_text("1 mail was put into the folder mail of the data, not sent.")


def invite_observer(page: Page, email: str) -> None:
    """On the page of people."""
    page.get_by_role("link", name="People", exact=True).click()
    page.get_by_label("E-mail address").fill(email)
    page.get_by_label("Role").select_option("observer")
    page.get_by_role("button", name="Send the invitation").click()
    expect(page.get_by_role("heading", name="The invitation was not sent")).to_be_visible()


def close_round(page: Page) -> None:
    """After a question."""
    page.goto(venue_address(page))
    page.get_by_role("link", name="Close the round").last.click()
    page.get_by_role("button", name="Close the round").click()
    expect(page.get_by_role("status").first).to_contain_text("The round is closed.")


def reopen_round(page: Page) -> None:
    """With a deadline to come."""
    page.goto(venue_address(page))
    page.get_by_role("link", name="Reopen the round").click()
    page.get_by_label("Deadline").fill("2099-04-30T12:00")
    page.get_by_role("button", name="Reopen the round").click()
    expect(page.get_by_role("status").first).to_contain_text("The round is open again.")


def venue_address(page: Page) -> str:
    """The path of the venue whose page is open."""
    parts = page.url.split("/")
    return f"/venues/{parts[4]}/"
