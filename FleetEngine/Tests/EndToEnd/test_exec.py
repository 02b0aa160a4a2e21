"""The program in CI: `exec -- CMD`, and resources from a file."""

import json
import os
import signal
import subprocess
import sys

import pytest

from conftest import BUILD, Emulator
from fleet import name
from production import until

PORTS = ["--port", "0"]
HERE, PICKUP, DROPOFF = ({"latitude": 25.046 + number / 100, "longitude": 121.515} for number in range(3))
VEHICLE = {"supportedTripTypes": ["EXCLUSIVE"], "maximumCapacity": 4, "vehicleType": {"category": "AUTO"}}
TRIP = {"tripType": "EXCLUSIVE", "pickupPoint": {"point": PICKUP}, "dropoffPoint": {"point": DROPOFF}}
TASK = {"type": "DELIVERY", "state": "CLOSED", "trackingId": "p", "plannedLocation": {"point": PICKUP}, "taskDuration": "60s"}
SEED = {
    "trips": [TRIP | {"name": name("trips", "trip-1"), "vehicleId": "vehicle-1", "tripStatus": "ENROUTE_TO_PICKUP"}],
    "vehicles": [
        VEHICLE | {"name": name("vehicles", id), "vehicleState": "ONLINE", "lastLocation": {"location": HERE}}
        for id in ("vehicle-1", "vehicle-2")
    ],
    "tasks": [TASK | {"name": name("tasks", "done")}, TASK | {"name": name("tasks", "open"), "state": "OPEN"}],
    "deliveryVehicles": [
        {
            "name": name("deliveryVehicles", "van-1"), "navigationStatus": "ENROUTE_TO_DESTINATION",
            "remainingVehicleJourneySegments": [{"stop": {"plannedLocation": {"point": PICKUP}, "tasks": [{"taskId": "open"}]}}],
        },
    ],
}


def command(*arguments, options=()):
    return [BUILD / "fleet-engine-emulator", "exec", *PORTS, *options, "--", *arguments]


def run(*arguments, options=(), **settings):
    return subprocess.run(command(*arguments, options=options), capture_output=True, text=True, timeout=60, **settings)


@pytest.mark.parametrize("script, status", [("exit 0", 0), ("exit 1", 1), ("exit 255", 255), ("kill -9 $$", 128 + 9)])
def test_status_is_the_commands(script, status):
    assert run("sh", "-c", script).returncode == status


def test_command_that_does_not_exist_is_named():
    ended = run("no-such-command")
    assert ended.returncode == 127
    assert "no-such-command" in ended.stderr


def test_arguments_input_and_output_are_the_commands_own():
    ended = run("cat", "-", input="from the terminal")
    assert (ended.stdout, ended.stderr) == ("from the terminal", "")
    assert run("printf", "%s|", "--port", "a b", "$HOME").stdout == "--port|a b|$HOME|"


def test_emulator_is_ready_and_its_address_is_in_the_environment(keys, tokend):
    script = """
import os, urllib.request, urllib.error
rest = os.environ["FLEET_ENGINE_EMULATOR_HOST"]
request = urllib.request.Request(f"http://{rest}/v1/providers/demo-fleet/trips/t", headers={"Authorization": "Bearer TOKEN"})
try: urllib.request.urlopen(request)
except urllib.error.HTTPError as error: print(error.code)
""".replace("TOKEN", tokend.token("consumer", "t"))
    ended = run(sys.executable, "-c", script, options=["--keys", keys])
    # With its keys read, the trip is missing; without, the token would be refused.
    assert ended.stdout.split() == ["404"], ended.stderr


def test_busy_port_ends_before_the_command_begins(emulator, tmp_path):
    made = tmp_path / "made"
    arguments = [BUILD / "fleet-engine-emulator", "exec", "--port", emulator.address.rpartition(":")[2], "--", "touch", made]
    ended = subprocess.run(arguments, capture_output=True, text=True, timeout=60)
    assert ended.returncode not in (0, 127)
    assert "--port" in ended.stderr
    assert not made.exists()


@pytest.mark.parametrize("reason", [signal.SIGTERM, signal.SIGINT, signal.SIGHUP, signal.SIGUSR1])
def test_signal_reaches_the_command_which_decides(tmp_path, reason):
    ready, got = tmp_path / "ready", tmp_path / "got"
    script = (
        "import pathlib, signal, sys, time\n"
        f"def end(number, frame): pathlib.Path({str(got)!r}).write_text(str(number)); sys.exit(42)\n"
        f"signal.signal({int(reason)}, end)\n"
        f"pathlib.Path({str(ready)!r}).touch()\n"
        "while True: time.sleep(0.05)\n"
    )
    process = subprocess.Popen(command(sys.executable, "-c", script))
    until(ready.exists, "the command", 60)
    process.send_signal(reason)
    assert process.wait(30) == 42
    assert got.read_text() == str(int(reason))


def test_signal_right_after_the_start_reaches_the_command():
    # The command sends it to the emulator, which may not yet have noted that the command runs.
    script = 'trap "exit 42" TERM; kill -TERM $PPID; for _ in $(seq 100); do sleep 0.1; done'
    assert [run("sh", "-c", script).returncode for _ in range(40)] == [42] * 40


def test_signal_that_the_command_does_not_handle_ends_both(tmp_path):
    ready = tmp_path / "ready"
    process = subprocess.Popen(command("sh", "-c", f"touch {ready}; sleep 1000 & wait"), start_new_session=True)
    until(ready.exists, "the command", 60)
    process.send_signal(signal.SIGTERM)
    assert process.wait(30) == 128 + signal.SIGTERM
    os.killpg(process.pid, signal.SIGKILL)


class TestSeed:
    @pytest.fixture
    def program(self, tmp_path, keys):
        seed = tmp_path / "seed.json"
        seed.write_text(json.dumps(SEED))
        program = Emulator(tmp_path, "--seed", seed, "--keys", keys)
        yield program
        program.stop()

    def test_seed_is_there_from_the_start_and_after_a_reset(self, program, tokend):
        token = tokend.token("server")
        for _ in range(2):
            assert program.request("GET", "trips/trip-1", token).json()["tripStatus"] == "ENROUTE_TO_PICKUP"
            canceled = program.request("PUT", "trips/trip-1?updateMask=tripStatus", token, json={"tripStatus": "CANCELED"})
            assert canceled.status_code == 200
            assert program.request("DELETE", "trips/trip-1", token).status_code == 200
            assert program.request("GET", "trips/trip-1", token).status_code == 404
            program.control("POST", "reset")

    def test_resources_are_those_that_the_methods_create(self, program, tokend):
        token, delivery_token = tokend.token("server"), tokend.token("delivery_server")
        trip = program.request("GET", "trips/trip-1", token).json()
        assert len(trip["remainingWaypoints"]) == 2 and trip["route"] and trip["etaToFirstWaypoint"]
        assert program.request("GET", "vehicles/vehicle-1", token).json()["currentTrips"] == ["trip-1"]
        assert program.request("DELETE", "vehicles/vehicle-1", token).status_code == 400
        query = "vehicles?vehicleTypeCategories=AUTO&maximumStaleness=300s"
        assert len(program.request("GET", query, token).json()["vehicles"]) == 2
        tasks = program.request("GET", "tasks", delivery_token).json()["tasks"]
        assert [(task["state"], task.get("deliveryVehicleId")) for task in tasks] == [("CLOSED", None), ("OPEN", "van-1")]
        van = program.request("GET", "deliveryVehicles/van-1", delivery_token).json()
        assert van["navigationStatus"] == "ENROUTE_TO_DESTINATION"

    @pytest.mark.parametrize(
        "text, hint",
        [
            ("{", "JSON"),
            ('{"trip": []}', "trip"),
            ('{"trips": [{"nam": ""}]}', "trips[0].nam"),
            ('{"trips": [{"name": "trip-1"}]}', "providers/{provider_id}/trips/{trip_id}"),
            ('{"trips": [{}]}', "trips[0]: The name is not of the form"),
            (json.dumps({"trips": SEED["trips"]}), "vehicles/vehicle-1 was not found"),
            (json.dumps({"vehicles": [{"name": name("vehicles", "v")}]}), "vehicles/v: vehicle.vehicle_state"),
        ],
    )
    def test_seed_that_is_refused_is_named(self, tmp_path, text, hint):
        seed = tmp_path / "seed.json"
        seed.write_text(text)
        arguments = [BUILD / "fleet-engine-emulator", *PORTS, "--seed", seed]
        ended = subprocess.run(arguments, capture_output=True, text=True, timeout=60)
        assert ended.returncode == 64
        assert hint in ended.stderr and str(seed) in ended.stderr
        assert ended.stderr.startswith("Error: ") and ended.stderr.count("\n") == 1
