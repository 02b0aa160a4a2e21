"""The program in CI: `exec -- CMD`, and resources from and to a file."""

import json
import os
import signal
import subprocess
import sys

import pytest

from conftest import BUILD, Emulator
from fleet import name
from production import until

PORTS = ["--port", "0", "--grpc-port", "0", "--control-port", "0"]
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


def test_emulator_is_ready_and_its_addresses_are_in_the_environment(keys, tokend):
    script = """
import os, urllib.request, urllib.error, socket
rest = os.environ["FLEET_ENGINE_EMULATOR_HOST"]
control = os.environ["FLEET_ENGINE_EMULATOR_CONTROL_HOST"]
host, _, port = os.environ["FLEET_ENGINE_EMULATOR_GRPC_HOST"].rpartition(":")
socket.create_connection((host, int(port))).close()
print(urllib.request.urlopen(f"http://{control}/_emulator/health").status)
request = urllib.request.Request(f"http://{rest}/v1/providers/demo-fleet/trips/t", headers={"Authorization": "Bearer TOKEN"})
try: urllib.request.urlopen(request)
except urllib.error.HTTPError as error: print(error.code)
""".replace("TOKEN", tokend.token("consumer", "t"))
    ended = run(sys.executable, "-c", script, options=["--keys", keys])
    # With its keys read, the trip is missing; without, the token would be refused.
    assert ended.stdout.split() == ["200", "404"], ended.stderr


def test_busy_port_ends_before_the_command_begins(emulator, tmp_path):
    made = tmp_path / "made"
    arguments = [BUILD / "fleet-engine-emulator", "exec", "--port", emulator.rest.rpartition(":")[2], "--", "touch", made]
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
    def test_seed_is_there_from_the_start_and_after_a_reset(self, tmp_path):
        seed = tmp_path / "seed.json"
        seed.write_text(json.dumps(STATE))
        program = Emulator(tmp_path, "--seed", seed)
        try:
            assert program.control("GET", "state") == STATE
            program.control("PUT", "state", {"trips": []})
            assert program.control("GET", "state")["trips"] == []
            program.control("POST", "reset")
            assert program.control("GET", "state") == STATE
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

    @pytest.mark.parametrize("reason", [signal.SIGTERM, signal.SIGINT])
    def test_resources_are_written_at_the_end(self, tmp_path, reason):
        file = tmp_path / "state.json"
        program = Emulator(tmp_path, "--export-on-exit", file)
        program.control("PUT", "state", STATE)
        assert not file.exists()
        program.process.send_signal(reason)
        assert program.process.wait(30) == 0
        assert json.loads(file.read_text()) == STATE

    def test_exec_writes_what_the_command_left_and_begins_with_it_again(self, tmp_path):
        file = tmp_path / "state.json"
        put = (
            "import json, os, urllib.request as u;"
            "url = 'http://' + os.environ['FLEET_ENGINE_EMULATOR_CONTROL_HOST'] + '/_emulator/state';"
        )
        left = put + f"u.urlopen(u.Request(url, json.dumps({STATE!r}).encode(), method='PUT')); raise SystemExit(5)"
        assert run(sys.executable, "-c", left, options=["--export-on-exit", file]).returncode == 5
        again = run(sys.executable, "-c", put + "print(u.urlopen(url).read().decode())", options=["--seed", file])
        assert json.loads(again.stdout) == STATE

    def test_folder_that_is_missing_is_an_error_before_the_command_runs(self, tmp_path):
        ended = run("touch", tmp_path / "made", options=["--export-on-exit", tmp_path / "missing" / "state.json"])
        assert ended.returncode == 64
        folder = tmp_path / "missing"
        assert ended.stderr == f"Error: --export-on-exit needs a folder that exists and can be written: {folder}.\n"
        assert not (tmp_path / "made").exists()

    def test_file_that_cannot_be_written_is_named(self, tmp_path):
        (tmp_path / "state.json").mkdir()
        ended = run("true", options=["--export-on-exit", tmp_path / "state.json"])
        assert ended.returncode == 1
        assert ended.stderr == f"Error: The resources cannot be written to {tmp_path / 'state.json'}.\n"
