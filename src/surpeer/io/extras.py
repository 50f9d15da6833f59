"""Optional dependencies: what to say where one is not installed."""

from collections.abc import Iterator
from contextlib import contextmanager

from surpeer.errors import InputError


@contextmanager
def needs_extra(module: str, what: str, extra: str, otherwise: str) -> Iterator[None]:
    """Around an import: that the module itself is missing is an error which says how to get it, or do without.

    what : what needs which package, as in `a workbook needs xlsxwriter`
    extra : of surpeer, which installs it
    """
    try:
        yield
    except ImportError as error:
        if error.name is None or error.name.split(".")[0] != module:
            raise
        raise InputError(f"{what}, which is not installed: pip install 'surpeer[{extra}]', or {otherwise}") from None
