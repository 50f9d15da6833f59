"""Commands that are loaded when they are used: `surpeer serve` does not wait for what only `surpeer score` needs."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from importlib import import_module
from typing import Any

import typer

from surpeer.cli.help_text import SETTINGS, PlainCommand, PlainGroup, write_groups


@dataclass(frozen=True)
class Listed:
    """A command before it is loaded: the module of this package that it is in, and what the list of commands says."""

    module: str
    summary: str
    function: str = "command"
    """Its name in the module; it may also be a group of commands."""

    def load(self, name: str) -> Any:
        """The command itself."""
        found = getattr(import_module(f"surpeer.cli.{self.module}"), self.function)
        if isinstance(found, typer.Typer):
            return typer.main.get_command(found)
        alone = typer.Typer(add_completion=False, pretty_exceptions_enable=False, rich_markup_mode=None)
        alone.command(name, cls=PlainCommand, context_settings=SETTINGS)(found)
        return typer.main.get_command(alone)


class LoadedOnDemand(Mapping[str, Any]):
    """Commands by their names, each loaded when it is first looked at."""

    def __init__(self, listed: Mapping[str, Listed]) -> None:
        self._listed = listed
        self._loaded: dict[str, Any] = {}

    def __getitem__(self, name: str) -> Any:
        if name not in self._loaded:
            self._loaded[name] = self._listed[name].load(name)
        return self._loaded[name]

    def __contains__(self, name: object) -> bool:
        return name in self._listed

    def __iter__(self) -> Iterator[str]:
        return iter(self._listed)

    def __len__(self) -> int:
        return len(self._listed)


class GroupOnDemand(PlainGroup):
    """Commands under headings, of which only the one that is called is loaded."""

    headings: Mapping[str, Mapping[str, Listed]]

    def __init__(self, **settings: Any) -> None:
        super().__init__(**settings)
        self.commands: Any = LoadedOnDemand(
            {name: listed for group in self.headings.values() for name, listed in group.items()}
        )

    def format_commands(self, ctx: Any, formatter: Any) -> None:  # noqa: ARG002 - typer calls it so
        """Every command with its summary below its heading, without loading any."""
        write_groups(
            formatter,
            [
                (heading, [(name, listed.summary) for name, listed in group.items()])
                for heading, group in self.headings.items()
            ],
        )
