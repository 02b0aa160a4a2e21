"""Clients that send and read slowly, to obstruct other clients."""

import contextlib
import itertools
import socket
import threading


class SlowClients:
    """A number of slow connections; a connection that the service closes is reopened.

    Half of them send a request so slowly that the service times out; the others send normally, and read the responses a
    few bytes at a time.
    """

    def __init__(self, server, count):
        self.server, self.count = server, count
        self.over = threading.Event()
        self.threads = []

    def __enter__(self):
        for number in range(self.count):
            work = self._send_slowly if number % 2 else self._read_slowly
            self.threads.append(threading.Thread(target=self._repeat, args=(work, number), daemon=True))
            self.threads[-1].start()
        return self

    def __exit__(self, *_):
        self.over.set()
        for thread in self.threads:
            thread.join(30)

    def _repeat(self, work, number):
        for turn in itertools.count():
            if self.over.wait(0.1):
                return
            with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", self.server.port), 10) as peer:
                work(peer, self._request(f"slow-{number}-{turn}"))

    def _request(self, vehicle):
        lines = f"GET /token/driver/{vehicle} HTTP/1.1\r\nHost: 127.0.0.1\r\nX-API-Key: {self.server.site.key}\r\n\r\n"
        return lines.encode()

    def _send_slowly(self, peer, request):
        for byte in request:
            peer.sendall(bytes([byte]))
            if self.over.wait(0.5):
                return

    def _read_slowly(self, peer, request):
        peer.sendall(request)
        while peer.recv(64):
            if self.over.wait(0.2):
                return
