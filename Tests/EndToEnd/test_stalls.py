"""A stalled disk or reader does not stop the service: it responds, reports its state, and shuts down."""

import collections
import concurrent.futures
import contextlib
import fcntl
import hashlib
import json
import os
import threading
import time

import pytest

from production import PLENTY, until
from wire import exchange

pytestmark = pytest.mark.alone

# Three quarters of service.requestTimeout.
TIMEOUT = 1.5
PATH = "/token/driver/v-1"
# A request that waits for nothing, on a busy machine. One that waits for a pipe without a reader takes for ever.
SOON = 5
F_SETPIPE_SZ = 1031


class Pipe:
    """A small pipe whose reader stops and goes on, and what came out of it."""

    def __init__(self, file):
        self.file = file
        file.write_bytes(b"")
        reader, self.writer = os.pipe()
        fcntl.fcntl(self.writer, F_SETPIPE_SZ, 4096)
        self._reads = threading.Event()
        self._thread = threading.Thread(target=self._read, args=[reader], daemon=True)
        self._thread.start()
        self.go_on()

    def _read(self, reader):
        with self.file.open("ab", buffering=0) as file, os.fdopen(reader, "rb", buffering=0) as pipe:
            while data := pipe.read(65536):
                file.write(data)
                self._reads.wait()

    def go_on(self):
        self._reads.set()

    def stop(self):
        """Stops reading, when what is under way has been read."""
        self._reads.clear()

    def close(self):
        """Returns what came out of it, once the service has ended."""
        if self.writer is not None:
            os.close(self.writer)
            self.writer = None
        self.go_on()
        self._thread.join(60)
        return self.file.read_bytes()


@pytest.fixture
def pipe(site):
    """Makes pipes whose readers read to the end when the test has ended."""
    pipes = []

    def pipe(name):
        pipes.append(Pipe(site.folder / name))
        return pipes[-1]

    yield pipe
    for each in pipes:
        each.close()


@pytest.fixture
def stalling(site):
    """A configuration with the audit trail on standard output, and limits that are not what is tested."""
    site.configuration["audit"] = {}
    site.configuration["limits"] = PLENTY
    site.configuration["service"]["requestTimeout"] = "2s"
    return site


def took(ask, *arguments, **options):
    start = time.monotonic()
    response = ask(*arguments, **options)
    return response, time.monotonic() - start


def stall(service, tokens):
    """Asks until the trail is stalled, and returns how long the slowest took."""
    slowest = 0
    with concurrent.futures.ThreadPoolExecutor(16) as pool:
        while True:
            responses = list(pool.map(lambda _: took(service.request, PATH, key=service.site.key), range(16)))
            slowest = max([slowest, *(seconds for _, seconds in responses)])
            tokens += [response.token for response, _ in responses if response.status == 200]
            refused = [response for response, _ in responses if response.status != 200]
            for response in refused:
                assert (response.status, response.reason) == (503, "AUDIT_UNAVAILABLE")
                assert int(response.headers["Retry-After"]) > 0
            if refused:
                return slowest


def everything_else_answers(service):
    """What needs no line of the trail, and what is refused, is answered soon."""
    measured = {}

    def check(name, status, ask, *arguments, **options):
        response, measured[name] = took(ask, *arguments, **options)
        assert response.status == status, name

    check("401", 401, service.request, PATH)
    check("403", 403, service.request, "/token/server", key=service.site.key)
    check("404", 404, service.request, "/nothing")
    check("livez", 200, exchange, service.admin, "/livez")
    check("metrics", 200, exchange, service.admin, "/metrics")
    assert max(measured.values()) < SOON


def check_trail(site, name, tokens):
    """Each token that was handed out has its line; a line that was written late has no token."""
    assert not site.missing_lines(name)
    recorded = collections.Counter(line["tokenSha256"] for line in site.audit(name) if line["decision"] == "allow")
    assert not collections.Counter(hashlib.sha256(token.encode()).hexdigest() for token in tokens) - recorded


def test_service_outlives_a_reader_of_its_trail_that_stops(stalling, serve, pipe):
    output = pipe("trail.jsonl")
    service = serve(stalling, output=output.writer)
    tokens = [service.request(PATH, key=stalling.key).token]
    for _ in range(2):
        output.stop()
        slowest = stall(service, tokens)
        assert slowest < TIMEOUT + SOON
        response, seconds = took(service.request, PATH, key=stalling.key)
        assert response.reason == "AUDIT_UNAVAILABLE" and seconds < TIMEOUT
        everything_else_answers(service)
        # Each scrape checks the trail, and counts what it finds.
        refused = [service.total("fleet_token_audit_write_total", result="refused") for _ in range(2)]
        assert refused[0] < refused[1]
        status, report = service.readyz()
        assert status == 503 and "[-]audit failed" in report and "A write takes too long" in report
        output.go_on()
        until(lambda: service.readyz()[0] == 200, "the trail to go on")
        tokens.append(service.request(PATH, key=stalling.key).token)
    assert service.stop() == 0
    output.close()
    check_trail(stalling, "trail.jsonl", tokens)


def test_requests_are_refused_before_they_time_out(stalling, serve, pipe):
    """A caller gets a response even where a line may take longer than its request."""
    # Without the rule a line may take as long, and the request ends without a response.
    stalling.configuration["service"]["requestTimeout"] = "3s"
    output = pipe("trail.jsonl")
    service = serve(stalling, output=output.writer)
    output.stop()

    responses = (service.request(PATH, key=stalling.key) for _ in range(10_000))
    refused = next(response for response in responses if response.status != 200)
    assert (refused.status, refused.reason) == (503, "AUDIT_UNAVAILABLE")
    output.go_on()
    assert service.stop() == 0


def test_service_outlives_a_reader_of_its_log_that_stops(stalling, serve, pipe):
    stalling.configuration["audit"] = {"file": "audit.jsonl"}
    log = pipe("log")
    service = serve(stalling, output=log.writer)
    log.stop()
    # More than the pipe and the memory behind it take.
    slowest = 0
    with concurrent.futures.ThreadPoolExecutor(8) as pool:
        for _ in range(30):
            responses = list(pool.map(lambda _: took(service.request, PATH, key=stalling.key), range(200)))
            assert {response.status for response, _ in responses} == {200}
            slowest = max([slowest, *(seconds for _, seconds in responses)])
    assert slowest < SOON
    everything_else_answers(service)
    assert service.readyz()[0] == 200
    log.go_on()
    until(lambda: "Log lines were dropped" in log.file.read_text(), "the line that says so")
    assert service.request(PATH, key=stalling.key).status == 200
    assert service.stop() == 0
    lines = [json.loads(line) for line in log.close().splitlines()]
    told = [line["metadata"]["count"] for line in lines if "Log lines were dropped" in line["message"]]
    logged = [line for line in lines if "httpRequest" in line]
    assert sum(told) > 0 and len(logged) + sum(told) >= 6000


def test_service_ends_whatever_is_stalled(stalling, serve, pipe):
    output, log = pipe("trail.jsonl"), pipe("log")
    service = serve(stalling, output=output.writer, error=log)
    tokens = []
    log.stop()
    output.stop()
    stall(service, tokens)
    everything_else_answers(service)
    with concurrent.futures.ThreadPoolExecutor(8) as pool:
        responses = [pool.submit(service.request, PATH, key=stalling.key) for _ in range(8)]
        code, seconds = took(service.stop)
    assert code == 0 and seconds < SOON
    for response in responses:
        # One that comes when the listener is closed has no response.
        with contextlib.suppress(OSError):
            assert response.result().status in (200, 503)
