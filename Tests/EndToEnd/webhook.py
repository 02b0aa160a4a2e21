"""An authorization webhook that responds to each ID in its own way."""

import json
import threading

from servers import Handler, Server, reply

ALLOW, DENY = reply(200, {"allow": True}), reply(200, {"allow": False})


def hang(handler):
    """No response until the test lets go, then a yes."""
    handler.server.released.wait(60)
    ALLOW(handler)


class Webhook(Server):
    """A receiver; `responses` has the IDs that are not just allowed."""

    class Handler(Handler):
        def do_POST(self):
            body = self.rfile.read(int(self.headers["Content-Length"]))
            with self.server.arrival:
                self.server.questions.append((self.path, self.headers, body))
                self.server.arrival.notify_all()
            # One exchange for each connection, so that a client that reads on finds the end.
            self.close_connection = True
            self.server.responses.get(json.loads(body)["ids"][0], ALLOW)(self)

    def __init__(self, responses=()):
        self.responses, self.questions = dict(responses), []
        self.arrival = threading.Condition()
        super().__init__(self.Handler)
        self.url += "/authorize"

    def wait_for(self, count):
        with self.arrival:
            assert self.arrival.wait_for(lambda: len(self.questions) >= count, 60), "the webhook was not asked"
