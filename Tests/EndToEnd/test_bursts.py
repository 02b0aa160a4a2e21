"""Bursts of a fleet: a thousand requests at once, connections over the limit, and what operators see of them."""

import contextlib
import http.client
import json
import re
import socket
import time


from certificates import Certificate
from production import until

# A debug build on a busy machine signs ten times slower; Benchmarks/bursts.py measures a thousand.
BURST = 200
MUCH = {"perMinute": 1000000, "burst": 100000}


def burst(port, key, count, secrets):
    """Sends requests at once, each on a connection of its own; returns the responses' statuses."""
    connections = [socket.create_connection(("127.0.0.1", port), 60) for _ in range(count)]
    for number, connection in enumerate(connections):
        head = f"GET /token/driver/burst-{time.time_ns()}-{number} HTTP/1.1\r\nHost: x\r\nX-API-Key: {key}\r\n\r\n"
        connection.sendall(head.encode())
    statuses = []
    for connection in connections:
        answer = http.client.HTTPResponse(connection)
        answer.begin()
        body = json.loads(answer.read())
        if answer.status == 200:
            secrets.add(body["token"].split(".")[2])
        statuses.append(answer.status)
        connection.close()
    return statuses


def test_many_requests_at_once_with_one_key_and_default_limits_get_tokens(site, serve):
    service = serve(site)
    assert burst(service.port, site.key, BURST, site.secrets) == [200] * BURST
    assert burst(service.port, site.key, BURST, site.secrets) == [200] * BURST
    metrics = service.metrics()
    (count,) = re.findall(r'^fleet_token_sign_queue_seconds_count\{signer="local"\} (\d+)$', metrics, re.M)
    assert int(count) >= 2 * BURST
    refused = re.findall(r'^fleet_token_refused_total\{caller="backend",cause="(\w+)"\} (\d+)$', metrics, re.M)
    assert dict(refused) == {"queue_delay": "0", "queue_size": "0", "client_gone": "0"}


def test_an_address_may_have_more_than_its_share_while_others_are_free(site, serve):
    site.configuration["limits"] = {"connections": 40}
    service = serve(site)
    connections = [socket.create_connection(("127.0.0.1", service.port), 60) for _ in range(20)]
    until(lambda: "\nfleet_token_connections 20\n" in service.metrics(), "twenty connections")
    # The 21st is refused, as readable as any other response.
    refused = http.client.HTTPConnection("127.0.0.1", service.port, timeout=60)
    refused.request("GET", "/token/driver/v-1", headers={"X-API-Key": site.key})
    answer = refused.getresponse()
    body = json.loads(answer.read())
    assert (answer.status, body["error"]["details"][0]["reason"]) == (503, "OVERLOADED")
    assert answer.headers["Connection"] == "close" and 1 <= int(answer.headers["Retry-After"]) <= 5
    # A body that is longer than the response does not lose it.
    refused = http.client.HTTPConnection("127.0.0.1", service.port, timeout=60)
    refused.request("POST", "/token", b" " * 16000, {"X-API-Key": site.key, "Content-Type": "application/json"})
    assert refused.getresponse().status == 503
    # Another address has room.
    other = http.client.HTTPConnection("127.0.0.1", service.port, timeout=60, source_address=("127.0.0.2", 0))
    other.request("GET", "/token/driver/v-1", headers={"X-API-Key": site.key})
    answer = other.getresponse()
    assert answer.status == 200
    site.secrets.add(json.loads(answer.read())["token"].split(".")[2])
    for connection in connections:
        connection.close()
    until(lambda: service.ask("/token/driver/v-1", key=site.key).status == 200, "the connections to be free")


def test_connection_over_the_limit_gets_no_plain_text_for_its_handshake(site, serve):
    own = Certificate(site.folder, "own", "subjectAltName = IP:127.0.0.1")
    site.configuration["service"]["tls"] = {"certificate": own.certificate.name, "key": own.key.name}
    site.configuration["limits"] = {"connections": 1}
    service = serve(site)
    with socket.create_connection(("127.0.0.1", service.port), 60):
        until(lambda: "\nfleet_token_connections 1\n" in service.metrics(), "the connection")
        received = b""
        with socket.create_connection(("127.0.0.1", service.port), 60) as refused, contextlib.suppress(ConnectionError):
            # The refusal follows what the client sends.
            refused.sendall(b"\x16\x03\x01")
            received = refused.recv(65536)
        assert received == b""
