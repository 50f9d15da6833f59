"""Write docs/reference/web-api.md from the description that the web application gives of its own interface."""

import os
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

PAGE = Path(__file__).resolve().parent.parent / "docs" / "reference" / "web-api.md"
REF = "#/components/schemas/"
MEANINGS = {
    "400": "the body is no JSON",
    "401": "no token, or one that is void",
    "403": "for chairs, and you are an observer (or may not create venues)",
    "404": "no such venue, or you have no part in it; no such thing in it",
    "405": "the call has no such method",
    "409": "not now: results not open or not computed yet, reviewing is over, something else was faster",
    "413": "the body is too large",
    "422": "something in the address, the query or the body is not what it should be",
    "429": "too many wrong tokens from your network address; wait as long as `Retry-After` says",
}
HEAD = """# Web interface for scripts

Written from the description of the interface by `tools/write_web_api_reference.py`; do not edit.

{description}

The description itself is at `/api/v1/openapi.json`, for everybody; programs can make clients of it.

```text
curl -H "Authorization: Bearer $TOKEN" https://review.example.org/api/v1/venues
```

## Refusals

Every refusal is `{{"problems": [{{"message", "where", "found", "expected", "remedy"}}, ...]}}`: everything that is
wrong, at once. `message` is a whole sentence; the other four are its parts, or null.

| status | meaning |
|---|---|
{statuses}
"""


def description() -> dict[str, Any]:
    """The description, from Django as it is set up, or set up for this."""
    if "DJANGO_SETTINGS_MODULE" not in os.environ:
        os.environ["DJANGO_SETTINGS_MODULE"] = "surpeer.web.settings"
        os.environ["SURPEER_SECRET_KEY"] = "only-to-write-a-page"
        os.environ["SURPEER_DATA"] = tempfile.mkdtemp()
        import django

        django.setup()
    from surpeer.web.api.interface import api

    return dict(api.get_openapi_schema())


def page() -> str:
    """The whole page."""
    told = description()
    statuses = "\n".join(f"| {status} | {meaning} |" for status, meaning in MEANINGS.items())
    parts = [HEAD.format(description=told["info"]["description"], statuses=statuses)]
    tags: dict[str, list[str]] = {}
    for path, methods in told["paths"].items():
        for method, call in methods.items():
            tags.setdefault(call["tags"][0], []).append(_call(method.upper(), path, call))
    parts += [f"## {tag.capitalize()}\n\n" + "\n".join(calls) for tag, calls in tags.items()]
    parts.append("## What is sent and answered\n\n" + "\n".join(_schemas(told)))
    return "\n".join(parts).rstrip() + "\n"


def _call(method: str, path: str, call: dict[str, Any]) -> str:
    lines = [f"### {call['summary']}", "", f"`{method} {path}`", "", " ".join(call["description"].split()), ""]
    queries = [_field(one["name"], one["schema"]) for one in call["parameters"] if one["in"] == "query"]
    if queries:
        lines += ["Query:", "", *queries, ""]
    if "requestBody" in call:
        lines += [f"Body: {_type(call['requestBody']['content']['application/json']['schema'])}", ""]
    answered = {str(status): one for status, one in call["responses"].items()}
    good = next(status for status in answered if status < "300")
    shown = _type(answered[good]["content"]["application/json"]["schema"])
    refusals = ", ".join(status for status in answered if status != good)
    return "\n".join([*lines, f"Answer: {good} {shown}. Refusals: {refusals}.", ""])


def _schemas(told: dict[str, Any]) -> Iterator[str]:
    """Everything that is sent or answered, by name; what a query has stands at the call."""
    schemas = told["components"]["schemas"]
    for name in sorted(schemas):
        if not name.endswith("Window"):
            yield "\n".join([f"### {name}", "", _schema(schemas[name])])


def _schema(schema: dict[str, Any]) -> str:
    about = " ".join(schema.get("description", "").split())
    if "enum" in schema:
        return f"{about} One of {_choices(schema['enum'])}.\n".strip() + "\n"
    needed = set(schema.get("required", []))
    fields = [
        _field(name, one, is_needed=name in needed and schema.get("additionalProperties") is False)
        for name, one in schema["properties"].items()
    ]
    return "\n".join([about, "", *fields, ""])


def _field(name: str, schema: dict[str, Any], *, is_needed: bool = False) -> str:
    inner = next((one for one in schema.get("anyOf", ()) if one.get("type") != "null"), schema)
    about = schema.get("description") or inner.get("description") or ""
    facts = [_type(schema), *_bounds(inner), *(["required"] if is_needed else [])]
    if schema.get("default") not in (None, ""):
        facts.append(f"{schema['default']} where left out")
    return f"- `{name}` ({', '.join(facts)})" + (f": {about}" if about else "")


def _bounds(schema: dict[str, Any]) -> Iterator[str]:
    for name, words in (
        ("minimum", "at least {}"),
        ("maximum", "at most {}"),
        ("minLength", "{} or more characters"),
        ("maxLength", "up to {} characters"),
        ("minItems", "{} or more"),
        ("maxItems", "up to {}"),
    ):
        if name in schema and not (name == "minLength" and schema[name] == 1):
            yield words.format(f"{schema[name]:,}")


def _type(schema: dict[str, Any]) -> str:
    """A type in words, with links to what has a name."""
    if "$ref" in schema:
        name = schema["$ref"].removeprefix(REF)
        return f"[{name}](#{name.lower()})"
    if "allOf" in schema:
        return _type(schema["allOf"][0])
    if "anyOf" in schema:
        return " or ".join(_type(one) for one in schema["anyOf"])
    if "enum" in schema:
        return _choices(schema["enum"])
    if schema.get("type") == "array":
        return f"list of {_type(schema['items'])}"
    if schema.get("format") == "date-time":
        return "time"
    words = {"string": "text", "integer": "whole number", "boolean": "true or false", "object": "object"}
    return words.get(str(schema.get("type")), str(schema.get("type")))


def _choices(values: list[str]) -> str:
    return ", ".join(f"`{value}`" for value in values)


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
