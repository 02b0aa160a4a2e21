"""What clients cost whose credentials are missing, wrong or worn out: counted in lines and bytes, never in time."""

import collections
import itertools
import json
import socket
import time

import pytest

import wire
from issuer import Issuer
from test_floods import figures

PATH = "/token/driver/v-1"
LITTLE = {"perMinute": 1, "burst": 3}
COUNT = 500
BURST = 10
# The bytes of a line in the trail or the log of one of these requests.
(LINE,) = figures("| bytes of a line")


@pytest.fixture(scope="module")
def issuer():
    return Issuer("https://id.example", algorithms=["ES256"])


@pytest.fixture(scope="module")
def other():
    """Another issuer that says that it is the same."""
    return Issuer("https://id.example", algorithms=["ES256"])


def flood(service, requests, window=50):
    """Sends requests on one connection, some at a time; gives the statuses of the responses."""
    statuses, sent = [], 0
    with socket.create_connection(("127.0.0.1", service.port), 60) as connection:
        received = wire.responses(connection)
        while sent < len(requests):
            some = requests[sent : sent + window]
            sent += len(some)
            connection.sendall(b"".join(some))
            statuses += [response.status for response in itertools.islice(received, len(some))]
            assert len(statuses) == sent, "the service hung up"
    return statuses


def http(method, path, *fields, body=b""):
    if body:
        fields += ("Content-Type: application/json", f"Content-Length: {len(body)}")
    return wire.request(f"{method} {path} HTTP/1.1", "Host: localhost", *fields, body=body)


def sizes(service):
    trail = service.site.folder / "audit.jsonl"
    return [trail.stat().st_size if trail.exists() else 0, service.log.stat().st_size + service.output.stat().st_size]


BATCH = json.dumps({"taskIds": [f"task-{number}" for number in range(50)]}).encode()
FAILURES = {
    "no credentials": (lambda site, token: http("GET", PATH), 401),
    "two credentials and a batch": (
        lambda site, token: http("POST", "/token/delivery_server", "X-API-Key: a", "X-API-Key: b", body=BATCH), 400,
    ),
    "wrong key": (lambda site, token: http("GET", PATH, f"X-API-Key: {site.key[:-4]}0000"), 401),
    "no key and no JSON": (lambda site, token: http("POST", "/token", body=b"{"), 401),
    "forged token": (lambda site, token: http("GET", PATH, f"Authorization: Bearer {token}"), 401),
    "other path": (lambda site, token: http("GET", "/.env"), 404),
    "other kind": (lambda site, token: http("GET", "/token/nothing/v-1"), 400),
}


@pytest.mark.parametrize("request_of, status", FAILURES.values(), ids=FAILURES)
def test_flood_without_valid_credentials_leaves_few_lines(site, serve, issuer, other, request_of, status):
    site.trust(issuer)
    site.configuration["limits"] = {"failuresPerAddress": {"perMinute": 1, "burst": BURST}}
    service = serve(site, level="info")
    before = sizes(service)
    statuses = flood(service, [request_of(site, other.token())] * COUNT)
    # One more where a minute has passed.
    within = statuses.count(status)
    assert BURST <= within <= BURST + 2 and statuses[:BURST] == [status] * BURST
    assert statuses.count(429) == COUNT - within
    grown = [after - before for before, after in zip(before, sizes(service))]
    # Ten more lines in the log are of requests past the limit.
    assert max(grown) <= (within + 10 + 2) * LINE
    # A caller behind the same address is served.
    assert service.request(PATH, key=site.key).status == 200
    assert service.request(PATH, bearer=issuer.token()).status == 200
    assert service.total("http_server_request_duration_seconds_count", status=429) == COUNT - within

    assert service.stop() == 0
    assert len(site.audit()) <= within + 2
    assert not site.missing_lines()
    assert max(after - before for before, after in zip(before, sizes(service))) <= (within + 10 + 8) * LINE


def test_caller_past_its_limit_leaves_few_lines(site, serve):
    site.configuration["limits"] = {"perUser": LITTLE, "perClient": LITTLE}
    service = serve(site, level="info")
    before = sizes(service)
    for request in [http("GET", PATH, f"X-API-Key: {site.key}"), http("POST", "/token", f"X-API-Key: {site.key}", body=b"{")]:
        statuses = flood(service, [request] * COUNT)
        assert statuses.count(429) >= COUNT - 5
    assert max(after - before for before, after in zip(before, sizes(service))) <= 8 * LINE
    limited = service.total("fleet_token_requests_total", caller="backend", result="refused", reason="RATE_LIMITED")
    assert 2 * COUNT - 5 <= limited <= 2 * COUNT - 3
    assert service.stop() == 0
    assert not site.missing_lines()


def test_thousands_of_members_are_refused_early(site, serve, issuer):
    site.trust(issuer)
    service = serve(site)
    many = {f"m{number}": 1 for number in range(1000)}
    for claims in [many, {"groups": [1] * 3000}]:
        response = service.request(PATH, bearer=issuer.token(**claims))
        assert (response.status, response.reason) == (401, "INVALID_CREDENTIALS")
        assert "malformed_claims" in [line.get("metadata", {}).get("reason") for line in service.logged(response)]
    response = service.request(PATH, bearer=issuer.token(headers=many))
    assert response.status == 401
    # As many groups as issuers put into tokens.
    assert service.request(PATH, bearer=issuer.token(groups=[f"group-{number}" for number in range(300)])).status == 200

    body = json.dumps(many).encode()
    assert service.request("/token", method="POST", body=body).status == 401
    response = service.request("/token", key=site.key, method="POST", body=body)
    assert (response.status, response.reason) == (400, "INVALID_BODY")
    assert "too many values" in response.json["error"]["message"]


# Many addresses


@pytest.mark.parametrize("address", ["2001:db8:7:{0:x}::1", "192.0.{1}.{2}", "2001:{0:x}:7::1"], ids=["/48", "/16", "all"])
def test_flood_from_many_addresses_leaves_few_lines(site, serve, address):
    """Behind a trusted proxy, so that the test can choose the addresses; a connection of its own is the same."""
    site.configuration["service"]["trustedProxies"] = ["127.0.0.1"]
    service = serve(site, level="info")
    before = sizes(service)
    start = time.monotonic()
    count = 4 * COUNT
    requests = (
        http("GET", PATH, "X-API-Key: wrong", f"X-Forwarded-For: {address.format(number, number // 250, number % 250)}")
        for number in range(count)
    )
    statuses = collections.Counter(flood(service, list(requests)))
    # Each is told that its credentials are wrong, as long as its own address is within its limit.
    assert statuses == {401: count}
    # At once, and each second since.
    most = 200 + 50 * (time.monotonic() - start + 1)
    grown = [after - before for before, after in zip(before, sizes(service))]
    assert max(grown) <= most * LINE
    assert service.request(PATH, key=site.key).status == 200
    assert service.total("fleet_token_requests_total", caller="none", result="unauthenticated") == count
    assert service.stop() == 0
    assert len(site.audit()) <= most + 1
    assert not site.missing_lines()
