"""An authorization webhook that answers each ID in its own way, most of them wrong."""

import http.server
import json
import ssl
import threading


def reply(body, status=200, headers=(), length=None):
    """An answer with this body."""

    def answer(handler):
        handler.send_response(status)
        for name, value in headers:
            handler.send_header(name, value)
        handler.send_header("Content-Length", str(len(body) if length is None else length))
        handler.end_headers()
        handler.wfile.write(body)

    return answer


def dribble(handler):
    """An answer that is on its way for ever."""
    handler.send_response(200)
    handler.send_header("Content-Length", "60000")
    handler.end_headers()
    while not handler.server.released.wait(0.02):
        handler.wfile.write(b" ")


def hang(handler):
    """No answer until the test lets go, then a yes."""
    handler.server.released.wait(60)
    reply(b'{"allow":true}')(handler)


def hang_up(handler):
    """An end without an answer."""
    handler.close_connection = True


ALLOW = reply(b'{"allow":true}')
DENY = reply(b'{"allow":false}')

# What each does, and what the service tells its caller: 403 where the webhook has spoken and not allowed it, 503 where
# it has not and may later. WebhookServerTests has more.
MISBEHAVIOURS = {
    "allow-text": (reply(b'{"allow":"true"}'), 403), "allow-twice": (reply(b'{"allow":false,"allow":true}'), 403),
    "too-large": (reply(b'{"allow":true}' + b" " * 70000), 403), "forbidden": (reply(b'{"allow":true}', 403), 403),
    "redirect": (reply(b'{"allow":true}', 302, [("Location", "/elsewhere")]), 403),
    "unavailable": (reply(b'{"allow":true}', 503), 503), "cut-off": (reply(b'{"allow":true', length=14), 503),
    "hang-up": (hang_up, 503), "hang": (hang, 503), "dribble": (dribble, 503),
}


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        question = json.loads(body)
        with self.server.arrival:
            self.server.questions.append((self.path, self.headers, body))
            self.server.arrival.notify_all()
        # One exchange for each connection, so that a client that reads on finds the end.
        self.close_connection = True
        try:
            self.server.answers.get(question["ids"][0], ALLOW)(self)
        except OSError:
            pass  # The service hung up, as it should when an answer is too long or too late.

    def log_message(self, *_):
        pass


class Webhook(http.server.ThreadingHTTPServer):
    """A receiver on a free port; `answers` has the IDs that are not just allowed."""

    daemon_threads = True
    # A burst of connections must not wait for retransmissions.
    request_queue_size = 256

    def __init__(self, answers=(), certificate=None):
        super().__init__(("127.0.0.1", 0), Handler)
        self.answers = dict(answers)
        self.questions = []
        self.arrival = threading.Condition()
        self.released = threading.Event()
        self.url = f"http://127.0.0.1:{self.server_port}/authorize"
        if certificate:
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            context.load_cert_chain(certificate.certificate, certificate.key)
            # The handshake in the thread of its connection, so that one that fails stops nothing.
            self.socket = context.wrap_socket(self.socket, server_side=True, do_handshake_on_connect=False)
            self.url = self.url.replace("http:", "https:")
        threading.Thread(target=self.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True).start()

    def wait_for(self, count):
        """Waits until so many questions have come."""
        with self.arrival:
            assert self.arrival.wait_for(lambda: len(self.questions) >= count, 60), "the webhook was not asked"

    def handle_error(self, *_):
        pass

    def stop(self):
        self.released.set()
        self.shutdown()
        self.server_close()
