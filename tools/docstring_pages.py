"""Docstrings as Markdown.

Our docstrings are Markdown already, but for three things: lines `name : meaning` are arguments, lines with `>>>` are
examples, and indented lines are pictures of a table or a tree.
"""

import re
from collections.abc import Iterator
from inspect import cleandoc

ARGUMENT = re.compile(r"^(\*{0,2}\w+(?:, \*{0,2}\w+)*) +: +")
SEVERAL = re.compile(r",\s+(?=\w+ +: )|;?\s+(?=returns )")
CODE = re.compile(r"(`[^`]*`)")


def as_markdown(docstring: str | None) -> str:
    """The whole of a docstring, in paragraphs."""
    return "\n\n".join(part for block in _blocks(cleandoc(docstring or "")) for part in _block(block))


def plain(text: str) -> str:
    """Text whose stars, brackets and outer underscores are meant as they are, outside of backticks."""
    parts = CODE.split(text)
    parts[::2] = [re.sub(r"(\*|<(?=\w)|_(?!\w)|(?<!\w)_)", r"\\\1", part) for part in parts[::2]]
    return "".join(parts)


def _blocks(text: str) -> Iterator[list[str]]:
    """Paragraphs as lists of lines; examples and indented lines stay together across empty ones."""
    gathered: list[str] = []
    for line in text.split("\n"):
        if line.strip():
            if gathered and line.startswith(">>>") and not gathered[0].startswith(">>>"):
                yield gathered
                gathered = []
            gathered.append(line)
        elif gathered:
            yield gathered
            gathered = []
    if gathered:
        yield gathered


def _block(lines: list[str]) -> Iterator[str]:
    if lines[0].startswith(">>>"):
        yield "\n".join(["```pycon", *lines, "```"])
    elif lines[0].startswith("    "):
        yield "\n".join(["```text", *(line[4:] for line in lines), "```"])
    elif ARGUMENT.match(lines[0]):
        yield "\n".join(f"- {_argument(entry)}" for entry in _arguments(lines))
    else:
        yield plain("\n".join(lines))


def _arguments(lines: list[str]) -> Iterator[str]:
    """One text for each argument; `w : (K,), U : (K, K); returns (K,)` on one line are three."""
    entries: list[str] = []
    for line in lines:
        if ARGUMENT.match(line) or not entries:
            entries.append(line.strip())
        else:
            entries[-1] += " " + line.strip()
    for entry in entries:
        names = ""
        for part in SEVERAL.split(entry):
            if ":" in part or part.startswith("returns "):
                yield names + part
                names = ""
            else:  # `n_a, n_b : reviewers` is one entry
                names += f"{part}, "
        if names:
            yield names.removesuffix(", ")


def _argument(entry: str) -> str:
    found = ARGUMENT.match(entry)
    if found is None:
        return plain(entry)
    names = ", ".join(f"`{name}`" for name in found[1].split(", "))
    return f"{names}: {plain(' '.join(entry[found.end() :].split()))}"
