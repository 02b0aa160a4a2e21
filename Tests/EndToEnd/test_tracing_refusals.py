"""Each refusal can be traced from its X-Request-Id, in the log alone, to who asked and from where."""

import json

import pytest
from wire import exchange


PATH = "/token/driver/v-1"


@pytest.fixture(scope="module")
def shared(make_site, serve_for_module):
    return serve_for_module(make_site())


def line(service, response):
    (line,) = [line for line in service.logged(response) if line["message"] == "request"]
    return line


@pytest.mark.parametrize(
    ("path", "credentials", "status", "caller"),
    [
        (PATH, {}, 401, None),
        (PATH, {"key": "nobody"}, 401, None),
        (PATH, {"bearer": "made.up.token-of-nobody"}, 401, None),
        ("/nothing", {}, 404, None),
        ("/token/unknown/v-1", {}, 400, None),
        ("/token/consumer/t-1", {"key": "site"}, 403, "backend"),
        ("/token/driver/*", {"key": "site"}, 400, "backend"),
        (PATH, {"key": "site"}, 200, "backend"),
        (PATH, {"key": "wrong"}, 401, "backend"),
    ],
)
def test_line_has_the_caller_and_neither_address_nor_subject(shared, path, credentials, status, caller):
    key = shared.site.key
    keys = {"site": key, "wrong": key[:-1] + ("a" if key[-1] != "a" else "b")}
    credentials = {name: keys.get(value, value) for name, value in credentials.items()}
    response = shared.request(path, **credentials)
    assert response.status == status
    found = line(shared, response)
    assert found.get("fleet_token.caller") == caller
    text = json.dumps(found)
    assert "v-1" not in text and "127.0.0.1" not in text and key.split("_")[1] not in text


def test_probes_and_scrapes_are_not_in_the_way(shared):
    for path in ["/livez", "/readyz", "/readyz?verbose", "/metrics", "/.well-known/jwks.json"]:
        response = exchange(shared.admin, path)
        assert response.status == 200
        assert line(shared, response)["severity"] == "DEBUG"
    response = exchange(shared.admin, "/nothing")
    assert line(shared, response)["severity"] == "INFO"
