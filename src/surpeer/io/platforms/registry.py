"""Which platforms there are, and which one a file comes from."""

from surpeer.errors import InputError, UnknownName
from surpeer.io.content import Content
from surpeer.io.platforms import indico, revnorm, table
from surpeer.io.platforms.cmt import platform as cmt
from surpeer.io.platforms.easychair import platform as easychair
from surpeer.io.platforms.hotcrp import platform as hotcrp
from surpeer.io.platforms.openreview import platform as openreview
from surpeer.io.platforms.pretalx import platform as pretalx
from surpeer.io.review_form.export import Platform

PLATFORMS: dict[str, Platform] = {
    platform.name: platform
    for platform in (
        hotcrp.PLATFORM,
        openreview.PLATFORM,
        easychair.PLATFORM,
        cmt.PLATFORM,
        pretalx.PLATFORM,
        indico.PLATFORM,
        revnorm.PLATFORM,
        table.PLATFORM,
    )
}
"""By the names that `--from` takes. The first that recognises a file reads it; a plain table is the last resort."""


def find_platform(name: str) -> Platform:
    """The platform of this name."""
    if name not in PLATFORMS:
        raise UnknownName("platform", name, PLATFORMS)
    return PLATFORMS[name]


def recognise(content: Content) -> Platform | None:
    """The platform whose export this is, if any knows it. Raises where two specific ones claim it."""
    claims = [platform for platform in PLATFORMS.values() if platform.recognise(content) is not None]
    specific = [platform for platform in claims if platform is not table.PLATFORM]
    if len(specific) > 1:
        names = ", ".join(platform.name for platform in specific)
        raise InputError(f"{content.source}: this may be an export of {names}; say which with --from")
    return next(iter(specific or claims), None)
