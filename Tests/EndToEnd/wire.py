"""HTTP/1.1 to a service: by a library, and byte by byte for what a library would not send, or would hide."""

import contextlib
import dataclasses
import http.client
import json


@dataclasses.dataclass
class Response:
    """A response, as a client's library reads it."""

    status: int
    headers: http.client.HTTPMessage
    body: bytes

    @property
    def json(self):
        return json.loads(self.body)

    @property
    def token(self):
        return self.json["token"]

    @property
    def reason(self):
        return self.json["error"]["details"][0]["reason"]


def connect(port, tls=None, source="127.0.0.1"):
    """A connection from an address of this machine, which lasts as long as both sides keep it."""
    options = {"timeout": 60, "source_address": (source, 0)}
    if tls:
        return http.client.HTTPSConnection("127.0.0.1", port, context=tls, **options)
    return http.client.HTTPConnection("127.0.0.1", port, **options)


def exchange(port, path, headers=(), tls=None, method="GET", body=None):
    with contextlib.closing(connect(port, tls)) as connection:
        return send(connection, path, headers, method, body)


def send(connection, path, headers=(), method="GET", body=None):
    """The response to one request on a connection; header fields are pairs."""
    connection.putrequest(method, path)
    if body is not None:
        headers = (*headers, ("Content-Type", "application/json"), ("Content-Length", str(len(body))))
    for name, value in headers:
        connection.putheader(name, value)
    connection.endheaders(body)
    response = connection.getresponse()
    return Response(response.status, response.headers, response.read())


# Byte by byte


@dataclasses.dataclass
class RawResponse:
    head: list[str]
    body: bytes

    @property
    def status(self):
        return int(self.head[0].split()[1])


def request(line, *fields, body=b""):
    """A request with no other fields than these."""
    return "\r\n".join([line, *fields, "", ""]).encode() + body


def next_response(connection, data=b""):
    """The next response on a connection, or None at its end, and the bytes that follow; `data` has been received already."""
    while True:
        head, end, rest = data.partition(b"\r\n\r\n")
        lines = head.decode().split("\r\n") if end else []
        # A response without content has no length.
        length = sum(int(line.split()[1]) for line in lines if line.startswith("Content-Length: "))
        if end and len(rest) >= length:
            return RawResponse(lines, rest[:length]), rest[length:]
        if more := connection.recv(1 << 16):
            data += more
        else:
            assert not data, f"closed after {data!r}"
            return None, b""


def responses(connection):
    """The responses on a connection, each as soon as it is complete, until the service has closed it."""
    received, rest = next_response(connection)
    while received:
        yield received
        received, rest = next_response(connection, rest)


def response(connection):
    """The next response on a connection that has no more than one under way."""
    received, rest = next_response(connection)
    assert received, "closed without a response"
    assert not rest, f"followed by {rest!r}"
    return received
