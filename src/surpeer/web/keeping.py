"""`surpeer backup` and `surpeer restore` behind the command line."""

import shlex
from dataclasses import replace
from pathlib import Path

from surpeer.errors import InputError, counted
from surpeer.web.deployment import Deployment
from surpeer.web.setting_up import set_up
from surpeer.web.unchanged_folder import unchanged_on_failure

COUNTED = {
    "venues.venue": "venue",
    "venues.paper": "paper",
    "venues.reviewer": "reviewer",
    "reviews.submission": "review",
}


def back_up_to(path: Path, data: Path | None) -> None:
    """Write a backup and say what is in it."""
    deployment = _deployment(data)
    if not deployment.database_url and not (deployment.data / "surpeer.sqlite3").exists():
        raise InputError(f"{deployment.data}: has no data of surpeer; name its folder with --data, or set DATABASE_URL")
    set_up(deployment)
    from surpeer.web.backup import back_up

    replaced = "; the file that was there is replaced" if path.is_file() else ""
    print(f"{path}: {_said(back_up(path))}{replaced}")  # noqa: T201 - what the command says


def restore_from(path: Path, data: Path | None) -> None:
    """Restore a backup and say what was in it."""
    deployment = _deployment(data)
    with unchanged_on_failure(deployment.data):
        set_up(deployment)
        from surpeer.web.restore import restore

        restored = _said(restore(path))
    start = "surpeer serve" if data is None else f"surpeer serve --data {shlex.quote(str(data))}"
    print(f"restored {restored}; start it with `{start}`")  # noqa: T201


def _deployment(data: Path | None) -> Deployment:
    deployment = Deployment.from_environment()
    return deployment if data is None else replace(deployment, data=data.absolute())


def _said(rows: dict[str, int]) -> str:
    return ", ".join(counted(rows.get(name, 0), word) for name, word in COUNTED.items())
