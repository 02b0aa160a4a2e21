"""Restarts with a listening socket that outlives the process, as systemd and other supervisors pass it: nobody is refused."""

import contextlib
import http.client
import os
import socket

import pytest

from build import BUILD
from good_caller import Repeated
from production import PLENTY, Production, connect, until

# Of an operator's check by hand: RESTARTS=20 REQUESTS=10000.
RESTARTS, REQUESTS = (int(os.environ.get(name, default)) for name, default in [("RESTARTS", 3), ("REQUESTS", 500)])
CALLERS = 4


class Supervised(Production):
    """Services, one after the other, with the listening socket of a supervisor."""

    def __init__(self, site, listener, **options):
        self.listener = listener
        super().__init__(site, **options)

    def start(self, **options):
        # The shell becomes the service, and so knows the process that the socket is for.
        command = f'LISTEN_PID=$$ LISTEN_FDS=1 exec {BUILD / "tokend"} serve --config {self.site.write().name}'
        super().start(
            command=["/bin/sh", "-c", command], close_fds=False, preexec_fn=lambda: os.dup2(self.listener.fileno(), 3), **options
        )


@pytest.fixture
def listener(site):
    with socket.create_server(("127.0.0.1", 0), backlog=4096) as listener:
        site.configuration["service"]["listen"] = "127.0.0.1:{}".format(listener.getsockname()[1])
        site.configuration["limits"] = PLENTY
        yield listener


def caller(service, keeps):
    """Requests without a retry, over one connection as long as it lasts or each over its own: their statuses, or errors."""
    kept = []

    def ask():
        connection = kept.pop() if kept else connect(service.port)
        try:
            answer = service.ask("/token/driver/v-1", key=service.key, connection=connection)
        except (OSError, http.client.HTTPException) as error:
            return repr(error)
        if keeps and answer.headers["Connection"] != "close":
            kept.append(connection)
        else:
            connection.close()
        return answer.status

    return ask


@pytest.mark.parametrize("keeps", [False, True], ids=["new connections", "kept connections"])
def test_restarts_refuse_nobody(site, listener, keeps):
    site.configuration["service"]["drainSeconds"] = 1 if keeps else 0
    service = Supervised(site, listener)
    with contextlib.ExitStack() as stack:
        callers = [stack.enter_context(Repeated(caller(service, keeps))) for _ in range(CALLERS)]
        for _ in range(RESTARTS):
            callers[0].more(REQUESTS // RESTARTS // CALLERS)
            assert service.stop() == 0
            service.start()
        until(lambda: sum(len(caller.results) for caller in callers) >= REQUESTS, "requests", 60)
    assert {status for caller in callers for status in caller.results} == {200}
    assert service.stop() == 0


def test_socket_of_another_address_is_refused(site, listener):
    """The configuration was checked for the address in it: whether TLS is there, for instance."""
    address, site.configuration["service"]["listen"] = site.configuration["service"]["listen"], "127.0.0.1:1"
    with pytest.raises(AssertionError, match=f"passed a socket for {address}"):
        Supervised(site, listener)


def test_descriptor_that_is_no_socket_is_refused(site, listener):
    with open(os.devnull) as file, pytest.raises(AssertionError, match="no TCP socket"):
        Supervised(site, file)
