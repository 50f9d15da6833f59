"""`surpeer backup` and `surpeer restore`: everything of the application in the browser in one file, and back."""

from importlib import import_module
from pathlib import Path
from typing import Annotated

import typer

from surpeer.cli.failure import exit_codes
from surpeer.cli.serve import NEEDED, DataFolder
from surpeer.io.extras import needs_extra

KEEPING = "surpeer.web.keeping"


def backup(
    output: Annotated[Path, typer.Argument(metavar="FILE", help="The backup to write (.zip).")],
    data: DataFolder = None,
) -> None:
    """Back up the venues in the browser into one file.

    Everything is in it, at one moment; the application may run meanwhile. A file of this name is
    replaced. It has names, e-mail addresses and reviews in it: keep it where nobody else can read it.

    Example: surpeer backup surpeer.zip
    """
    with exit_codes(), needs_extra(*NEEDED):
        import_module(KEEPING).back_up_to(output, data)


def restore(
    backup_file: Annotated[Path, typer.Argument(metavar="FILE", help="A file that `surpeer backup` wrote.")],
    data: DataFolder = None,
) -> None:
    """Restore a backup of the venues in the browser.

    Into an empty folder (--data) or an empty PostgreSQL database (DATABASE_URL): nobody's data is overwritten. A backup
    of an earlier version is brought up to date; one that was made on the embedded database can be restored into
    PostgreSQL, and the other way round.

    Example: surpeer restore surpeer.zip --data /srv/surpeer
    """
    with exit_codes(), needs_extra(*NEEDED):
        import_module(KEEPING).restore_from(backup_file, data)
