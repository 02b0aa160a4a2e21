"""A loopback proxy before a token server that misbehaves as it is told, and keeps a journal."""

import asyncio
import dataclasses
import email.utils
import http.client
import socket
import struct
import threading
import time
import urllib.parse


@dataclasses.dataclass
class Exchange:
    """A request and what became of it; times are monotonic."""

    proxy: "Proxy"
    method: str
    path: str
    headers: dict
    body: bytes
    reader: asyncio.StreamReader
    writer: asyncio.StreamWriter
    began: float
    # When the answer was about to be sent, or the client had left.
    ended: float = None
    status: int = None
    # How many requests for the same path were under way, with this one.
    in_flight: int = 1

    @property
    def kind(self):
        return self.path.split("/")[2].split("?")[0]

    @property
    def id(self):
        return urllib.parse.unquote(urllib.parse.urlsplit(self.path).path.rsplit("/", 1)[1])

    async def gone(self):
        """Waits until the client has left."""
        try:
            await self.reader.read()
        except ConnectionError:
            pass


@dataclasses.dataclass
class Answer:
    status: int = 200
    body: bytes = b""
    headers: dict = dataclasses.field(default_factory=dict)


class Proxy:
    """Treats each request for an ID by the next behaviour of the ID's script, and at its end by the last again.

    A behaviour is an asynchronous function from an exchange to an answer, or to None when it has done all itself. IDs
    without a script are passed through.
    """

    def __init__(self, upstream):
        self.upstream = upstream
        self.scripts = {}
        self.journal = []
        self.changed = threading.Condition()
        self.loop = asyncio.new_event_loop()
        threading.Thread(target=self.loop.run_forever, daemon=True).start()
        self.server = self.run(asyncio.start_server(self.serve, "127.0.0.1", 0))
        self.port = self.server.sockets[0].getsockname()[1]
        self.url = f"http://127.0.0.1:{self.port}"

    def run(self, coroutine):
        return asyncio.run_coroutine_threadsafe(coroutine, self.loop).result(60)

    def close(self):
        self.loop.call_soon_threadsafe(self.server.close)
        self.loop.call_soon_threadsafe(self.loop.stop)

    def exchanges(self, id):
        with self.changed:
            return [exchange for exchange in self.journal if exchange.id == id]

    async def serve(self, reader, writer):
        try:
            head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
        except (asyncio.IncompleteReadError, ConnectionError):
            return writer.close()
        method, path, _ = head[0].split(" ")
        fields = [line.partition(":") for line in head[1:] if line]
        headers = {name.title(): value.strip() for name, _, value in fields}
        body = await reader.readexactly(int(headers.get("Content-Length", 0)))
        exchange = Exchange(self, method, path, headers, body, reader, writer, time.monotonic())
        with self.changed:
            before = [other for other in self.journal if other.path == path]
            exchange.in_flight += sum(other.ended is None for other in before)
            self.journal.append(exchange)
        script = self.scripts.get(exchange.id, [forward])
        try:
            answer = await script[min(len(before), len(script) - 1)](exchange)
        except (OSError, http.client.HTTPException):
            # The real server is down.
            answer = await reset(exchange)
        finally:
            with self.changed:
                exchange.ended = time.monotonic()
                self.changed.notify_all()
        if answer:
            exchange.status = answer.status
            fields = {"Date": email.utils.formatdate(usegmt=True), "Content-Length": len(answer.body), **answer.headers}
            lines = [f"HTTP/1.1 {answer.status} Told", *(f"{n}: {v}" for n, v in fields.items()), "Connection: close"]
            writer.write("\r\n".join([*lines, "", ""]).encode() + answer.body)
        try:
            await writer.drain()
        except ConnectionError:
            pass
        writer.close()


async def forward(exchange):
    """Asks the real server."""

    def ask():
        connection = http.client.HTTPConnection(urllib.parse.urlsplit(exchange.proxy.upstream).netloc, timeout=30)
        headers = {name: value for name, value in exchange.headers.items() if name in ("Accept", "Content-Type")}
        connection.request(exchange.method, exchange.path, exchange.body or None, headers)
        answer = connection.getresponse()
        return Answer(answer.status, answer.read(), {"Date": answer.headers["Date"]})

    return await asyncio.to_thread(ask)


def reply(status, body=b"", **headers):
    """The same answer always."""

    async def behave(_):
        return Answer(status, body, {name.replace("_", "-"): value for name, value in headers.items()})

    return behave


async def truncated(exchange):
    """A JSON text that stops in the middle, under a Content-Length that is true to it."""
    answer = await forward(exchange)
    return Answer(200, answer.body[: len(answer.body) // 2])


async def dribble(exchange):
    """A body that never ends, a byte at a time, until the client leaves."""
    exchange.writer.write(b'HTTP/1.1 200 Told\r\nContent-Length: 10000\r\n\r\n{"token":"')
    gone = asyncio.ensure_future(exchange.gone())
    while not gone.done():
        await asyncio.wait([gone], timeout=0.3)
        exchange.writer.write(b"e")


async def end(_):
    """A connection that is closed without a byte."""


def raw(text):
    """Something that is no HTTP answer."""

    async def behave(exchange):
        exchange.writer.write(text)

    return behave


async def reset(exchange):
    """A connection that is reset."""
    connection = exchange.writer.get_extra_info("socket")
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    exchange.writer.transport.abort()
