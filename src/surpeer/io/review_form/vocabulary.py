"""The words by which fields and answers of review forms are known: vocabulary.toml, read once."""

import tomllib
from importlib.resources import files

VOCABULARY: dict[str, list[str]] = tomllib.loads(
    files("surpeer.io.review_form").joinpath("vocabulary.toml").read_text("utf-8")
)
