"""Load: wrk for the maximum, and requests at a constant rate that do not wait for responses."""

import asyncio
import itertools
import json
import os
import ssl
import subprocess
import time

# Each run has new vehicles, so that no token from before is reused.
_first = itertools.count(int(time.time()) * 1_000_000, 10_000_000)
ANY_CERTIFICATE = ssl._create_unverified_context()


def most(server, seconds, script, cores, reuse=False, tls=False):
    """Tokens a second that wrk gets at most; with `tls`, each over a new connection. Any refusal fails the run."""
    environment = os.environ | {"API_KEY": server.key, "FIRST": str(next(_first))}
    if reuse:
        environment["REUSE"] = "1"
    if tls:
        environment["CLOSE"] = "1"
    url = f"{'https' if tls else 'http'}://127.0.0.1:{server.port}"
    # Eight connections keep a signing core busy; with handshakes and reused tokens it takes more.
    command = ["taskset", "-c", cores, "wrk", "-t1", f"-c{32 if tls or reuse else 8}", f"-d{seconds}s", "--timeout", "10s"]
    # A shared machine can stall for a second, which is not the server's fault.
    for _ in range(3):
        done = subprocess.run([*command, "-s", script, url], env=environment, capture_output=True, text=True, check=True)
        counts = json.loads(done.stderr)
        if counts["answers"]:
            break
    if counts["refused"] or not counts["answers"] or (counts["broken"] and not tls):
        raise RuntimeError(f"{server.name}: {counts}; its log ends: {server.log.read_text()[-1000:]}")
    return counts["answers"] / counts["seconds"]


class Answers:
    """What became of requests: the status and the milliseconds of each, counted from when it was due."""

    def __init__(self):
        self.statuses, self.times, self.broken = {}, [], 0

    def add(self, status, milliseconds):
        self.statuses[status] = self.statuses.get(status, 0) + 1
        self.times.append((milliseconds, status))

    def accepted(self, share):
        """A quantile of the times of the responses with a token."""
        times = sorted(time for time, status in self.times if status == 200)
        return times[min(len(times) - 1, int(len(times) * share))] if times else float("inf")

    @property
    def slowest(self):
        return max(time for time, _ in self.times)

    @property
    def refused(self):
        return sum(count for status, count in self.statuses.items() if status != 200) + self.broken


class Connection(asyncio.Protocol):
    """A kept connection that sends the requests that it is given one after the other."""

    def __init__(self, answers, key):
        self.answers, self.key = answers, key
        self.waiting, self.due, self.received = [], None, b""

    def connection_made(self, transport):
        self.transport = transport

    def send(self, due):
        self.waiting.append(due)
        self._next()

    def _next(self):
        if self.due is None and self.waiting and not self.transport.is_closing():
            self.due = self.waiting.pop(0)
            request = f"GET /token/driver/v-{next(_first)} HTTP/1.1\r\nHost: localhost\r\nX-API-Key: {self.key}\r\n\r\n"
            self.transport.write(request.encode())

    def data_received(self, data):
        self.received += data
        head, separator, body = self.received.partition(b"\r\n\r\n")
        if not separator:
            return
        fields = head.lower()
        start = fields.find(b"content-length:")
        length = int(fields[start + 15 :].split(b"\r\n", 1)[0]) if start >= 0 else 0
        # Java's server sends chunks.
        if len(body) < length or (start < 0 and not body.endswith(b"0\r\n\r\n")):
            return
        self.answers.add(int(head[9:12]), (time.monotonic() - self.due) * 1000)
        self.due, self.received = None, b""
        self._next()

    def connection_lost(self, error):
        self.answers.broken += len(self.waiting) + (self.due is not None)
        self.due, self.waiting = None, []


async def constant(server, rate, seconds, connections=64, key=None):
    """Sends requests at a constant rate, each for another vehicle; counts the time from when each was due."""
    loop, answers = asyncio.get_running_loop(), Answers()
    made = [await loop.create_connection(lambda: Connection(answers, key or server.key), "127.0.0.1", server.port)
            for _ in range(connections)]  # fmt: skip
    protocols = [protocol for _, protocol in made]
    begin = time.monotonic()
    for number in range(int(rate * seconds)):
        due = begin + number / rate
        if (wait := due - time.monotonic()) > 0:
            await asyncio.sleep(wait)
        elif number % 64 == 0:
            await asyncio.sleep(0)
        protocols[number % connections].send(due)
    deadline = time.monotonic() + 10
    while any(each.due is not None or each.waiting for each in protocols) and time.monotonic() < deadline:
        await asyncio.sleep(0.01)
    for transport, _ in made:
        transport.close()
    await asyncio.sleep(0)
    return answers


async def burst(server, count):
    """Requests a token over each of many new TLS connections at once, from eight addresses: tokend limits those of one."""
    answers, begin = Answers(), time.monotonic()

    async def one(number):
        try:
            reader, writer = await asyncio.open_connection(
                "127.0.0.1", server.port, ssl=ANY_CERTIFICATE, server_hostname="localhost",
                local_addr=(f"127.0.0.{2 + number % 8}", 0),
            )  # fmt: skip
            writer.write(f"GET /token/driver/v-{next(_first)} HTTP/1.1\r\nHost: localhost\r\nX-API-Key: {server.key}\r\n"
                         "Connection: close\r\n\r\n".encode())  # fmt: skip
            text = await asyncio.wait_for(reader.readuntil(b"\r\n\r\n"), 60)
            answers.add(int(text[9:12]), (time.monotonic() - begin) * 1000)
            writer.close()
        except (OSError, ValueError, asyncio.IncompleteReadError, TimeoutError):
            answers.broken += 1

    await asyncio.gather(*(one(number) for number in range(count)))
    return answers
