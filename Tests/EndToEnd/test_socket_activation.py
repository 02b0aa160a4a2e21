"""Restarts with a listening socket that outlives the process, as systemd and other supervisors pass it: nobody is refused."""

import http.client
import json
import os
import signal
import socket
import subprocess
import threading

import pytest

from build import BUILD
from production import PLENTY, until

# Of an operator's check by hand: RESTARTS=20 REQUESTS=10000.
RESTARTS, REQUESTS = (int(os.environ.get(name, default)) for name, default in [("RESTARTS", 3), ("REQUESTS", 500)])
CALLERS = 4


class Supervisor:
    """Holds a listening socket, and starts a service with it."""

    def __init__(self, site):
        self.site, self.process = site, None
        self.socket = socket.create_server(("127.0.0.1", 0), backlog=4096)
        self.port = self.socket.getsockname()[1]
        site.configuration["service"]["listen"] = f"127.0.0.1:{self.port}"
        site.configuration["limits"] = {"person": PLENTY, "machine": PLENTY}
        site.write()
        self.log = site.folder / "supervised.log"

    def start(self, count=1):
        before = self.text().count("The service is listening.")
        # The shell becomes the service, and so knows the process that the sockets are for.
        command = f'LISTEN_PID=$$ LISTEN_FDS={count} exec {BUILD / "tokend"} serve --config tokend.yaml'
        with self.log.open("ab") as log:
            self.process = subprocess.Popen(
                ["/bin/sh", "-c", command], cwd=self.site.folder, stdout=subprocess.DEVNULL, stderr=log,
                close_fds=False, preexec_fn=lambda: [os.dup2(self.socket.fileno(), 3 + index) for index in range(count)],
            )  # fmt: skip
        until(lambda: self.text().count("The service is listening.") > before or self.process.poll() is not None, "a start", 60)

    def stop(self):
        self.process.send_signal(signal.SIGTERM)
        return self.process.wait(60)

    def text(self):
        return self.log.read_text() if self.log.exists() else ""


@pytest.fixture
def supervisor(site):
    supervisor = Supervisor(site)
    yield supervisor
    if supervisor.process and supervisor.process.poll() is None:
        supervisor.process.kill()
        supervisor.process.wait()
    supervisor.socket.close()


def ask(supervisor, connection=None):
    """One request without a retry: its status, or its error; and the connection, where it lasts."""
    connection = connection or http.client.HTTPConnection("127.0.0.1", supervisor.port, timeout=60)
    try:
        connection.request("GET", "/token/driver/v-1", headers={"X-API-Key": supervisor.site.key})
        answer = connection.getresponse()
        body = answer.read()
    except (OSError, http.client.HTTPException) as error:
        return repr(error), None
    if answer.status == 200:
        supervisor.site.secrets.add(json.loads(body)["token"].split(".")[2])
    return answer.status, None if answer.will_close else connection


@pytest.mark.parametrize("keeps", [False, True], ids=["new connections", "kept connections"])
def test_restarts_refuse_nobody(supervisor, keeps):
    supervisor.site.configuration["service"]["drainSeconds"] = 1 if keeps else 0
    supervisor.site.write()
    supervisor.start()
    statuses, done = [], threading.Event()

    def call():
        connection = None
        while not (done.is_set() and len(statuses) >= REQUESTS):
            status, connection = ask(supervisor, connection)
            statuses.append(status)
            if not keeps and connection:
                connection.close()
                connection = None

    threads = [threading.Thread(target=call) for _ in range(CALLERS)]
    for thread in threads:
        thread.start()
    for _ in range(RESTARTS):
        before = len(statuses)
        until(lambda: len(statuses) > before + REQUESTS // RESTARTS // 2, "requests", 60)
        assert supervisor.stop() == 0
        supervisor.start()
    done.set()
    for thread in threads:
        thread.join(120)
    failures = [status for status in statuses if status != 200]
    assert failures == []


def test_socket_of_another_address_is_refused(supervisor):
    """The configuration was checked for the address in it: whether TLS is there, for instance."""
    supervisor.site.configuration["service"]["listen"] = "127.0.0.1:1"
    supervisor.site.write()
    supervisor.start()
    assert supervisor.process.wait(60) != 0
    assert f"passed a socket for 127.0.0.1:{supervisor.port}" in supervisor.text()


def test_descriptor_that_is_no_socket_is_refused(supervisor):
    supervisor.socket.close()
    supervisor.socket = open(os.devnull)  # noqa: SIM115
    supervisor.start()
    assert supervisor.process.wait(60) != 0
    assert "no TCP socket" in supervisor.text()
