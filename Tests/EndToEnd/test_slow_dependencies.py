"""Dependencies that are slow, silent or broken: they cost the requests that need them, and no others."""

import concurrent.futures
import contextlib
import socket
import threading
import time

import pytest

from issuer import Issuer
from production import until
from servers import reply
from webhook import hang

# How long the service may take to end beside what its callers wait for: the time is a watchdog's, and the defects were
# tens of seconds.
SOON = 6


class Silent:
    """Accepts connections, reads what comes, and says nothing: a host behind a broken firewall, or a stopped process."""

    def __init__(self):
        self.listener = socket.create_server(("127.0.0.1", 0), backlog=256)
        self.port = self.listener.getsockname()[1]
        self.connections = []
        threading.Thread(target=self.serve, daemon=True).start()

    def serve(self):
        with contextlib.suppress(OSError):
            while True:
                self.connections.append(self.listener.accept()[0])

    def wait(self, count=1):
        until(lambda: len(self.connections) >= count, "a connection")

    def stop(self):
        self.listener.close()
        for connection in self.connections:
            connection.close()


@pytest.fixture
def silent():
    silent = Silent()
    yield silent
    silent.stop()


def ask(service, path="/token/driver/v-1", key=None):
    return service.request(path, key=key or service.site.key)


# Webhooks


def test_slow_requests_of_one_caller_do_not_block_others(plentiful, serve, webhook):
    plentiful.ask_webhook(webhook.url, seconds=9)
    reader = plentiful.another_caller()
    service = serve(plentiful)
    # Of 128 places, one caller can have half.
    webhook.responses = {f"v-{number}": hang for number in range(67)}
    # The stand-in ends each connection; said in time, no later question goes into one that is about to end.
    webhook.responses["quick"] = reply(200, {"allow": True}, Connection="close")
    with concurrent.futures.ThreadPoolExecutor(67) as pool:
        slow = [pool.submit(ask, service, f"/token/driver/v-{number}") for number in range(67)]
        webhook.wait_for(64)
        # The others wait for their turn, and keep no place from another caller.
        assert [ask(service, "/token/driver/quick", reader).status for _ in range(20)] == [200] * 20
        assert len(webhook.questions) == 64 + 20
        webhook.released.set()
        responses = [response.result() for response in slow]
        assert [response.status for response in responses].count(200) >= 64
        # A later question may go into a connection that the stand-in ends.
        assert all(response.status == 200 or response.reason != "OVERLOADED" for response in responses)


# The end


def assert_ends_soon(service, waiting=0):
    start = time.monotonic()
    assert service.stop() == 0
    assert time.monotonic() - start < waiting + SOON


def test_end_while_a_caller_waits_for_an_issuer_that_says_nothing(site, serve, silent):
    issuer = Issuer("https://id.example", algorithms=["ES256"])
    site.discover(issuer, algorithms=["ES256"], keysUrl=f"https://localhost:{silent.port}/keys")
    service = serve(site)
    silent.wait()
    token = issuer.token()
    site.secrets.add(token.rsplit(".")[-1])
    with concurrent.futures.ThreadPoolExecutor(1) as pool:
        response = pool.submit(service.request, "/token/driver/v-1", bearer=token)
        until(lambda: response.done() or service.metric("fleet_token_connections"), "the caller to wait")
        assert_ends_soon(service, waiting=5)
        assert response.result().reason == "AUTHENTICATION_UNAVAILABLE"


def test_end_while_a_webhook_says_nothing(site, serve, silent):
    site.ask_webhook(f"http://127.0.0.1:{silent.port}/", seconds=3)
    service = serve(site)
    with concurrent.futures.ThreadPoolExecutor(1) as pool:
        response = pool.submit(ask, service)
        silent.wait()
        assert_ends_soon(service, waiting=3)
        assert response.result().reason == "AUTHORIZATION_UNAVAILABLE"

