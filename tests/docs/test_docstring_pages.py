"""Docstrings become Markdown, and index pages become the navigation."""

import pytest
from docstring_pages import as_markdown, plain
from site_navigation import entries, table_of_contents, with_navigation

DOCSTRING = """Add up.

    A picture  of it
    in two     lines

n_a, n_b : how many of each,
    both positive
w : (..., K), U : (..., K, K); returns (..., K)

Raises an error* where p_ is <missing>.
>>> add(1)
2
"""
PAGE = """Add up.

```text
A picture  of it
in two     lines
```

- `n_a`, `n_b`: how many of each, both positive
- `w`: (..., K)
- `U`: (..., K, K)
- returns (..., K)

Raises an error\\* where p\\_ is \\<missing>.

```pycon
>>> add(1)
2
```"""


def test_a_docstring_as_markdown() -> None:
    assert as_markdown(DOCSTRING) == PAGE
    assert as_markdown(None) == ""


def test_arguments_may_be_aligned_and_returns_may_have_its_own_line() -> None:
    text = "level : (...)     noise level, in [0, 1)\nbias  : (..., K)  distribution\nreturns (..., K, K); entry (s, t) is it"
    assert as_markdown(text).split("\n") == [
        "- `level`: (...) noise level, in [0, 1)",
        "- `bias`: (..., K) distribution",
        "- returns (..., K, K); entry (s, t) is it",
    ]


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("S*(w) of `a*b`, M* too", r"S\*(w) of `a*b`, M\* too"),
        ("snake_case and p_ columns", r"snake_case and p\_ columns"),
        ("det <= 0, a < b, <tag>", r"det <= 0, a < b, \<tag>"),
    ],
)
def test_signs_that_mean_themselves(text: str, written: str) -> None:
    assert plain(text) == written


def test_lists_of_links_are_the_navigation() -> None:
    page = "- [Decide](how-to/decide.md): who is in\n- see [x](x.md)\n- [web](https://example.org/a.md)\n- [N](n.ipynb)"
    assert entries(page) == [("Decide", "how-to/decide"), ("N", "n")]
    assert table_of_contents(page).split() == [
        "```{toctree}",
        ":hidden:",
        "Decide",
        "<how-to/decide>",
        "N",
        "<n>",
        "```",
    ]


def test_only_index_pages_get_a_navigation() -> None:
    index, other = ["- [A](a.md)"], ["- [A](a.md)"]
    with_navigation(None, "docs/how-to/index", index)
    with_navigation(None, "docs/how-to/decide", other)
    assert "A <a>" in index[0]
    assert other == ["- [A](a.md)"]
