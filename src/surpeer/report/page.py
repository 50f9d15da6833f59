"""The JSON document of a report -> one HTML file that needs nothing else: data, charts, scripts and styles in it."""

import base64
import hashlib
import json
from functools import cache
from importlib import import_module, resources
from typing import TYPE_CHECKING, Any

from surpeer.io.extras import needs_extra
from surpeer.report.charts import page_charts
from surpeer.report.number_text import decimal_text
from surpeer.report.packing import pack

if TYPE_CHECKING:
    from jinja2 import Template

TEMPLATES = "surpeer.report.templates"
STYLES = ("report.css", "print.css")
SCRIPTS = ("dom.js", "papers.js", "charts.js", "table.js", "cards.js", "sections.js", "print.js", "page.js")
"""In the order in which they run; they share one scope."""
SENTENCES = ("why", "story", "if_higher", "if_lower")
"""Columns of the papers that are packed."""
OTHERWISE = "use `surpeer score` or `surpeer decide` for tables"

# What of the library's names the page uses.
EXPORTED = "window.vegaEmbed = vegaEmbed;"


def page_of(document: dict[str, Any]) -> str:
    """The page of a document."""
    template = _template()
    from markupsafe import Markup  # which comes with Jinja2

    charts = page_charts(document)
    library, script = vega_bundle(), "\n".join(map(_text, SCRIPTS))
    return template.render(
        document=document,
        num=decimal_text,
        document_json=Markup(in_script(packed(document))),  # noqa: S704 - escaped for a script element
        charts_json=Markup(in_script(charts)),  # noqa: S704
        vega_js=Markup(library),  # noqa: S704 - the library's own code
        css=Markup("\n".join(map(_text, STYLES))),  # noqa: S704
        script=Markup(script),  # noqa: S704
        script_sources=Markup(f"{_allowed(library)} {_allowed(script)}"),  # noqa: S704
    )


@cache
def _template() -> "Template":
    """Compiled once for all the pages of a process."""
    with needs_extra("jinja2", "a report needs Jinja2", "report", OTHERWISE):
        from jinja2 import Environment, StrictUndefined
    environment = Environment(autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True)
    return environment.from_string(_text("report.html.j2"))


def check_installed() -> None:
    """Say at once, not after a long computation, that something is missing."""
    for package, what in (("jinja2", "a report needs Jinja2"), ("vl_convert", "charts need vl-convert-python")):
        with needs_extra(package, what, "report", OTHERWISE):
            import_module(package)


def packed(document: dict[str, Any]) -> dict[str, Any]:
    """The document with the sentences on papers packed; the page unpacks them."""
    if document["papers"] is None:
        return document
    texts = {name: pack(document["papers"][name]) for name in SENTENCES if document["papers"][name] is not None}
    return {**document, "papers": {**document["papers"], **texts}}


def _allowed(script: str) -> str:
    """How the page's security policy names a script that may run; no other may."""
    digest = hashlib.sha256(script.encode()).digest()
    return f"'sha256-{base64.b64encode(digest).decode()}'"


def in_script(value: Any) -> str:
    """JSON that can stand in a script element whatever texts it has."""
    text = json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    for sign, escape in (("<", "\\u003c"), ("\u2028", "\\u2028"), ("\u2029", "\\u2029")):
        text = text.replace(sign, escape)
    return text.encode("utf-8", "backslashreplace").decode()  # half a surrogate pair is written as it is escaped


@cache
def vega_bundle() -> str:
    """Vega, Vega-Lite and Vega-Embed in one script, as vl-convert ships them."""
    with needs_extra("vl_convert", "charts need vl-convert-python", "report", OTHERWISE):
        import vl_convert
    return str(vl_convert.javascript_bundle(EXPORTED)).replace("</script", "<\\/script")


def _text(name: str) -> str:
    return resources.files(TEMPLATES).joinpath(name).read_text(encoding="utf-8")
