"""HTTP/2 gives the same answers as HTTP/1.1, and its own ways of misuse give an attacker nothing."""

import contextlib
import json
import time
import types

import h2.errors
import h2.events
import h2.settings
import httpx
import pytest
from hyperframe.frame import (
    ContinuationFrame,
    DataFrame,
    HeadersFrame,
    PingFrame,
    PriorityFrame,
    RstStreamFrame,
    SettingsFrame,
)

from good_caller import GoodCaller
from http2_client import PREFACE, HTTP2Client, frames, goodbye

RECEIVE, HANDLE, IDLE = 2, 8, 3
LIMITS = {"receiveSeconds": RECEIVE, "handleSeconds": HANDLE, "idleSeconds": IDLE}
SLACK = 10
CALM = h2.errors.ErrorCodes.ENHANCE_YOUR_CALM


@pytest.fixture(scope="module")
def secure(serve_solo_for_module):
    return serve_solo_for_module(tls=True, **LIMITS)


def client(service, http2=True):
    return httpx.Client(http2=http2, verify=service.tls, timeout=60, base_url=service.url)


REQUESTS = {
    "token": ("GET", "/token/consumer/trip-1", {}),
    "body": ("POST", "/token", {"json": {"kind": "consumer", "tripId": "trip-1"}}), "nothing": ("GET", "/nothing", {}),
    "id": ("GET", "/token/consumer/a*b", {}), "method": ("DELETE", "/token/consumer/trip-1", {}),
    "type": ("POST", "/token", {"content": b"{}"}),
    "size": ("POST", "/token", {"content": b" " * 20_000, "headers": {"Content-Type": "application/json"}}),
    "json": ("POST", "/token", {"content": b"{", "headers": {"Content-Type": "application/json"}}),
    "options": ("OPTIONS", "/token", {}), "head": ("HEAD", "/.well-known/jwks.json", {}),
}


@pytest.mark.parametrize("name", REQUESTS)
@pytest.mark.parametrize("has_key", [True, False])
def test_answers_are_those_of_http1(secure, name, has_key):
    method, path, options = REQUESTS[name]
    headers = options.get("headers", {}) | ({"X-API-Key": secure.key} if has_key else {})
    answers = []
    for http2 in [True, False]:
        with client(secure, http2) as caller:
            answers.append(caller.request(method, path, **options | {"headers": headers}))
    second, first = answers
    assert (second.http_version, first.http_version) == ("HTTP/2", "HTTP/1.1")
    assert second.status_code == first.status_code
    # The error has the request's ID in it, whose length differs.
    own = {"date", "x-request-id", "content-length"}
    assert set(second.headers) == set(first.headers)
    assert all(second.headers[name] == value for name, value in first.headers.items() if name not in own)
    if first.status_code >= 400 and method != "HEAD":
        errors = [answer.json()["error"] for answer in answers]
        for answer, error in zip(answers, errors):
            assert error["details"][0]["metadata"].pop("requestId") == answer.headers["x-request-id"]
        assert errors[0] == errors[1]


# What only an attacker sends.


def ends(service, attack, name, within=RECEIVE + SLACK):
    """Runs an attack until the service ends it; gives what it said."""
    with GoodCaller(service) as good, HTTP2Client(service) as attacker:
        attacker.socket.settimeout(within)
        start = time.monotonic()
        try:
            attack(attacker)
        except OSError:
            pass
        received = attacker.until_closed()
        took = time.monotonic() - start
        assert took < within, f"still open after {took:.1f} s"
    good.report(f"{name}, ended after {took:.2f} s with {goodbye(received)}")
    return received


def endless(attacker, frame):
    attacker.begin()
    while True:
        attacker.socket.sendall(b"".join(next(frame).serialize() for _ in range(100)))


@pytest.mark.parametrize(
    "name, frame",
    [
        ("ping", lambda: PingFrame(0, opaque_data=b"12345678")),
        ("settings", lambda: SettingsFrame(0, settings={SettingsFrame.INITIAL_WINDOW_SIZE: 1000})),
        ("empty settings", lambda: SettingsFrame(0)),
        ("priority", lambda: PriorityFrame(3, depends_on=1, stream_weight=5)),
    ],
)
def test_flood_of_control_frames_ends_the_connection(secure, name, frame):
    received = ends(secure, lambda attacker: endless(attacker, iter(frame, None)), f"a {name} flood")
    assert goodbye(received) == CALM


@pytest.mark.parametrize("by_client", [True, False])
def test_rapid_reset_ends_the_connection(secure, by_client):
    """CVE-2023-44487: each request is given up at once, so that the limit on requests under way is never reached.

    CVE-2025-8671: the client makes the service do it, with a field that HTTP/2 forbids.
    """

    def attack(attacker):
        attacker.begin()
        fields = attacker.h2.encoder.encode(attacker.fields() + ([] if by_client else [("Connection", "x")]))
        sent = []
        for stream in range(1, 300, 2):  # More than the limit, and less than the library's own for streams at fault.
            sent.append(HeadersFrame(stream, data=fields, flags=["END_HEADERS", "END_STREAM"]))
            sent += [RstStreamFrame(stream, error_code=8)] if by_client else []
        # At once: what arrives after the service has closed would reset the connection, and lose what it said.
        attacker.send(*sent)

    before = secure.memory()
    received = ends(secure, attack, "a rapid reset")
    assert goodbye(received) == CALM
    assert secure.memory() - before < 64 * 1024


def empty_data(attacker):
    attacker.send(HeadersFrame(1, data=posting(attacker), flags=["END_HEADERS"]))
    while True:
        attacker.send(*[DataFrame(1)] * 100)


def continuations(attacker):
    """CVE-2024-27316: a field block that never ends."""
    attacker.send(HeadersFrame(1, data=attacker.h2.encoder.encode(attacker.fields()), flags=[]))
    while True:
        attacker.send(*[ContinuationFrame(1, data=b"\x40\x01a\x01b")] * 100)


def large_block(size):
    def attack(attacker):
        block = attacker.h2.encoder.encode(attacker.fields() + [("x-large", "a" * size)], huffman=False)
        first, *rest = [block[start : start + 16384] for start in range(0, len(block), 16384)]
        attacker.send(
            HeadersFrame(1, data=first, flags=[]),
            *(ContinuationFrame(1, data=part, flags=["END_HEADERS"] if part is rest[-1] else []) for part in rest),
        )

    return attack


def header_bomb(attacker):
    """A field of 4 KiB in the table, named by one byte each time: the block is small, and what it stands for is not."""
    table = attacker.h2.encoder.encode(attacker.fields() + [("x-bomb", "a" * 3900)])
    attacker.send(HeadersFrame(1, data=table + b"\xbe" * 16_000, flags=["END_HEADERS", "END_STREAM"]))


@pytest.mark.parametrize(
    "attack, is_calmed",
    [(empty_data, True), (continuations, True), (large_block(17_000), False), (large_block(200_000), False), (header_bomb, False),
     (lambda attacker: open_streams(attacker, 1000), False)],
    ids=["empty-data", "continuations", "large-block", "larger-block", "header-bomb", "more-streams-than-announced"],
)  # fmt: skip
def test_misuse_ends_the_connection_and_keeps_no_memory(secure, attack, is_calmed):
    def begin(attacker):
        # It never says that it knows the service's limits.
        attacker.socket.sendall(PREFACE + SettingsFrame(0).serialize())
        attack(attacker)

    before = secure.memory()
    code = goodbye(ends(secure, begin, "a misuse"))
    assert code == CALM if is_calmed else code not in (None, 0)
    assert secure.memory() - before < 64 * 1024


def answers(caller, *streams):
    """The status and the body of each stream's answer; the code where it was reset."""
    status, body, unfinished = {}, dict.fromkeys(streams, b""), set(streams)
    for event in caller.events():
        if isinstance(event, h2.events.ResponseReceived):
            status[event.stream_id] = int(dict(event.headers)[":status"])
        if isinstance(event, h2.events.DataReceived):
            body[event.stream_id] += event.data
        if isinstance(event, h2.events.StreamReset):
            status.setdefault(event.stream_id, event.error_code)
        if isinstance(event, h2.events.StreamReset | h2.events.StreamEnded):
            unfinished.discard(event.stream_id)
        if not unfinished:
            break
    return [(status.get(stream), body[stream]) for stream in streams]


def test_too_many_fields_are_refused(secure):
    with HTTP2Client(secure) as caller:
        caller.begin()
        # The key is one more.
        more = [(f"x-{n}", "y") for n in range(100)]
        caller.h2.send_headers(1, caller.fields("/", "GET", *more), end_stream=True)
        caller.h2.send_headers(3, caller.fields("/token/consumer/trip-1", "GET", *more[1:]), end_stream=True)
        caller.flush()
        (refused, body), (served, _) = answers(caller, 1, 3)
    assert (refused, served) == (431, 200)
    assert json.loads(body)["error"]["details"][0]["reason"] == "HEADERS_TOO_LARGE"


def test_dribbled_body_ends_and_others_on_the_connection_go_on(secure):
    with HTTP2Client(secure) as caller:
        caller.begin()
        fields = caller.fields("/token", "POST", ("content-type", "application/json"))
        caller.h2.send_headers(1, fields)
        caller.h2.send_data(1, b"{")
        caller.h2.send_headers(3, caller.fields(), end_stream=True)
        caller.flush()
        assert answers(caller, 3)[0][0] == 200
        ((status, body),) = answers(caller, 1)
        assert (status, json.loads(body)["error"]["code"]) == (408, 408)
        caller.h2.send_headers(5, caller.fields(), end_stream=True)
        caller.flush()
        assert answers(caller, 5)[0][0] == 200


def posting(caller):
    return caller.h2.encoder.encode(caller.fields("/token", "POST", ("content-type", "application/json")))


def open_streams(caller, count):
    # The first block fills the table that the others' bytes point into.
    for stream in range(1, 2 * count, 2):
        caller.send(HeadersFrame(stream, data=posting(caller), flags=["END_HEADERS"]))


def test_streams_whose_requests_never_end_leave_others_served(serve_solo):
    """As many of one network as there may be in all: they yield to others, and a client can repeat what was refused."""
    service = serve_solo(tls=True)
    with contextlib.ExitStack() as stack:
        attackers = [stack.enter_context(HTTP2Client(service, source=f"127.0.9.{n + 1}")) for n in range(23)]
        for attacker in attackers:
            attacker.begin()
            attacker.service = types.SimpleNamespace(key="unknown")
            open_streams(attacker, 100)
            attacker.send(PingFrame(0, opaque_data=b"are you?"))
            attacker.until(PingFrame)
        for number in range(20):
            with HTTP2Client(service, source=f"127.0.8.{number + 1}") as other:
                other.begin()
                for stream in (1, 3):
                    other.h2.send_headers(stream, other.fields(), end_stream=True)
                other.flush()
                assert [status for status, _ in answers(other, 1, 3)] == [200, 200]
        resets = [frame.error_code for each in attackers for frame in frames(each.received) if isinstance(frame, RstStreamFrame)]
        assert set(resets) <= {h2.errors.ErrorCodes.REFUSED_STREAM}


def test_pings_keep_no_idle_connection(secure):
    with HTTP2Client(secure) as caller:
        caller.begin()
        caller.socket.settimeout(0.5)
        start, is_open = time.monotonic(), True
        while is_open:
            assert time.monotonic() - start < IDLE + SLACK, "the connection is still open"
            try:
                caller.send(PingFrame(0, opaque_data=b"12345678"))
                is_open = bool(data := caller.socket.recv(65536))
                caller.received += data
                # Not a wait for anything: the pace of a client, or they would be a flood.
                time.sleep(0.2)
            except TimeoutError:
                continue
            except OSError:
                is_open = False
        # They are answered, and it is not they that end it.
        assert sum(isinstance(frame, PingFrame) for frame in frames(caller.received)) > 1
        assert time.monotonic() - start > IDLE - 1


@pytest.mark.parametrize(
    "authority, hosts, expected",
    [
        ("localhost", ["localhost"], 200), ("Fleet.Example:8443", ["fleet.example:8443"], 200), (None, ["localhost"], 200),
        ("localhost", ["other.example"], 400), ("localhost", ["localhost:1"], 400), ("localhost", ["localhost", "localhost"], 400),
        ("user@localhost", [], 400), (None, ["a b"], 400), (None, [], 400),
    ],
)  # fmt: skip
def test_host_beside_the_authority(secure, authority, hosts, expected):
    """RFC 9113 section 8.3.1: both may be there when they agree, as proxies send them."""
    with HTTP2Client(secure) as caller:
        caller.begin()
        fields = [field for field in caller.fields() if field[0] != ":authority"]
        if authority is not None:
            fields.insert(0, (":authority", authority))
        block = caller.h2.encoder.encode(fields + [("host", host) for host in hosts])
        caller.send(HeadersFrame(1, data=block, flags=["END_HEADERS", "END_STREAM"]))
        answer = caller.until((HeadersFrame, RstStreamFrame))[0]
        is_reset = isinstance(answer, RstStreamFrame)
        assert expected == (400 if is_reset else int(dict(caller.h2.decoder.decode(answer.data))[":status"]))
