"""Pictures need matplotlib, which is an extra."""

from types import ModuleType

from surpeer.errors import InputError


def load_figures(otherwise: str) -> ModuleType:
    """The module that draws; `otherwise` says what a user without matplotlib can do instead."""
    try:
        from surpeer.experiments import figures
    except ImportError as error:
        if error.name is None or error.name.split(".")[0] != "matplotlib":
            raise
        raise InputError(
            f"pictures need matplotlib, which is not installed: pip install 'surpeer[figures]', or {otherwise}"
        ) from None
    return figures
