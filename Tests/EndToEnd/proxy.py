"""A loopback proxy before a token server that misbehaves as it is told, and keeps the requests."""

import http.client
import urllib.parse

from servers import Handler, Server


class Proxy(Server):
    """Treats each request for an ID as its script says; IDs without a script are passed through."""

    class Handler(Handler):
        protocol_version = "HTTP/1.0"

        def do_GET(self):
            self.id = urllib.parse.unquote(urllib.parse.urlsplit(self.path).path.rsplit("/", 1)[1])
            self.server.journal.append(self)
            self.server.scripts.get(self.id, forward)(self)

    def __init__(self, upstream):
        super().__init__(self.Handler)
        self.upstream = urllib.parse.urlsplit(upstream).netloc
        self.scripts, self.journal = {}, []

    def requests(self, id):
        return [request for request in self.journal if request.id == id]


def forward(handler):
    connection = http.client.HTTPConnection(handler.server.upstream, timeout=30)
    connection.request("GET", handler.path, headers={"Accept": handler.headers["Accept"]})
    response = connection.getresponse()
    handler.send(response.status, response.read())
