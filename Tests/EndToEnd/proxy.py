"""A loopback proxy before a token server that misbehaves as it is told, and keeps the requests."""

import http.client
import http.server
import socket
import struct
import threading
import urllib.parse


class Handler(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        self.id = urllib.parse.unquote(urllib.parse.urlsplit(self.path).path.rsplit("/", 1)[1])
        self.server.journal.append(self)
        self.server.scripts.get(self.id, forward)(self)

    def answer(self, status, body=b"", headers=None):
        self.send_response(status)
        for name, value in ({"Content-Length": len(body)} | (headers or {})).items():
            self.send_header(name, str(value))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


class Proxy(http.server.ThreadingHTTPServer):
    """Treats each request for an ID as its script says; IDs without a script are passed through."""

    daemon_threads = True

    def __init__(self, upstream):
        super().__init__(("127.0.0.1", 0), Handler)
        self.upstream = urllib.parse.urlsplit(upstream).netloc
        self.scripts, self.journal = {}, []
        self.url = f"http://127.0.0.1:{self.server_port}"
        threading.Thread(target=self.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True).start()

    def requests(self, id):
        return [request for request in self.journal if request.id == id]

    def close(self):
        self.shutdown()
        self.server_close()


def ask(handler):
    connection = http.client.HTTPConnection(handler.server.upstream, timeout=30)
    connection.request("GET", handler.path, headers={"Accept": handler.headers["Accept"]})
    answer = connection.getresponse()
    return answer.status, answer.read()


def forward(handler):
    handler.answer(*ask(handler))


def reply(status, body=b"", **headers):
    return lambda handler: handler.answer(status, body, {name.replace("_", "-"): value for name, value in headers.items()})


def truncated(handler):
    """A JSON text that stops in the middle, under a Content-Length that is true to it."""
    _, body = ask(handler)
    handler.answer(200, body[: len(body) // 2])


def raw(text):
    """Something that is no HTTP answer, or nothing at all."""
    return lambda handler: handler.wfile.write(text)


def reset(handler):
    handler.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    handler.connection.close()
