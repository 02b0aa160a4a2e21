"""HTTP/1.1 on the wire: when a connection ends, who may send on, and what clients of HTTP/1.0 get."""

import socket

import pytest


@pytest.fixture
def caller(site, serve):
    with Caller(serve(site), site.key) as caller:
        yield caller


class Caller:
    """A connection, whose bytes are the test's."""

    def __init__(self, service, key):
        self.socket = socket.create_connection(("127.0.0.1", service.port), timeout=30)
        self.key = key

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.socket.close()

    def send(self, line, *fields):
        lines = [line, "Host: localhost", f"X-API-Key: {self.key}", *fields]
        self.socket.sendall(("\r\n".join(lines) + "\r\n\r\n").encode())

    def heads(self):
        """The lines of each answer's head, until the service has closed the connection."""
        data = b""
        while more := self.socket.recv(65536):
            data += more
        heads = []
        while data:
            head, data = data.decode().split("\r\n\r\n", 1)
            heads.append(head.split("\r\n"))
            (length,) = (int(line.split()[1]) for line in heads[-1] if line.startswith("Content-Length: "))
            assert len(data) >= length
            data = data[length:].encode()
        return heads


TOKEN = "/token/driver/v-1"


@pytest.mark.parametrize("fields", [[], ["Connection: keep-alive"]])
def test_http_1_0_gets_its_answer_and_the_end(caller, fields):
    caller.send(f"GET {TOKEN} HTTP/1.0", *fields)
    ((status, *fields),) = caller.heads()
    assert status == "HTTP/1.1 200 OK"
    assert "Connection: close" in fields


def test_only_the_last_answer_says_that_it_is(caller):
    caller.send(f"GET {TOKEN} HTTP/1.1")
    caller.send("GET /nowhere HTTP/1.1")
    caller.send(f"DELETE {TOKEN} HTTP/1.1", "Connection: close")
    heads = caller.heads()
    assert [status for status, *_ in heads] == [
        "HTTP/1.1 200 OK", "HTTP/1.1 404 Not Found", "HTTP/1.1 405 Method Not Allowed"
    ]
    assert ["Connection: close" in fields for _, *fields in heads] == [False, False, True]


def test_body_that_waits_for_leave_gets_it(caller):
    body = b'{"kind": "driver", "vehicleId": "v-1"}'
    fields = ["Content-Type: application/json", f"Content-Length: {len(body)}", "Connection: close"]
    caller.send("POST /token HTTP/1.1", *fields, "Expect: 100-Continue")
    assert caller.socket.recv(65536) == b"HTTP/1.1 100 Continue\r\n\r\n"
    caller.socket.sendall(body)
    ((status, *_),) = caller.heads()
    assert status == "HTTP/1.1 200 OK"
