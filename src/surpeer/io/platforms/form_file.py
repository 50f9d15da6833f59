"""A file with the settings of a review form -> Form, whichever platform it comes from."""

from pathlib import Path

from surpeer.errors import InputError
from surpeer.io.file_bytes import read_bytes
from surpeer.io.json_document import read_json
from surpeer.io.platforms.hotcrp import form as hotcrp_form
from surpeer.io.platforms.openreview import form as openreview_form
from surpeer.io.review_form.form import Form


def read_form(path: Path) -> Form:
    """The review form that a file describes."""
    document = read_json(path, read_bytes(path))
    for reader in (hotcrp_form.read_form, openreview_form.read_form):
        form = reader(document)
        if form is not None:
            return form
    raise InputError(
        f"{path}: found JSON that is no review form, expected the settings of a HotCRP form or the content of an "
        "OpenReview review form"
    )
