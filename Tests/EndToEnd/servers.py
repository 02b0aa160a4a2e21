"""HTTP servers on loopback that stand in for others, and ways in which they respond."""

import http.server
import json
import sys
import threading


class Server(http.server.ThreadingHTTPServer):
    """Runs on a free port until it is stopped; `hang` lasts until then, or until a test sets `released`."""

    daemon_threads = True
    # A burst of connections must not wait for retransmissions.
    request_queue_size = 256

    def __init__(self, handler):
        super().__init__(("127.0.0.1", 0), handler)
        self.url = f"http://127.0.0.1:{self.server_port}"
        self.released = threading.Event()
        threading.Thread(target=self.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True).start()

    def handle_error(self, *arguments):
        # A client that hangs up, as it should when a response is too long or too late.
        if not isinstance(sys.exception(), OSError):
            super().handle_error(*arguments)

    def stop(self):
        self.released.set()
        self.shutdown()
        self.server_close()


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def send(self, status, body=b"", length=None, headers=()):
        """Responds with bytes, or with a value as JSON; a length that is not the body's ends the connection."""
        is_bytes = isinstance(body, bytes)
        data = body if is_bytes else json.dumps(body).encode()
        self.send_response(status)
        for name, value in (({} if is_bytes else {"Content-Type": "application/json"}) | dict(headers)).items():
            self.send_header(name, str(value))
        self.send_header("Content-Length", str(len(data) if length is None else length))
        self.end_headers()
        self.wfile.write(data)
        self.close_connection |= length is not None

    def log_message(self, *_):
        pass


def reply(status, body=b"", length=None, **headers):
    headers = {name.replace("_", "-"): value for name, value in headers.items()}
    return lambda handler: handler.send(status, body, length, headers)


def raw(text):
    """Something that is no HTTP response, or nothing at all."""

    def response(handler):
        handler.wfile.write(text)
        handler.close_connection = True

    return response


hang_up = raw(b"")


def hang(handler):
    """No response until the test lets go."""
    handler.server.released.wait(60)
    handler.close_connection = True
