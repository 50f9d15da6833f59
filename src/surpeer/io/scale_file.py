"""Scale files: a few lines of TOML or JSON with levels, and optionally values and labels."""

import json
import tomllib
from pathlib import Path

from surpeer.errors import ScaleError, UnknownName
from surpeer.scale import PRESETS, Scale


def read_scale(name_or_path: str) -> Scale:
    """A preset by its name, or a scale file by its path (.toml or .json)."""
    path = Path(name_or_path)
    if name_or_path in PRESETS:
        return PRESETS[name_or_path]
    if path.suffix.lower() not in (".toml", ".json"):
        raise UnknownName("scale", name_or_path, [*PRESETS, "or a file ending in .toml or .json"])
    try:
        text = path.read_text(encoding="utf-8-sig")
        content = tomllib.loads(text) if path.suffix.lower() == ".toml" else json.loads(text)
    except FileNotFoundError:
        raise ScaleError(f"{path}: there is no such file") from None
    except OSError as error:
        raise ScaleError(f"{path}: cannot be read: {error.strerror or error}") from None
    except ValueError as error:  # what tomllib, json and the UTF-8 decoder raise
        raise ScaleError(f"{path}: cannot be read: {error}") from None
    if not isinstance(content, dict):
        raise ScaleError(f'{path}: expected an object such as {{"levels": ["reject", "accept"]}}')
    return Scale.from_mapping(content, str(path))
