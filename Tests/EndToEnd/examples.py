"""The programs in Examples, run as their documentation says; `make examples` builds them and runs this."""

import os
import pathlib
import socket
import subprocess
import time
from concurrent.futures import ThreadPoolExecutor

import pytest

import secrecy
from ports import free_port
from production import until
from wire import exchange

BUILD = pathlib.Path(__file__).parents[2] / ".build"
VEHICLES = 5_000


@pytest.fixture
def backend(start):
    """The backend with Hummingbird, on a free port, beside a service."""
    service = start()
    port = free_port()
    environment = os.environ | {"TOKEN_SERVER": service.url, "PORT": str(port), "LOG_LEVEL": "warning"}
    process = subprocess.Popen([BUILD / "backend/debug/Backend"], env=environment)
    yield service, port
    process.terminate()
    assert process.wait(60) == 0


def put(port, vehicle):
    response = exchange(port, f"/vehicles/{vehicle}/position", method="PUT")
    return response.status, response.body.decode()


def is_open(port):
    with socket.socket() as connection:
        return connection.connect_ex(("127.0.0.1", port)) == 0


def test_backend_has_a_token_for_each_of_5000_vehicles_from_a_cold_start(backend):
    service, port = backend
    until(lambda: is_open(port), "the backend")
    began = time.monotonic()
    with ThreadPoolExecutor(64) as pool:
        responses = list(pool.map(lambda number: put(port, f"vehicle-{number}"), range(1, VEHICLES + 1)))
    print(f"{VEHICLES} vehicles reported in {time.monotonic() - began:.1f} s")
    assert {status for status, _ in responses} == {200}
    assert all(text.startswith("Reported until ") for _, text in responses)
    # A second round takes them from the cache, and so the service signed each once.
    assert put(port, "vehicle-1") == responses[0]
    labels = 'caller="none",kind="driver",reason="none",result="signed"'
    assert f"fleet_token_requests_total{{{labels}}} {VEHICLES}\n" in secrecy.metrics(service.process.admin_port).decode()
