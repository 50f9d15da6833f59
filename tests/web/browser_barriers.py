"""What keeps people out of a page: what axe finds, light and dark, scrolling sideways, and a focus that jumps or hides."""

from typing import Any

from axe_playwright_python.base import AXE_SCRIPT
from playwright.sync_api import Page

NARROW, WIDE = {"width": 320, "height": 640}, {"width": 1200, "height": 900}
SMALL = {"runOnly": ["scrollable-region-focusable", "target-size"]}  # what a small screen can change
COLOURS = {"runOnly": ["color-contrast", "link-in-text-block"]}  # what another colour scheme can change

# Everything that the Tab key should reach, in the order of the page: of a group of radio buttons one.
STOPS = """() => {
  const all = [...document.querySelectorAll("a[href], button, input, select, textarea, summary, [tabindex='0']")];
  const first = (radio) => all.find((one) => one.type === "radio" && one.name === radio.name);
  const chosen = (radio) => document.querySelector(`input[type=radio][name="${radio.name}"]:checked`) || first(radio);
  const stops = all.filter((one) => one.tabIndex >= 0 && !one.disabled && one.checkVisibility({ visibilityProperty: true })
    && (one.type !== "radio" || one === chosen(one)));
  stops.forEach((one, place) => { one.dataset.stop = String(place); });
  return stops.map((one) => (one.innerText || one.name || one.tagName).trim());
}"""
HERE = "() => { const at = document.activeElement; return at && at !== document.body ? at.dataset.stop ?? '?' : ''; }"
AXE = """async (options) => {
  const found = (await axe.run(options)).violations;
  return found.flatMap((one) => one.nodes.map((node) => `${one.id}: ${node.html.slice(0, 200)}`));
}"""
SEEN = """() => {
  const look = getComputedStyle(document.activeElement);
  return look.outlineStyle !== "none" && parseFloat(look.outlineWidth) >= 2;
}"""


def barriers(page: Page) -> list[str]:
    """What axe finds on a page in both colour schemes, and whether it is wider than a small telephone."""
    page.wait_for_load_state()  # a link that was clicked may just have led here
    found = violations(page) + violations(page, "dark", COLOURS)
    page.set_viewport_size(NARROW)
    found += violations(page, "light", SMALL)
    if page.evaluate("document.documentElement.scrollWidth > window.innerWidth"):
        found.append(f"wider than {NARROW['width']} pixels")
    page.set_viewport_size(WIDE)
    return found


def violations(page: Page, scheme: Any = "light", options: Any = None) -> list[str]:
    """What axe finds on a page in one colour scheme, as wide as it is."""
    page.emulate_media(color_scheme=scheme)
    if not page.evaluate("'axe' in window"):  # it is large: once for each page, not once for each question
        page.evaluate(AXE_SCRIPT)
    found = page.evaluate(AXE, {"resultTypes": ["violations"], **(options or {})})
    return [f"{scheme}: {one}" for one in found]


def focus_order(page: Page) -> list[str]:
    """Walk through a page with the Tab key: what it passes over, takes in another order, or focuses unseen."""
    stops = page.evaluate(STOPS)
    page.locator("[data-stop='1']").focus()
    page.keyboard.press("Shift+Tab")
    walked: list[int] = []
    unseen: list[str] = []
    for _ in range(3 * len(stops) + 10):
        here = page.evaluate(HERE)
        if here == "" or (walked and here == "0"):
            break
        if here == "?":
            unseen.append("the focus is somewhere that nobody expects")
        elif not walked or walked[-1] != int(here):  # a field for dates is several stops
            walked.append(int(here))
            unseen += [] if page.evaluate(SEEN) else [f"no outline around {stops[int(here)]!r}"]
        page.keyboard.press("Tab")
    return unseen if walked == list(range(len(stops))) else [f"expected {stops}, walked {walked}", *unseen]
