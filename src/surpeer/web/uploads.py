"""Uploads are bounded while they arrive: of a file that is too large nothing more is kept, and its size is told."""

from django.conf import settings
from django.core.files.uploadhandler import TemporaryFileUploadHandler


class BoundedUpload(TemporaryFileUploadHandler):
    """Django's own puts files of any size on the disk. Here a form sees the beginning of the file and the size that the
    whole one had, and answers with a page that says so."""

    def receive_data_chunk(self, raw_data: bytes, start: int) -> None:
        if start + len(raw_data) <= settings.MOST_UPLOADED:
            super().receive_data_chunk(raw_data, start)
