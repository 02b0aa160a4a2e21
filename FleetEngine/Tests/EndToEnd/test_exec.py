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
STATE = {"trips": [{"name": name("trips", "trip-1"), "tripType": "SHARED"}], "vehicles": [], "deliveryVehicles": [], "tasks": []}


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


def test_signal_that_the_command_does_not_handle_ends_both(tmp_path):
    ready = tmp_path / "ready"
    process = subprocess.Popen(command("sh", "-c", f"touch {ready}; sleep 1000 & wait"), start_new_session=True)
    until(ready.exists, "the command", 60)
    process.send_signal(signal.SIGTERM)
    assert process.wait(30) == 128 + signal.SIGTERM
    os.killpg(process.pid, signal.SIGKILL)


class TestFiles:
    def test_seed_is_there_from_the_start_and_after_a_reset(self, tmp_path, tokend, keys):
        seed = tmp_path / "seed.json"
        seed.write_text(json.dumps(STATE))
        program, token = Emulator(tmp_path, "--seed", seed, "--keys", keys), tokend.token("server")
        try:
            assert program.request("GET", "trips/trip-1", token).json()["tripType"] == "SHARED"
            assert program.request("DELETE", "trips/trip-1", token).status_code == 200
            assert program.request("GET", "trips/trip-1", token).status_code == 404
            program.control("POST", "reset")
            assert program.request("GET", "trips/trip-1", token).status_code == 200
        finally:
            program.stop()

    @pytest.mark.parametrize("text, hint", [("{", "JSON"), ('{"trip": []}', "trip"), ('{"trips": [{"nam": ""}]}', "trips[0].nam")])
    def test_seed_that_is_no_state_is_named(self, tmp_path, text, hint):
        seed = tmp_path / "seed.json"
        seed.write_text(text)
        ended = subprocess.run(
            [BUILD / "fleet-engine-emulator", *PORTS, "--seed", seed], capture_output=True, text=True, timeout=60
        )
        assert ended.returncode == 64
        assert hint in ended.stderr and "seed" in ended.stderr
        assert ended.stderr.startswith("Error: ") and ended.stderr.count("\n") == 1
