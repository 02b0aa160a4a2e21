"""An authorization webhook that answers each ID in its own way."""

import http.server
import json
import threading


def reply(body, status=200, headers=(), length=None):
    def answer(handler):
        handler.send_response(status)
        for name, value in headers:
            handler.send_header(name, value)
        handler.send_header("Content-Length", str(len(body) if length is None else length))
        handler.end_headers()
        handler.wfile.write(body)

    return answer


def hang(handler):
    """No answer until the test lets go, then a yes."""
    handler.server.released.wait(60)
    reply(b'{"allow":true}')(handler)


ALLOW = reply(b'{"allow":true}')
DENY = reply(b'{"allow":false}')


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

    def __init__(self, answers=()):
        super().__init__(("127.0.0.1", 0), Handler)
        self.answers = dict(answers)
        self.questions = []
        self.arrival = threading.Condition()
        self.released = threading.Event()
        self.url = f"http://127.0.0.1:{self.server_port}/authorize"
        threading.Thread(target=self.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True).start()

    def wait_for(self, count):
        with self.arrival:
            assert self.arrival.wait_for(lambda: len(self.questions) >= count, 60), "the webhook was not asked"

    def handle_error(self, *_):
        pass

    def stop(self):
        self.released.set()
        self.shutdown()
        self.server_close()
