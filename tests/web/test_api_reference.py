"""The page on the interface says what the interface says."""

import json
import re

import write_web_api_reference
from django.test import Client

from surpeer.web.api.interface import api


def test_the_reference_is_what_the_description_says() -> None:
    assert write_web_api_reference.PAGE.read_text() == write_web_api_reference.page(), (
        "run tools/write_web_api_reference.py"
    )


def test_every_call_and_every_schema_is_on_the_page() -> None:
    page = write_web_api_reference.page()
    described = api.get_openapi_schema()
    calls = [f"{method.upper()} {path}" for path, methods in described["paths"].items() for method in methods]
    assert sorted(re.findall(r"^`([A-Z]+ /\S+)`$", page, re.MULTILINE)) == sorted(calls)
    links = set(re.findall(r"\]\(#(\w+)\)", page))
    headings = {heading.lower() for heading in re.findall(r"^### (\w+)$", page, re.MULTILINE)}
    assert links <= headings


def test_the_description_is_for_everybody_and_loads_nothing() -> None:
    response = Client().get("/api/v1/openapi.json")
    assert response.status_code == 200
    assert response.json() == json.loads(json.dumps(api.get_openapi_schema()))
    assert Client().get("/api/v1/docs").status_code == 404
    assert Client().post("/api/v1/openapi.json").status_code == 405


def test_every_call_has_a_text_one_way_in_and_declares_its_refusals() -> None:
    for path, methods in api.get_openapi_schema()["paths"].items():
        for method, call in methods.items():
            assert call["description"], (method, path)
            assert call["security"] == [{"Token": []}]
            refusals = {status for status in call["responses"] if status >= 400}
            assert {401, 404, 422, 429} <= refusals
            assert ({400, 413} <= refusals) is ("requestBody" in call)
            assert (403 in refusals) is (method != "get")
            assert (409 in refusals) >= ("/results" in path and method == "get")
            for status in refusals:
                content = call["responses"][status]["content"]
                assert content == {"application/json": {"schema": {"$ref": "#/components/schemas/Problems"}}}


def test_everything_that_is_sent_has_bounds_and_no_unknown_fields() -> None:
    schemas = api.get_openapi_schema()["components"]["schemas"]
    sent = {name: schema for name, schema in schemas.items() if name.endswith(("In", "Row"))}
    assert len(sent) == 13
    for name, schema in sent.items():
        assert schema["additionalProperties"] is False, name
        for field, one in schema["properties"].items():
            for kind in one.get("anyOf", [one]):
                if kind.get("type") == "string" and "format" not in kind:
                    assert "maxLength" in kind, (name, field)
                if kind.get("type") == "array":
                    assert "maxItems" in kind, (name, field)
                if kind.get("type") in ("integer", "number"):
                    assert {"minimum", "maximum"} <= set(kind), (name, field)
