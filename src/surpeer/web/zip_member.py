"""A file inside a zip that is written part by part: packed, and with the time at which it was written.

Python's own `ZipFile.open` gives such files no time, so that they are shown as made in 1980.
"""

import time
import zipfile


def new_member(name: str) -> zipfile.ZipInfo:
    """What `ZipFile.open(..., "w")` takes; the time is local, as zips have it."""
    member = zipfile.ZipInfo(name, date_time=time.localtime()[:6])
    member.compress_type = zipfile.ZIP_DEFLATED
    return member
