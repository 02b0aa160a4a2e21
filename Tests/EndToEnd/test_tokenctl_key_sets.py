"""`tokenctl verify --jwks URL`: key sets that are fetched."""

import contextlib
import json
import socket
import threading

import pytest

from tokenctl import NOW, token


@contextlib.contextmanager
def server(response, stalls=False):
    """A loopback server that answers every connection with the same bytes; yields its port."""
    with socket.create_server(("127.0.0.1", 0)) as listener:

        def serve(connection):
            # A client that gives up is no problem of the server's.
            with connection, contextlib.suppress(OSError):
                request = connection.recv(65_536)
                while request.startswith(b"GET ") and not request.endswith(b"\r\n\r\n"):
                    chunk = connection.recv(65_536)
                    if not chunk:
                        return
                    request += chunk
                connection.sendall(response)
                while stalls and connection.recv(65_536):
                    pass

        def accept():
            with contextlib.suppress(OSError):
                while True:
                    threading.Thread(target=serve, args=[listener.accept()[0]], daemon=True).start()

        threading.Thread(target=accept, daemon=True).start()
        try:
            yield listener.getsockname()[1]
        finally:
            # Closing alone would leave `accept` waiting.
            listener.shutdown(socket.SHUT_RDWR)


def ok(body):
    return f"HTTP/1.1 200 OK\r\nContent-Length: {len(body.encode())}\r\n\r\n{body}".encode()


def verify(tokenctl, port, scheme="http", **options):
    return tokenctl(
        *["verify", "--jwks", f"{scheme}://127.0.0.1:{port}/jwks.json", "--at", str(NOW)], input=token(), **options
    )


def test_key_set_is_fetched_over_loopback(tokenctl):
    with server(ok(json.dumps(tokenctl.key_set()))) as port:
        outcome = verify(tokenctl, port)
    assert outcome.returncode == 0
    assert outcome.stderr == ""


@pytest.mark.parametrize("size, status", [(256 * 1024, 0), (256 * 1024 + 1, 6)])
def test_256_kib_are_read_and_no_more(tokenctl, size, status):
    padded = json.dumps(tokenctl.key_set()).ljust(size)
    with server(ok(padded)) as port:
        outcome = verify(tokenctl, port)
    assert outcome.returncode == status
    assert ("larger than 256 KiB" in outcome.stderr) == (status == 6)
    # The same for a response that does not say how long it is.
    with server(f"HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n{padded}".encode()) as port:
        assert verify(tokenctl, port).returncode == status


@pytest.mark.parametrize(
    "response, message",
    [
        ("HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n", "HTTP status 404"),
        ("HTTP/1.1 503 Service Unavailable\r\nContent-Length: 0\r\n\r\n", "HTTP status 503"),
        ("HTTP/1.1 204 No Content\r\n\r\n", "HTTP status 204"),
        ("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{", ""),
        ("no HTTP\r\n\r\n", ""),
        ("", ""),
    ],
)
def test_bad_response_is_a_network_error(tokenctl, response, message):
    with server(response.encode()) as port:
        outcome = verify(tokenctl, port)
    assert outcome.returncode == 6
    assert outcome.stdout == ""
    assert outcome.stderr.startswith(f"Error: Cannot fetch http://127.0.0.1:{port}/jwks.json: {message}")
