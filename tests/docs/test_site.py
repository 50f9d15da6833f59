"""The documentation site: it builds without a warning, holds together, and needs no network."""

import re
import subprocess
import sys
from functools import cache
from itertools import pairwise
from pathlib import Path

import pytest
from conftest import ROOT
from pages import SHOWN, name_of, tokens
from site_navigation import entries
from site_pages import SitePage, is_elsewhere

SECTIONS = [
    "Tutorial",
    "In the browser",
    "How-to",
    "Explanation",
    "Reference",
    "Gallery",
    "Compare",
    "Notebook",
    "Changes",
    "Contributing",
]


@pytest.fixture(scope="session")
def built(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
    """The folder of the site, built as `make docs` does, and what the build complained about."""
    folder = tmp_path_factory.mktemp("site")
    command = ["-q", "-n", "--keep-going", "-c", "docs", "-d", str(folder / "trees"), ".", str(folder / "html")]
    done = subprocess.run([sys.executable, "-m", "sphinx", *command], cwd=ROOT, capture_output=True, text=True)
    return (folder / "html").resolve(), done.stderr + done.stdout


@pytest.fixture(scope="session")
def site(built: tuple[Path, str]) -> dict[Path, SitePage]:
    return {path: SitePage(path) for path in sorted(built[0].rglob("*.html"))}


def test_the_site_builds_without_a_warning(built: tuple[Path, str]) -> None:
    assert built[1] == ""


def test_every_page_of_the_repository_is_in_the_site(built: tuple[Path, str]) -> None:
    notebooks = [path for path in (ROOT / "docs").rglob("*.ipynb") if ".ipynb_checkpoints" not in path.parts]
    expected = {Path(name_of(page)).with_suffix(".html") for page in (*SHOWN, *notebooks)} - {Path("README.html")}
    assert {path for path in expected if not (built[0] / path).is_file()} == set()
    assert (built[0] / "index.html").is_file()
    found = (built[0] / "searchindex.js").read_text()
    assert [page for page in expected if f'"{page.with_suffix("").as_posix()}"' not in found] == []


def test_every_link_leads_to_a_place_that_exists(site: dict[Path, SitePage]) -> None:
    wrong = []
    for page in site.values():
        for link in page.links:
            target = page.target(link)
            if target is None:
                continue
            path, place = target
            if not path.is_file() or (place and path in site and place not in site[path].places):
                wrong.append(f"{page.path.name}: {link}")
    assert wrong == []


def test_every_page_can_be_reached_from_the_start_page(built: tuple[Path, str], site: dict[Path, SitePage]) -> None:
    start = built[0] / "index.html"
    reached, waiting = {start}, [start]
    while waiting:
        page = site[waiting.pop()]
        for path in {target[0] for link in page.links if (target := page.target(link)) is not None}:
            if path in site and path not in reached:
                reached.add(path)
                waiting.append(path)
    made_by_sphinx = {built[0] / "genindex.html", built[0] / "search.html"}
    assert set(site) - reached - made_by_sphinx == set()


def test_nothing_is_loaded_from_another_host(built: tuple[Path, str], site: dict[Path, SitePage]) -> None:
    loaded = [
        f"{page.path.name}: {address}" for page in site.values() for address in page.loaded if is_elsewhere(address)
    ]
    assert loaded == []
    for style in built[0].rglob("*.css"):
        text = style.read_text(encoding="utf-8")
        assert [found for found in re.findall(r"url\(\s*['\"]?([^'\")]+)", text) if is_elsewhere(found)] == []
        assert re.findall(r"@import[^;]*//", text) == []
    for picture in built[0].rglob("*.svg"):
        assert re.findall(r"(?:href|src)=\"(https?:)?//[^\"]*", picture.read_text(encoding="utf-8")) == []


def test_loaded_addresses_are_told_from_links() -> None:
    assert is_elsewhere("https://cdn.example.org/x.js")
    assert is_elsewhere("//cdn.example.org/x.js")
    assert not is_elsewhere("_static/x.js?v=1")
    assert not is_elsewhere("data:image/png;base64,AA")


def test_every_picture_has_words(site: dict[Path, SitePage]) -> None:
    assert [(page.path.name, name) for page in site.values() for name in page.pictures_without_words] == []


def test_the_sidebar_has_the_sections(site: dict[Path, SitePage], built: tuple[Path, str]) -> None:
    start = site[built[0] / "docs" / "index.html"].path.read_text(encoding="utf-8")
    assert re.findall(r'toctree-l1[^>]*"><a class="reference internal" href="[^"]*">([^<]+)</a>', start) == SECTIONS


@pytest.mark.parametrize("index", sorted((ROOT / "docs").rglob("index.md")), ids=name_of)
def test_an_index_page_lists_every_page_of_its_folder(index: Path) -> None:
    listed = {target for _, target in entries(index.read_text())}
    elsewhere = {
        target.rsplit("/", 1)[1] for _, target in entries((ROOT / "docs" / "index.md").read_text()) if "/" in target
    }
    missing = {page.stem for page in index.parent.glob("*.md")} - listed - elsewhere - {"index"}
    assert missing == set()


def slug(heading: str) -> str:
    """The place of a heading, as code hosts name it."""
    return re.sub(r"[^\w\- ]", "", heading.strip().lower()).replace(" ", "-")


@cache
def places(page: Path) -> frozenset[str]:
    """Of all headings of a page. Some have hundreds of links to themselves."""
    pairs = pairwise(tokens(page.read_text()))
    inlines = [inline for opening, inline in pairs if opening.type == "heading_open"]
    return frozenset(slug("".join(part.content for part in inline.children or ())) for inline in inlines)


@pytest.mark.parametrize("page", SHOWN, ids=name_of)
def test_links_work_in_the_repository_too(page: Path) -> None:
    wrong = []
    for target, place in re.findall(r"\]\(([^)#\s]*)(?:#([^)\s]*))?\)", page.read_text()):
        if target.startswith(("http:", "https:", "mailto:")):
            continue
        path = (page.parent / target).resolve() if target else page
        if not path.exists() or (place and path.suffix == ".md" and place not in places(path)):
            wrong.append(f"{target}#{place}")
    assert wrong == []


@pytest.mark.parametrize("page", SHOWN, ids=name_of)
def test_a_page_has_one_title_and_no_jumps_between_headings(page: Path) -> None:
    levels = [int(token.tag[1]) for token in tokens(page.read_text()) if token.type == "heading_open"]
    assert levels[0] == 1
    assert levels.count(1) == 1
    assert [pair for pair in pairwise(levels) if pair[1] > pair[0] + 1] == []
