"""tokenctl fetch from the outside: options, output, exit codes and bad input."""

import json
import subprocess
import time

import jwt
import pytest

from build import BUILD
from proxy import Proxy
from servers import raw, reply

FAILURE, UNAVAILABLE, USAGE = 1, 2, 64

SCOPES = [
    (["delivery_server", "--task-id", "b", "--task-id", "a"], {"taskids": ["b", "a"]}),
    (
        ["Trusted_Delivery_Driver", "--id", "a+b=c@d!(e)$~._-", "--task-id", "a+b=c"],
        {"deliveryvehicleid": "a+b=c@d!(e)$~._-", "taskid": "a+b=c"},
    ),
]


def fetch(*arguments):
    return subprocess.run([BUILD / "tokenctl", "fetch", *map(str, arguments)], capture_output=True, text=True, timeout=60)


def claims(token):
    return jwt.decode(token, options={"verify_signature": False})


@pytest.fixture(scope="module")
def proxy(development):
    proxy = Proxy(development.url)
    yield proxy
    proxy.stop()


@pytest.mark.parametrize("arguments, authorization", SCOPES, ids=lambda value: " ".join(value)[:40])
def test_scope_is_fetched(development, arguments, authorization):
    result = fetch("--server", development.url, "--kind", *arguments)
    assert (result.returncode, result.stderr) == (0, "")
    granted = claims(result.stdout)["authorization"]
    if "taskids" in granted:
        granted["taskids"].sort(reverse=True)
    assert granted == authorization


def test_json_has_the_expiry_in_milliseconds(development):
    before = time.time()
    result = fetch("--server", development.url, "--kind", "driver", "--id", "v", "--output", "json")
    after = time.time()
    assert result.returncode == 0 and result.stdout.endswith("}\n") and result.stdout.count("\n") == 1
    response = json.loads(result.stdout)
    assert set(response) == {"token", "expirationTimestamp"}
    # The service back-dates a token by a minute, for Fleet Engine's clock.
    assert claims(response["token"])["exp"] - claims(response["token"])["iat"] == 3600
    assert before + 3530 <= response["expirationTimestamp"] / 1000 <= after + 3540


# Header fields


def test_header_fields_reach_the_server(proxy, tmp_path):
    file = tmp_path / "headers"
    file.write_bytes(b"Authorization: Bearer secret-1\r\n\r\nX-Tenant:\tnorth  \nX-Empty:\nX-Colon: a:b\n")
    assert fetch("--server", proxy.url, "--kind", "driver", "--id", "fields", "--header-file", file).returncode == 0
    headers = proxy.requests("fields")[0].headers
    assert headers["Authorization"] == "Bearer secret-1"
    assert headers["X-Tenant"] == "north" and headers["X-Colon"] == "a:b"
    assert headers["X-Empty"] == ""
    assert headers["Accept"] == "application/json"


FORBIDDEN = [
    b"Auth orization: s3cret", b"Authorization : s3cret", b"\xef\xbb\xbfAuthorization: s3cret", b"Authorization: s3cret\x00",
    b"Authorization: s3cret\rX: y", b"Authorization: s3cret\x0bX: y", b"Authorization: s3cret\xe2\x80\xa8X: y",
    b"Authorization: s3cret\xff",
]  # fmt: skip


@pytest.mark.parametrize(
    "content, hint",
    [
        *((content, "HTTP does not allow") for content in FORBIDDEN),
        *((content, "NAME: VALUE") for content in [b"s3cret", b"A: b\ns3cret\n", b": s3cret"]),
        (b"Authorization: s3cret\nauthorization: s3cret-2\n", "Duplicate field"),
        (b"Authorization: s3cret\nX: " + b"s3cret" * 20_000, "64 KiB"),
    ],
    ids=lambda value: repr(value)[:30],
)
def test_malformed_header_file_is_refused_and_not_repeated(proxy, tmp_path, content, hint):
    file = tmp_path / "headers"
    file.write_bytes(content)
    before = len(proxy.journal)
    result = fetch("--server", proxy.url, "--kind", "driver", "--id", "unsent", "--header-file", file)
    assert result.returncode == FAILURE and result.stdout == ""
    assert hint in result.stderr and "s3cret" not in result.stderr
    assert len(proxy.journal) == before


# What the server may send


OURS = json.dumps({"error": {"message": "The ID is not granted.", "details": [{"domain": "fleet-token"}]}}).encode()
OTHERS = json.dumps({"error": {"message": "s3cret", "details": [{"domain": "example.com"}]}}).encode()


@pytest.mark.parametrize(
    "name, behaviour, status, hint",
    [
        ("401", reply(401, b"s3cret"), FAILURE, "HTTP status 401"),
        ("403-id", reply(403, OURS, X_Request_Id="8plioclo4zmz"), FAILURE, "not granted. (X-Request-Id 8plioclo4zmz)\n"),
        ("403-invalid-id", reply(403, OURS, X_Request_Id="s3cret id"), FAILURE, "not granted.\n"),
        ("403-other", reply(403, OTHERS), FAILURE, "HTTP status 403"),
        ("408", reply(408), UNAVAILABLE, "HTTP status 408"),
        ("429", reply(429, Retry_After="7"), UNAVAILABLE, "Try again in 7 seconds"),
        ("500", reply(500, b"s3cret"), UNAVAILABLE, "HTTP status 500"),
        ("503", reply(503, Retry_After="1"), UNAVAILABLE, "Try again in 1 second."),
        ("end", raw(b""), UNAVAILABLE, "connection closed before the response was complete"),
        ("no-http", raw(b"HTTP/1.1 s3cret\r\n\r\n"), UNAVAILABLE, "the response is not HTTP"),
        ("large", reply(200, b"s3cret" * 20_000), UNAVAILABLE, "too large"),
        ("garbage", reply(200, b"<html>s3cret</html>"), FAILURE, "not JSON with a token"),
        ("no-jwt", reply(200, b'{"token":"s3cret"}'), FAILURE, "not JSON with a token"),
    ],
)
def test_bad_response_is_explained_and_not_repeated(proxy, name, behaviour, status, hint):
    proxy.scripts[name] = behaviour
    result = fetch("--server", proxy.url, "--kind", "driver", "--id", name)
    assert (result.returncode, result.stdout) == (status, "")
    assert hint in result.stderr
    assert "s3cret" not in result.stderr and "eyJ" not in result.stderr and "Fatal error" not in result.stderr


# Bad input


@pytest.mark.parametrize("id", ["*", "..", "a/b", "a%2Fb", "a?b", "a\n"])
def test_invalid_id_never_reaches_the_server(proxy, id):
    before = len(proxy.journal)
    result = fetch("--server", proxy.url, "--kind", "consumer", f"--id={id}")
    assert (result.returncode, result.stdout) == (USAGE, "")
    assert "An ID is not valid" in result.stderr
    assert len(proxy.journal) == before
