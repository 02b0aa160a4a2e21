"""make demo: a trip on a healthy engine, and a parcel whose recipient and driver recover from faults without help."""

import os
import re
import signal
import subprocess
from concurrent.futures import ThreadPoolExecutor

import pytest

from conftest import BUILD, ROOT, TOKENS_BUILD
from production import until

ENVIRONMENT = os.environ | {"FLEET_TOKEN_BUILD": str(TOKENS_BUILD), "FLEET_ENGINE_EMULATOR_BUILD": str(BUILD)}


def demo(*arguments):
    return subprocess.run([ROOT / "FleetEngine/demo.sh", *arguments], env=ENVIRONMENT, capture_output=True, text=True, timeout=300)


RUNS = {"trip": [], "parcel": ["--delivery", "--faults", "flaky"]}


@pytest.fixture(scope="module")
def runs():
    """Both runs of the demo at once: they mostly wait."""
    with ThreadPoolExecutor(len(RUNS)) as pool:
        return dict(zip(RUNS, pool.map(lambda arguments: demo(*arguments), RUNS.values())))


def errors(output, who):
    return re.findall(rf"^ *[\d.]+ s  {who} .*?\b([A-Z_]{{5,}}): ", output, re.MULTILINE)


def number(output, pattern):
    found = re.search(pattern, output)
    return int(found.group(1)) if found else 0


def test_trip_is_followed_to_its_end(runs):
    run = runs["trip"]
    output = run.stdout
    assert run.returncode == 0, output + run.stderr
    statuses = re.findall(r"the trip is (\w+)", output)
    assert statuses == ["new", "enrouteToPickup", "arrivedAtPickup", "enrouteToDropoff", "complete"]
    assert "ended the shift: vehicle-1 is offline" in output
    assert "eyJ" not in output + run.stderr
    assert errors(output, "rider") + errors(output, "driver") == []
    # Wrong tokens are refused with the documented error.
    refused = re.findall(r"refused +(.*): (\d+) (\w+): .* \[(\w+)\]", output)
    assert refused == [
        ("a rider reads another's trip", "403", "PERMISSION_DENIED", "CLAIM_MISMATCH"),
        ("a rider cancels the trip", "403", "PERMISSION_DENIED", "ROLE_FORBIDS"),
        ("a driver reads another's vehicle", "403", "PERMISSION_DENIED", "CLAIM_MISMATCH"),
    ]
    # Tokens are reused.
    assert number(output, r"tokens: (\d+) minted") == 3
    assert number(output, r"minted, (\d+) reused") > 20


def test_parcel_is_followed_through_faults_until_it_is_delivered(runs):
    run = runs["parcel"]
    assert run.returncode == 0, run.stdout + run.stderr
    assert "the parcel is closed, delivery succeeded" in run.stdout
    assert re.findall(r"refused .*\[(\w+)\]", run.stdout) == ["CLAIM_MISMATCH", "ROLE_FORBIDS"]
    assert number(run.stdout, r"tokens: (\d+) minted") == 3
    assert number(run.stdout, r"updates: (\d+) accepted") > 5
    # No errors are seen but those that are injected.
    recipients, drivers = errors(run.stdout, "recipient"), errors(run.stdout, "driver")
    assert set(recipients + drivers) <= {"UNAVAILABLE"}
    # Each failed update was reported to the listener.
    failed, empty = number(run.stdout, r"accepted, (\d+) failed"), number(run.stdout, r"failed, (\d+) without a field")
    assert len(drivers) == failed + empty


@pytest.mark.parametrize(("arguments", "status"), [(["--help"], 0), (["--fast"], 64), (["--faults", "unheard-of"], 1)])
def test_help_and_wrong_arguments_drive_nothing(arguments, status):
    run = demo(*arguments)
    assert run.returncode == status, run.stdout + run.stderr
    assert "created" not in run.stdout


@pytest.mark.parametrize("reason", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_signal_ends_the_demo_and_all_that_it_started(tmp_path, reason):
    """A signal to the script alone, as from `make`."""
    output = tmp_path / "output"
    with output.open("wb") as stdout:
        running = subprocess.Popen(
            [ROOT / "FleetEngine/demo.sh"], env=ENVIRONMENT | {"TMPDIR": str(tmp_path)}, stdout=stdout, stderr=subprocess.STDOUT,
            start_new_session=True,
            # A shell cannot handle a signal that was ignored when it began, as SIGHUP is below nohup.
            preexec_fn=lambda: signal.signal(reason, signal.SIG_DFL),
        )  # fmt: skip
    until(lambda: "enrouteToPickup" in output.read_text() or running.poll() is not None, "the demo", 120)
    names = subprocess.run(["ps", "-o", "comm=", "-g", str(running.pid)], capture_output=True, text=True).stdout.split()
    assert len(names) == 4, names
    running.send_signal(reason)
    assert running.wait(60) == 128 + reason
    assert subprocess.run(["ps", "-g", str(running.pid)], capture_output=True).returncode == 1
    assert list(tmp_path.iterdir()) == [output]
