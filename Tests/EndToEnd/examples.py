"""The programs in Examples, run as their documentation says; `make examples` builds them and runs this."""

import json
import os
import pathlib
import socket
import subprocess
import time
from concurrent.futures import ThreadPoolExecutor

import pytest

import secrecy
from deployment import run
from ports import free_port
from production import exchange, until

BUILD = pathlib.Path(__file__).parents[2] / ".build"
EXAMPLES = BUILD / "examples/debug"
VEHICLES = 5_000


def test_simulator_drives_five_vehicles_with_one_fetch_each(start):
    service = start()
    result = run(EXAMPLES / "FleetSimulator", service.url, "2")
    assert (result.returncode, result.stderr) == (0, "")
    *reports, statistics = result.stdout.splitlines()
    for number in range(1, 6):
        assert sum(line.startswith(f"vehicle-{number}: reports with a token that lives until") for line in reports) == 2
    assert len(reports) == 10
    assert statistics == "5 calls were answered from the cache, 5 fetches, 0 of them failed"


def test_simulator_goes_on_while_the_service_is_away(start):
    service = start()
    service.stop()
    result = run(EXAMPLES / "FleetSimulator", service.url, "1")
    assert (result.returncode, result.stderr) == (0, "")
    assert result.stdout.count("; goes on") == 5 and "eyJ" not in result.stdout


def test_follower_goes_on_while_fleet_engine_is_away(start):
    service = start()
    engine = f"127.0.0.1:{free_port()}"
    process = subprocess.Popen(
        ["stdbuf", "-oL", EXAMPLES / "TripFollower", service.url, engine, "demo-fleet", "trip-1"],
        stdout=subprocess.PIPE,
        text=True,
    )
    try:
        lines = [process.stdout.readline() for _ in range(3)]
    finally:
        process.kill()
        process.wait(60)
    assert lines[0] == "Following is active.\n"
    assert all(line.startswith("UNAVAILABLE: ") and "needs action" not in line for line in lines[1:])


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
    answer = exchange(port, f"/vehicles/{vehicle}/position", method="PUT")
    return answer.status, answer.body.decode()


def is_open(port):
    with socket.socket() as connection:
        return connection.connect_ex(("127.0.0.1", port)) == 0


def test_backend_has_a_token_for_each_of_5000_vehicles_from_a_cold_start(backend):
    service, port = backend
    until(lambda: is_open(port), "the backend")
    began = time.monotonic()
    with ThreadPoolExecutor(64) as pool:
        answers = list(pool.map(lambda number: put(port, f"vehicle-{number}"), range(1, VEHICLES + 1)))
    print(f"{VEHICLES} vehicles reported in {time.monotonic() - began:.1f} s")
    assert {status for status, _ in answers} == {200}
    assert all(text.startswith("Reported until ") for _, text in answers)
    # A second round takes them from the cache, and so the service signed each once.
    assert put(port, "vehicle-1") == answers[0]
    signed = f'fleet_token_minted_total{{kind="driver",result="signed"}} {VEHICLES}\n'
    assert signed in secrecy.metrics(service.process.admin_port).decode()


def test_scale_page_has_what_the_simulator_computes(tmp_path):
    docs = BUILD.parent / "docs"
    page = (docs / "scale.md").read_text()
    picture = tmp_path / "scale.svg"
    table = run(EXAMPLES / "FleetSimulator", "plan", docs, picture).stdout
    # After a change of either: `make scale ARGS="--plan-only --publish"`.
    assert f"<!-- begin: plan -->\n{table}<!-- end: plan -->" in page
    assert picture.read_text() == (docs / "images/scale.svg").read_text()
    for row in json.loads((docs / "scale.json").read_text())["rows"]:
        assert f"| {row['what']} | {row['plan']} | {row['run']} |" in page
