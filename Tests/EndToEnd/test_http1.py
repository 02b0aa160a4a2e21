"""HTTP/1.1 on the wire: whom a request is for, when a connection ends, who may send on, and what HTTP/1.0 gets."""

import socket

import pytest

import wire


@pytest.fixture(scope="module")
def production(make_site, serve_for_module):
    return serve_for_module(make_site())


@pytest.fixture
def caller(production):
    with Caller(production.port, production.site.key) as caller:
        yield caller


@pytest.fixture
def developer(development):
    with Caller(development.port) as caller:
        yield caller


class Caller:
    """A connection, whose bytes are the test's."""

    def __init__(self, port, key="none"):
        self.socket = socket.create_connection(("127.0.0.1", port), timeout=30)
        self.key = key

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.socket.close()

    def send(self, line, *fields):
        self.send_raw(line, "Host: localhost", *fields)

    def send_raw(self, line, *fields, body=""):
        """A request with no other fields than these and the key."""
        self.socket.sendall(wire.request(line, f"X-API-Key: {self.key}", *fields, body=body.encode()))

    def statuses(self):
        return [response.status for response in self.responses()]

    def responses(self):
        """Each has one length, until the service has closed the connection."""
        for response in wire.responses(self.socket):
            assert len([field for field in response.head if field.startswith("Content-Length: ")]) == 1
            yield response


TOKEN = "/token/driver/v-1"
BODY = '{"kind": "driver", "vehicleId": "v-1"}'
LAST = "Connection: close"


@pytest.mark.parametrize("count, expected", [(100, 200), (101, 431)])
def test_request_has_a_hundred_fields_at_most(caller, count, expected):
    # Beside the host, the key and the last.
    caller.send(f"GET {TOKEN} HTTP/1.1", *(f"X-{n}: y" for n in range(count - 3)), LAST)
    assert caller.statuses() == [expected]


@pytest.mark.parametrize("version, earlier", [("1.0", 0), ("1.1", 1)])
def test_100_continue_is_sent_only_for_the_next_request(caller, version, earlier):
    """HTTP/1.0 has no interim responses, and one before an earlier request's response would be taken for its own."""
    get = f"GET {TOKEN} HTTP/1.1\r\nHost: localhost\r\nX-API-Key: {caller.key}\r\n\r\n"
    post = [f"POST /token HTTP/{version}", "Host: localhost", f"X-API-Key: {caller.key}", "Expect: 100-continue", LAST]
    head = "\r\n".join([*post, "Content-Type: application/json", f"Content-Length: {len(BODY)}"])
    # At once, so that the first has no response yet when the second arrives.
    caller.socket.sendall(f"{get * earlier}{head}\r\n\r\n{BODY}".encode())
    assert caller.statuses() == [200] * (earlier + 1)


@pytest.mark.parametrize(
    "version, hosts, expected",
    [
        ("1.1", [], 400),
        ("1.1", ["Host: a", "Host: b"], 400),
        ("1.1", ["Host: a", "Host: a"], 400),
        ("1.0", ["Host: a", "Host: a"], 400),
        *(("1.1", [f"Host: {host}"], 400) for host in ["a b", "a/b", "user@a", "a:b", "::1", "[::1", "[a]", "a?", "a#"]),
        *(("1.1", [f"Host: {host}"], 200) for host in ["", "a", "A.example:", "a:8080", "[::1]:80", "10.0.0.1", "a_b"]),
        ("1.1", ["Host: a~b"], 200),
        ("1.0", [], 200),
        ("1.0", ["Host: a"], 200),
    ],
)
def test_host_is_there_once_and_well_formed(caller, version, hosts, expected):
    """RFC 9112 section 3.2."""
    caller.send_raw(f"GET {TOKEN} HTTP/{version}", *hosts, LAST)
    assert caller.statuses() == [expected]


@pytest.mark.parametrize(
    "target, host, expected",
    [
        ("http://127.0.0.1{path}", "evil.example", 200),
        ("HTTP://LOCALHOST:80{path}", "evil.example", 200),
        ("https://localhost{path}?lifetimeSeconds=600", "evil.example", 200),
        ("http://evil.example{path}", "localhost", 403),
        ("http://localhost@evil.example{path}", "localhost", 400),
        ("http://localhost?_=1", "localhost", 200),
        ("http://localhost", "localhost", 200),
        ("http://localhost:{path}", "localhost", 200),
        ("{path}", "localhost:", 200),
        ("http://:80{path}", "localhost", 400),
        ("http://{path}", "localhost", 400),
        ("ftp://localhost{path}", "localhost", 400),
        ("localhost{path}", "localhost", 400),
    ],
)
def test_uri_of_the_request_line_overrides_the_host(developer, target, host, expected):
    """RFC 9112 section 3.2.2; development mode serves only names of this machine."""
    developer.send_raw(f"GET {target.format(path='/token/consumer/t')} HTTP/1.1", f"Host: {host}", LAST)
    assert developer.statuses() == [expected]


@pytest.mark.parametrize("request_line", ["GET /", "GET /?x=1", "POST /", "DELETE /", "OPTIONS /"])
def test_there_is_no_page_in_production(caller, request_line):
    caller.send(f"{request_line} HTTP/1.1", LAST)
    assert caller.statuses() == [404]


@pytest.mark.parametrize(
    "host, expected", [("127.0.0.1:{port}", 200), ("localhost:{port}", 200), ("[::1]", 200), ("rebound.example", 403)]
)
@pytest.mark.parametrize("path", ["/livez", "/metrics", "/.well-known/jwks.json"])
def test_admin_listener_on_loopback_answers_to_its_own_names(production, path, host, expected):
    with Caller(production.admin) as caller:
        caller.send_raw(f"GET {path} HTTP/1.1", f"Host: {host.format(port=production.admin)}", LAST)
        assert caller.statuses() == [expected]


def test_admin_listener_answers_to_a_probe_of_http_1_0(production):
    """It has no Host, which every browser has."""
    with Caller(production.admin) as caller:
        caller.send_raw("GET /livez HTTP/1.0")
        assert caller.statuses() == [200]


CHUNKED = f"{len(BODY):x}\r\n{BODY}\r\n0\r\n\r\n"


@pytest.mark.parametrize(
    "version, codings, expected",
    [
        ("1.1", ["chunked"], 200),
        ("1.1", ["Chunked"], 200),
        # Faulty framing (RFC 9112 section 6.1), also beside a length.
        ("1.0", ["chunked"], 400),
        # Known framing, and codings that are not known here.
        ("1.1", ["gzip, chunked"], 501),
        ("1.1", ["gzip", "chunked"], 501),
        ("1.1", ["identity, chunked"], 501),
        # Chunked twice, or not last: the body has no certain end (section 6.3).
        ("1.1", ["chunked, chunked"], 400),
        ("1.1", ["chunked", "chunked"], 400),
        ("1.1", ["chunked, gzip"], 400),
        ("1.1", ["gzip"], 400),
        ("1.1", ["identity"], 400),
        ("1.1", ["xchunked"], 400),
        ("1.1", [""], 400),
    ],
)
def test_only_chunked_is_taken_of_transfer_codings(caller, version, codings, expected):
    fields = [f"Transfer-Encoding: {coding}" for coding in codings]
    next_request = f"GET {TOKEN} HTTP/1.1\r\nHost: localhost\r\nX-API-Key: {caller.key}\r\n{LAST}\r\n\r\n"
    head = f"POST /token HTTP/{version}", "Host: localhost", "Content-Type: application/json", *fields
    caller.send_raw(*head, body=CHUNKED + next_request)
    # What was smuggled in behind a body without a certain end is no request.
    assert caller.statuses() == ([200, 200] if expected == 200 else [expected])


@pytest.mark.parametrize(
    "first, expected",
    [
        (["GET {TOKEN} HTTP/1.1", "Connection: Upgrade", "Upgrade: h2c"], 200),
        (["GET {TOKEN} HTTP/1.1", "Connection: Upgrade, HTTP2-Settings", "Upgrade: h2c", "HTTP2-Settings: AAMAAABk"], 200),
        (["GET {TOKEN} HTTP/1.1", "Connection: upgrade", "uPGRADE: websocket"], 200),
        (["GET /nowhere HTTP/1.1", "Connection: keep-alive, Upgrade", "Upgrade: h2c"], 404),
        (["CONNECT localhost:80 HTTP/1.1"], 400),
    ],
)
def test_connection_is_closed_after_an_upgrade_request(caller, first, expected):
    """The parser stops where another protocol may begin: a later request would wait for its response until the end."""
    line, *fields = first
    caller.send(line.format(TOKEN=TOKEN), *fields)
    (response,) = caller.responses()
    assert response.status == expected
    assert LAST in response.head


def test_nothing_is_answered_after_a_malformed_request(caller):
    """Its response waits for those before it, and what follows it is no request any more."""
    good = f"GET {TOKEN} HTTP/1.1\r\nHost: localhost\r\nX-API-Key: {caller.key}\r\n\r\n"
    without_host = good.replace("Host: localhost\r\n", "")
    caller.socket.sendall((good + without_host + good).encode())
    assert caller.statuses() == [200, 400]
