"""How the service begins and ends: nothing is lost that need not be, and nothing has to be repaired after a crash."""

import contextlib
import functools
import signal
import socket
import subprocess
import time

import httpx
import pytest

import secrecy
from build import BUILD
from good_caller import GoodCaller, Repeated
from production import KINDS, until
from wire import exchange

pytestmark = pytest.mark.alone

DRAIN = 2


class Callers:
    """Callers that keep their connections, and ask on new ones when these end."""

    def __init__(self, service, count):
        self.answered, self.errors, self.refused_at = set(), [], None
        self.url = f"{service.url}/token/consumer/trip-1"
        self.headers = {"X-API-Key": service.key}
        self.clients = [httpx.Client(verify=service.tls or True, timeout=60) for _ in range(count)]
        self.threads = [Repeated(functools.partial(self.request, client)) for client in self.clients]

    @property
    def served(self):
        return len(self.answered)

    def __enter__(self):
        for thread in self.threads:
            thread.__enter__()
        until(lambda: self.served > 50, "callers to be served")
        return self

    def __exit__(self, *_):
        for thread, client in zip(self.threads, self.clients):
            thread.__exit__()
            client.close()

    def request(self, client):
        # What no connection is made for any more is not asked for again and again.
        time.sleep(0.002 if not self.refused_at else 0.05)
        # One retry where the connection ended before a response began: what every client library does for a GET.
        for is_last in [False, True]:
            try:
                response = client.get(self.url, headers=self.headers)
            except (httpx.ConnectError, httpx.ConnectTimeout):
                self.refused_at = self.refused_at or time.monotonic()
                return
            except httpx.TransportError as error:
                if is_last:
                    self.errors.append(repr(error))
                continue
            if response.status_code != 200:
                self.errors.append(response.status_code)
            return self.answered.add(response.headers["X-Request-Id"])


@pytest.mark.parametrize("speaks", ["http", "https"])
def test_end_under_load_loses_no_request(serve_solo, speaks):
    service = serve_solo(tls=speaks != "http", service={"drain": f"{DRAIN}s", "requestTimeout": "20s"})
    with Callers(service, 8) as callers:
        slow = socket.create_connection(("127.0.0.1", service.port), 60)
        if service.tls:
            slow = service.tls.wrap_socket(slow, server_hostname="127.0.0.1")
        body = b'{"kind":"consumer","tripId":"trip-1"}'
        head = f"POST /token HTTP/1.1\r\nHost: h\r\nX-API-Key: {service.key}\r\nContent-Type: application/json\r\n"
        slow.sendall(f"{head}Content-Length: {len(body)}\r\n\r\n".encode() + body[:10])
        start = time.monotonic()
        service.process.send_signal(signal.SIGTERM)
        until(lambda: exchange(service.admin, "/readyz").status == 503, "readyz")
        before = callers.served
        until(lambda: callers.refused_at, "new connections to be refused")
        during = callers.served - before
        # The slow request is under way still, so the process is too, and says how it is.
        assert service.process.poll() is None
        assert exchange(service.admin, "/readyz").json == {"status": "draining"}
        assert exchange(service.admin, "/livez").status == 200
        assert b"\nfleet_token_ready 0\n" in secrecy.metrics(service.admin)
        slow.sendall(body[10:])
        response = b""
        while data := slow.recv(65536):
            response += data
        code = service.process.wait(60)
        slow.close()
    assert code == 0
    assert callers.errors == []
    assert during > 50
    assert response.startswith(b"HTTP/1.1 200 ") and b"connection: close" in response.lower()
    assert callers.refused_at - start >= DRAIN
    assert get_refused(service.port) and get_refused(service.admin)


def get_refused(port):
    with contextlib.suppress(ConnectionRefusedError):
        exchange(port, "/livez")
        return False
    return True


def test_kill_under_load_leaves_nothing_to_repair(serve_solo):
    service = serve_solo()
    for run in range(3):
        with Callers(service, 8) as callers:
            served = callers.served
            service.process.kill()
            service.process.wait()
        start = time.monotonic()
        service.start()
        began = time.monotonic() - start
        with GoodCaller(service) as good:
            pass
        good.report(f"run {run}: killed after {served} requests, listens again after {began:.2f} s")
        assert not service.site.missing_lines()
        recorded = {line["requestId"] for line in service.site.audit()}
        assert callers.answered <= recorded, "whoever got a token is on record"
    leftover = {path.name for path in service.site.folder.iterdir()}
    leftover = {name for name in leftover if not name.startswith(("stdout.", "stderr."))}
    assert leftover == {f"{kind}.json" for kind in KINDS} | {"api-keys", "tokend.yaml", "audit.jsonl"}


# systemd


@pytest.mark.parametrize("prefix", ["", "@"])
def test_systemd_hears_when_it_is_ready(serve_solo, tmp_path, prefix):
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as manager:
        # An abstract socket's name is written with @.
        name = f"{prefix}{tmp_path}/notify"
        manager.bind(name.replace("@", "\0", 1))
        manager.settimeout(30)
        service = serve_solo(environment={"NOTIFY_SOCKET": name})
        assert manager.recv(4096) == b"READY=1"
        assert exchange(service.admin, "/readyz").status == 200


# The health check of containers


def healthcheck(*arguments):
    return subprocess.run([BUILD / "tokend", "healthcheck", *arguments], capture_output=True, text=True, timeout=30)


def test_healthcheck_command_follows_readiness(serve_solo):
    service = serve_solo(service={"drain": "5m"})
    admin = f"127.0.0.1:{service.admin}"
    well = healthcheck("--admin", admin)
    assert (well.returncode, well.stdout, well.stderr) == (0, "", "")
    service.process.send_signal(signal.SIGTERM)
    until(lambda: exchange(service.admin, "/readyz").status == 503, "readyz")
    drains = healthcheck("--admin", admin)
    assert drains.returncode == 1 and "draining" in drains.stderr
    service.process.kill()
    service.process.wait()
    gone = healthcheck("--admin", admin)
    assert gone.returncode == 1 and "No response from" in gone.stderr
