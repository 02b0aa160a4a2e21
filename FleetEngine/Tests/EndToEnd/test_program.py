"""The program: what it refuses and what it prints."""

import shutil
import socket
import subprocess

import pytest

from apis import reason
from conftest import BUILD, Emulator


def run(*arguments):
    command = [BUILD / "fleet-engine-emulator", "--port", "0", *arguments]
    return subprocess.run(command, capture_output=True, text=True, timeout=60)


@pytest.mark.parametrize(
    "arguments, hint",
    [
        (["--role", "a@b=king"], "king is not a role. Use consumerSdkUser"),
        (["--role", "king"], "--role"),
        (["--faults", "all"], "lossy"),
        (["--port", "70000"], "65535"),
    ],
)
def test_wrong_setting_is_refused(arguments, hint):
    ended = run(*arguments)
    assert ended.returncode != 0
    assert hint in ended.stderr


def test_port_in_use_is_said_with_the_option_that_changes_it(emulator):
    ended = run("--port", emulator.address.rpartition(":")[2])
    assert ended.returncode != 0
    assert "address already in use" in ended.stderr
    assert "--port" in ended.stderr


@pytest.mark.parametrize("option", ["--keys", "--account", "--seed"])
def test_path_that_does_not_exist_is_an_error(tmp_path, option):
    ended = run(option, tmp_path / "missing")
    assert ended.returncode == 64
    assert str(tmp_path / "missing") in ended.stderr
    assert ended.stderr.count("\n") == 1
    assert "ready" not in ended.stdout


def test_each_key_that_cannot_be_used_is_named_once(tmp_path, keys, tokend):
    folder = tmp_path / "keys"
    shutil.copytree(keys, folder)
    (folder / "a.json").write_text("{}")
    (folder / "b.json").mkdir()
    (folder / "driver.json").unlink()
    program = Emulator(tmp_path, "--keys", folder)
    try:
        assert program.request("GET", "trips/t", tokend.token("driver", "v")).status_code == 401
        shutil.copy(keys / "driver.json", folder)
        assert program.request("GET", "trips/t", tokend.token("driver", "v")).status_code == 403
    finally:
        program.stop()
    log = program.log.read_text()
    assert f"Warning: {folder}/a.json cannot be used: a service account's key file needs client_email" in log
    assert f"Warning: {folder}/b.json cannot be used: " in log
    assert "CocoaError" not in log and log.count("\n") == 2


def test_each_name_of_the_machine_is_accepted(emulator):
    for host in ("host.docker.internal", "emulator.default.svc.cluster.local:9190", "192.0.2.7"):
        assert emulator.request("POST", "/_emulator/reset", headers={"Host": host}).status_code == 200


class TestRest:
    def test_error_domain_is_the_emulators(self, emulator):
        response = emulator.request("GET", "trips/t")
        assert response.json()["error"]["details"][0]["domain"] == "fleet-engine-emulator"

    def test_refused_token_has_a_challenge(self, emulator):
        response = emulator.request("GET", "trips/t", "x")
        assert response.headers["WWW-Authenticate"].startswith("Bearer realm=")

    def test_cors_allows_any_origin(self, emulator):
        origin = {"Origin": "http://localhost:3000"}
        preflight = emulator.request("OPTIONS", "trips/t", headers=origin | {"Access-Control-Request-Headers": "authorization"})
        assert preflight.status_code == 204
        assert preflight.headers["Access-Control-Allow-Headers"] == "authorization"
        response = emulator.request("GET", "trips/t", headers=origin)
        assert response.headers["Access-Control-Allow-Origin"] == "*"

    @pytest.mark.parametrize("name", ["fields", "$fields"])
    def test_selection_of_fields_is_not_ignored(self, emulator, tokend, name):
        response = emulator.request("GET", "trips/t", tokend.token("server"), params={name: "name"})
        assert response.status_code == 501
        assert response.json()["error"]["details"][1]["fieldViolations"][0]["field"] == name

    @pytest.mark.parametrize(
        "path, status", [("/v1/providers/demo-fleet/cars/a", 501), ("/v1", 501), ("/v2/providers/demo-fleet/trips/t", 404)]
    )
    def test_unknown_path(self, emulator, path, status):
        assert emulator.request("GET", path).status_code == status

    @pytest.mark.parametrize(
        "verb, path",
        [
            ("POST", "billableTrips/t:report"), ("POST", "vehicles:searchFuzzed"), ("PUT", "vehicles/v:updateLocation"),
            ("POST", "vehicles/v:updateAttributes"),
        ],
    )
    def test_method_that_is_left_out(self, emulator, tokend, verb, path):
        response = emulator.request(verb, path, tokend.token("server"), json={})
        assert (response.status_code, reason(response)) == (501, "METHOD_UNIMPLEMENTED")

    def test_client_of_grpc_is_told_that_this_is_http_1(self, emulator):
        host, _, port = emulator.address.rpartition(":")
        with socket.create_connection((host, int(port)), 30) as connection:
            connection.sendall(b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + bytes(9))
            assert connection.recv(4096).startswith(b"HTTP/1.1 400")
