"""The program: what it refuses and what it prints."""

import shutil
import socket
import subprocess

import pytest
import requests

from conftest import BUILD, Emulator
from kinds import NAMES, ROLES


def run(*arguments):
    command = [BUILD / "fleet-engine-emulator", "--port", "0", *arguments]
    return subprocess.run(command, capture_output=True, text=True, timeout=60)


@pytest.mark.parametrize(
    "arguments, hint",
    [
        (["--host", "0.0.0.0"], "--allow-other-machines"),
        (["--host", "192.0.2.1"], "loopback"),
        (["--role", "a@b=king"], "king"),
        (["--role", "king"], "--role"),
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


def test_each_key_that_cannot_be_read_is_named(tmp_path, keys, tokend):
    folder = tmp_path / "keys"
    shutil.copytree(keys, folder)
    (folder / "a.json").write_text("{}")
    program = Emulator(tmp_path, "--keys", folder)
    try:
        for kind, role in ROLES.items():
            assert kind in NAMES and role
        assert program.request("GET", "trips/t", tokend.token("driver", "v")).status_code == 403
    finally:
        program.stop()
    log = program.log.read_text()
    assert f"{folder}/a.json" in log
    assert "fleet-engine-emulator" in log and "tokend" not in log.replace(str(folder), "")


@pytest.mark.parametrize(
    "host, status",
    [
        ("localhost:1", 200), ("emulator:9192", 200), ("192.0.2.7:9192", 200), ("[2001:db8::1]:9192", 200),
        ("evil.example", 403), ("1.2.3.evil.example", 403), ("192.0.2.7.evil", 403),
    ],
)
def test_hosts_for_other_machines_are_named(for_others, host, status):
    for verb, path in (("POST", "_emulator/reset"), ("GET", "page/configuration.json")):
        url = f"http://{for_others.address}/{path}"
        assert requests.request(verb, url, headers={"Host": host}, timeout=30).status_code == status
        answer = requests.request(verb, url, headers={"Origin": f"http://{host}"}, timeout=30)
        assert answer.status_code == status
        assert ("Access-Control-Allow-Origin" in answer.headers) is (status == 200)


@pytest.fixture(scope="module")
def for_others(tmp_path_factory):
    folder = tmp_path_factory.mktemp("others")
    program = Emulator(folder, "--allow-other-machines")
    yield program
    program.stop()


class TestRest:
    def test_answer_says_that_it_is_no_google(self, emulator):
        answer = emulator.request("GET", "trips/t")
        assert answer.headers["X-Fleet-Engine-Emulator"]
        assert answer.json()["error"]["details"][0]["domain"] == "fleet-engine-emulator"

    def test_refused_token_has_a_challenge(self, emulator):
        answer = emulator.request("GET", "trips/t", "x")
        assert answer.headers["WWW-Authenticate"].startswith("Bearer realm=")

    def test_page_of_another_origin_may_ask(self, emulator):
        origin = {"Origin": "http://localhost:3000"}
        asked = emulator.request("OPTIONS", "trips/t", headers=origin | {"Access-Control-Request-Headers": "authorization"})
        assert asked.status_code == 204
        assert asked.headers["Access-Control-Allow-Headers"] == "authorization"
        answer = emulator.request("GET", "trips/t", headers=origin)
        assert answer.headers["Access-Control-Allow-Origin"] == origin["Origin"]

    @pytest.mark.parametrize("origin", ["http://example.com", "https://localhost.example.com", "null"])
    def test_page_of_a_foreign_origin_may_not(self, emulator, origin):
        for verb, status in (("OPTIONS", 204), ("GET", 403)):
            answer = emulator.request(verb, "trips/t", headers={"Origin": origin})
            assert answer.status_code == status
            assert "Access-Control-Allow-Origin" not in answer.headers
        assert emulator.last_rule == "ORIGIN_FOREIGN"

    @pytest.mark.parametrize(
        "body, field",
        [
            ("{", None),
            ("[]", None),
            ('{"numberOfPassengers": 1, "numberOfPassengers": 2}', None),
            ('{"nonsense": 1}', "nonsense"),
            ('{"tripType": 7.5}', "tripType"),
            ('{"pickupPoint": 1}', "pickupPoint"),
            ('{"pickupPoint": {"point": {"latitude": "north"}}}', "pickupPoint.point.latitude"),
            ('{"intermediateDestinations": [{"point": {}}, {"punkt": {}}]}', "intermediateDestinations[1].punkt"),
            ('{"tripStatus": "NEARLY_THERE"}', "tripStatus"),
        ],
    )
    def test_body_that_is_no_trip(self, emulator, tokend, body, field):
        answer = emulator.request("POST", "trips?tripId=t", tokend.token("server"), data=body)
        assert answer.status_code == 400
        error = answer.json()["error"]
        assert error["details"][0]["reason"] == "BODY_MALFORMED"
        if field:
            assert error["details"][1]["fieldViolations"][0]["field"] == field
            assert error["message"].startswith(f"{field} ")

    @pytest.mark.parametrize("name", ["fields", "$fields"])
    def test_selection_of_fields_is_not_ignored(self, emulator, tokend, name):
        answer = emulator.request("GET", "trips/t", tokend.token("server"), params={name: "name"})
        assert answer.status_code == 501
        assert answer.json()["error"]["details"][1]["fieldViolations"][0]["field"] == name

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
        answer = emulator.request(verb, path, tokend.token("server"), json={})
        assert (answer.status_code, emulator.last_rule) == (501, "METHOD_UNIMPLEMENTED")

    def test_client_of_grpc_is_told_that_this_is_http_1(self, emulator):
        host, _, port = emulator.address.rpartition(":")
        with socket.create_connection((host, int(port)), 30) as connection:
            connection.sendall(b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + bytes(9))
            assert connection.recv(4096).startswith(b"HTTP/1.1 400")

    def test_masks_in_both_spellings(self, emulator, tokend):
        token = tokend.token("server")
        trip = {"tripType": "SHARED", "pickupPoint": {"point": {"latitude": 1, "longitude": 2}}}
        assert emulator.request("POST", "trips?tripId=t", token, json=trip).status_code == 200
        for mask, status in (("tripStatus", "ENROUTE_TO_PICKUP"), ("trip_status", "ARRIVED_AT_PICKUP")):
            answer = emulator.request("PUT", f"trips/t?updateMask={mask}", token, json={"tripStatus": status})
            assert answer.json()["tripStatus"] == status
