"""Pictures need matplotlib, which is an extra."""

from types import ModuleType

from surpeer.io.extras import needs_extra


def load_figures(otherwise: str) -> ModuleType:
    """The module that draws; `otherwise` says what a user without matplotlib can do instead."""
    with needs_extra("matplotlib", "pictures need matplotlib", "figures", otherwise):
        from surpeer.experiments import figures
    return figures
