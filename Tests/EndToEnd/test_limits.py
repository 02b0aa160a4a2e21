"""How much tokend serve gives to one caller, and how many connections it keeps."""

import contextlib
import socket

import pytest

from production import until

PATH = "/token/driver/v-1"
LITTLE = {"perMinute": 1, "burst": 3}


def assert_limited(service, answer):
    assert (answer.status, answer.reason) == (429, "RATE_LIMITED")
    assert answer.json["error"]["status"] == "RESOURCE_EXHAUSTED"
    assert 1 <= int(answer.headers["Retry-After"]) <= 60
    # It is counted, or one client could fill the disk: test_unauthenticated.py.
    assert answer.headers["X-Request-Id"] not in (service.site.folder / "audit.jsonl").read_text()


def statuses(service, count, **options):
    return [service.ask(PATH, **options).status for _ in range(count)]


def test_caller_over_its_limit_gets_429(site, serve):
    site.configuration["limits"] = {"perClient": LITTLE}
    second = site.api_key("second")
    service = serve(site)
    assert statuses(service, 3, key=site.key) == [200] * 3
    assert_limited(service, service.ask(PATH, key=site.key))
    # Another key of the same caller has a bucket of its own.
    assert statuses(service, 3, key=second) == [200] * 3


def test_address_behind_proxies_is_the_last_that_no_proxy_has(site, serve):
    """What stands left of it was made up by whoever asked."""
    site.configuration["service"]["trustedProxies"] = ["127.0.0.0/8", "10.0.0.0/8"]
    service = serve(site)
    answer = service.ask(PATH, ("X-Forwarded-For", "1.1.1.1, 203.0.113.9, 10.1.2.3"), key=site.key)
    assert answer.status == 200
    assert service.audited(answer)["address"] == "203.0.113.9"


# Connections


def ask(service, connection):
    return service.ask(PATH, key=service.key, connection=connection)


def test_connections_over_a_limit_are_closed(site, serve):
    site.configuration["limits"] = {"connections": 40}
    service = serve(site)
    # An address may have an eighth.
    kept = [service.connect(f"127.{number}.0.1") for number in range(1, 9) for _ in range(5)]
    assert [ask(service, connection).status for connection in kept] == [200] * 40
    assert service.metric("fleet_token_connections") == 40
    for source in ["127.1.0.1", "127.9.0.1"]:
        with pytest.raises(ConnectionError):
            ask(service, service.connect(source))
    assert service.metric("fleet_token_connections_refused_total") == 2
    assert [ask(service, connection).status for connection in kept] == [200] * 40
    kept.pop().close()
    until(lambda: service.metric("fleet_token_connections") == 39, "the connection to be closed")
    assert ask(service, service.connect("127.9.0.1")).status == 200


def test_connection_over_the_limit_gets_no_plain_text_for_its_handshake(site, serve):
    site.use_tls()
    site.configuration["limits"] = {"connections": 1}
    service = serve(site)
    kept = service.connect()
    assert ask(service, kept).status == 200
    received = b""
    with socket.create_connection(("127.0.0.1", service.port), 60) as refused, contextlib.suppress(ConnectionError):
        # The refusal follows what the client sends.
        refused.sendall(b"\x16\x03\x01")
        # Before a handshake would have to be complete.
        refused.settimeout(5)
        received = refused.recv(65536)
    assert received == b""
    assert service.metric("fleet_token_connections_refused_total") == 1
    assert ask(service, kept).status == 200
