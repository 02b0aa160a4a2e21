"""docs/openapi.yaml against the running service: whatever one does that the other doesn't say is a failure."""

import pathlib

import hypothesis
import pytest
import requests
import schemathesis
from hypothesis import strategies

from kinds import NAMES

DESCRIPTION = pathlib.Path(__file__).parents[2] / "docs" / "openapi.yaml"
# The tests say who asks; a second credential, made up, would be refused.
# What is made up may also be too long, for which HTTP has statuses of its own.
CONFIGURATION = {
    "generation": {"with-security-parameters": False},
    "checks": {"negative_data_rejection": {"expected-statuses": [400, 401, 403, 404, 405, 413, 414, 415]}},
}
SCHEMA = schemathesis.openapi.from_path(DESCRIPTION, config=schemathesis.Config.from_dict(CONFIGURATION))


@SCHEMA.hook("map_body")
@SCHEMA.hook("map_query")
def without_fraction(_, values):
    """1800.0 is an integer to JSON Schema, which has no word for how a number is written; the service wants 1800."""
    lifetime = values.get("lifetimeSeconds") if isinstance(values, dict) else None
    if isinstance(lifetime, float) and lifetime.is_integer():
        return values | {"lifetimeSeconds": int(lifetime)}
    return values


# JSON Schema cannot say which characters of all scripts an ID may have.
IDS = strategies.from_regex(r"[A-Za-z0-9._~@=+$!()&'\[\]\"é車กि-]{3,64}", fullmatch=True)
schemathesis.openapi.format("fleet-engine-id", IDS)



def assert_reason_is_listed(status, error):
    """The description of each error's response lists its reasons."""
    description = SCHEMA.raw_schema["components"]["responses"][str(status)]["description"]
    assert error["code"] == status
    assert f"`{error['status']}`: " in description and f"`{error['details'][0]['reason']}`" in description, error


@schemathesis.check
def has_a_listed_reason(_, response, case):
    body = response.json() if response.content and "json" in response.headers["content-type"][0] else {}
    if "error" in body:
        assert_reason_is_listed(response.status_code, body["error"])


PUBLIC = SCHEMA.exclude(tag="operation")
ADMIN = SCHEMA.include(tag="operation")
EXAMPLES = hypothesis.settings(
    max_examples=20, deadline=None, derandomize=True, database=None, suppress_health_check=list(hypothesis.HealthCheck),
    phases=[hypothesis.Phase.explicit, hypothesis.Phase.generate],
)  # fmt: skip


@pytest.fixture(scope="module")
def production(serve_solo_for_module):
    return serve_solo_for_module(kinds=NAMES)


@pytest.mark.parametrize(
    "status, method, path, query, options",
    [
        (400, "GET", "/token/{kind}/{id}", "", {"headers": {}, "kind": "none"}),
        (401, "GET", "/token/{kind}/{id}", "", {"headers": {}}),
        (401, "GET", "/token/{kind}/{id}", "", {"headers": {"X-API-Key": "ftk_no"}}),
        (401, "GET", "/token/{kind}/{id}", "", {"headers": {"Authorization": "Basic YTpi"}}),
        (400, "GET", "/token/{kind}/{id}", "", {"headers": {"X-API-Key": "a", "Authorization": "Bearer b"}}),
        (400, "GET", "/token/{kind}/{id}", "?lifetimeSeconds=1", {}),
        (414, "GET", "/token/{kind}/{id}", "?" + "a" * 3000, {}),
        (431, "GET", "/token/{kind}/{id}", "", {"headers": {"X": "a" * 20_000}}),
        (415, "POST", "/token", "", {"data": b"{}"}),
        (413, "POST", "/token", "", {"data": b"x" * 20_000, "json": True}),
        (404, "GET", "/.well-known/jwks.json", "", {}),
        (400, "POST", "/token", "?lifetimeSeconds=600", {"data": b"{}", "json": True}),
    ],
)
def test_refusal_is_as_described(production, status, method, path, query, options):
    headers = options.get("headers", {"X-API-Key": production.key})
    if "json" in options:
        headers = headers | {"Content-Type": "application/json"}
    url = production.url + path.format(kind=options.get("kind", "consumer"), id="trip-1") + query
    response = requests.request(method, url, headers=headers, data=options.get("data"), timeout=60)
    assert response.status_code == status
    assert_reason_is_listed(status, response.json()["error"])
    SCHEMA[path][method].validate_response(response)


@PUBLIC.parametrize()
@EXAMPLES
def test_production_is_as_described(case, production):
    case.call_and_validate(base_url=production.url, headers={"X-API-Key": production.key})


@ADMIN.parametrize()
@EXAMPLES
def test_admin_listener_is_as_described(case, production):
    case.call_and_validate(base_url=f"http://127.0.0.1:{production.admin}")
