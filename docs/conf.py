"""The documentation site: `make docs` builds it into build/site, from pages that a code host shows as they are.

The source folder is the repository, so that links such as ../../paper/REPRODUCTION.md lead to the same place here and
there. Nothing is loaded from another host, neither by the build nor by the pages.
"""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tools"))

from pygments.lexers.special import TextLexer
from site_navigation import with_navigation
from sphinx.application import Sphinx

import surpeer

project = "surpeer"
author = "The surpeer developers"
project_copyright = author
version = release = surpeer.__version__

extensions = ["myst_nb"]
root_doc = "docs/index"
include_patterns = ["docs/**", "paper/*.md", "CHANGELOG.md", "CONTRIBUTING.md"]
exclude_patterns = [".*", "build", "benchmarks", "examples", "src", "tests", "tools", "**/.ipynb_checkpoints"]
nitpicky = True

myst_heading_anchors = 4
nb_execution_mode = "off"  # the notebook has its results in it; tests run it again and compare
nb_merge_streams = True

html_theme = "furo"
html_title = f"surpeer {release}"
html_static_path = ["_static"]
html_extra_path = ["_start"]
html_css_files = ["surpeer.css"]
html_favicon = "_static/surpeer.svg"
html_copy_source = False
html_show_search_summary = False  # a page opened from a folder may not fetch others
html_show_sourcelink = False
html_theme_options = {
    "light_logo": "surpeer.svg",
    "dark_logo": "surpeer.svg",
    "navigation_with_keys": True,
    "light_css_variables": {
        "color-brand-primary": "#0b6e75",
        "color-brand-content": "#0b6e75",
        "color-brand-visited": "#56508f",
    },
    "dark_css_variables": {
        "color-brand-primary": "#5cc9c6",
        "color-brand-content": "#5cc9c6",
        "color-brand-visited": "#b3aef0",
    },
}


def setup(app: Sphinx) -> None:
    """Tables in pages are shown as text; the lists of index pages are the navigation."""
    app.add_lexer("csv", TextLexer)
    app.connect("source-read", with_navigation)
