"""The program: what it refuses, what it prints, and the parity table in the documentation."""

import pathlib
import shutil
import subprocess

import pytest
import requests

from conftest import BUILD, ROOT, Emulator
from fleet import name


def run(*arguments):
    command = [BUILD / "fleet-engine-emulator", "--port", "0", "--grpc-port", "0", "--control-port", "0", *arguments]
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


def test_port_in_use_is_said(emulator):
    ended = run("--port", emulator.rest.rpartition(":")[2])
    assert ended.returncode != 0
    assert "in use" in ended.stderr


def test_each_key_that_cannot_be_read_is_named(tmp_path, keys, tokend):
    folder = tmp_path / "keys"
    shutil.copytree(keys, folder)
    (folder / "a.json").write_text("{}")
    program = Emulator(tmp_path, "--keys", folder, "--keys", tmp_path / "missing")
    try:
        accounts = program.control("GET", "keys")["accounts"]
        assert accounts["driver@development.invalid"]["keyIds"]
    finally:
        program.stop()
    log = program.log.read_text()
    assert f"{folder}/a.json" in log
    assert "missing" in log


def test_parity_table_is_current():
    printed = subprocess.run([BUILD / "fleet-engine-emulator", "--parity"], capture_output=True, text=True, check=True)
    document = pathlib.Path(ROOT / "docs" / "emulator-parity.md").read_text()
    assert document == printed.stdout, "run: fleet-engine-emulator --parity > docs/emulator-parity.md"


def test_control_plane_lists_the_same(emulator):
    table = emulator.control("GET", "parity")
    assert len(table["Methods"]) == 27
    for section in table.values():
        assert all(entry["basis"] in ("documented", "recorded", "inferred") for entry in section)
        assert all(entry["source"] for entry in section if entry["basis"] == "documented")


def test_emulator_runs_in_the_process_of_a_test(tokend, keys):
    command = [BUILD / "InProcess", keys, tokend.url]
    ended = subprocess.run(command, capture_output=True, text=True, timeout=120)
    assert (ended.returncode, ended.stderr) == (0, "")
    assert ended.stdout.splitlines() == [
        "run 1: NOT_FOUND",
        "run 2: NOT_FOUND",
        "the body's error: true",
        "a port in use: true",
        "canceled: true",
    ]


class TestRest:
    """What only plain HTTP shows."""

    def test_answer_says_that_it_is_no_google(self, emulator):
        answer = requests.get(f"http://{emulator.rest}/v1/{name('trips', 't')}", timeout=30)
        assert answer.headers["X-Fleet-Engine-Emulator"]
        assert answer.json()["error"]["details"][0]["domain"] == "fleet-engine-emulator"

    def test_refused_token_has_a_challenge(self, emulator):
        url = f"http://{emulator.rest}/v1/{name('trips', 't')}"
        answer = requests.get(url, headers={"Authorization": "Bearer x"}, timeout=30)
        assert answer.headers["WWW-Authenticate"].startswith("Bearer realm=")

    def test_page_of_another_origin_may_ask(self, emulator):
        url = f"http://{emulator.rest}/v1/{name('trips', 't')}"
        origin = {"Origin": "http://localhost:3000"}
        asked = requests.options(url, headers=origin | {"Access-Control-Request-Headers": "authorization"}, timeout=30)
        assert asked.status_code == 204
        assert asked.headers["Access-Control-Allow-Headers"] == "authorization"
        answer = requests.get(url, headers=origin, timeout=30)
        assert answer.headers["Access-Control-Allow-Origin"] == origin["Origin"]

    @pytest.mark.parametrize("body", ["{", "[]", '{"nonsense": 1}', '{"tripType": 7.5}', '{"pickupPoint": 1}'])
    def test_body_that_is_no_trip(self, emulator, tokend, body):
        url = f"http://{emulator.rest}/v1/providers/demo-fleet/trips?tripId=t"
        headers = {"Authorization": f"Bearer {tokend.token('server')}"}
        answer = requests.post(url, data=body, headers=headers, timeout=30)
        assert answer.status_code == 400
        assert answer.json()["error"]["details"][0]["reason"] == "BODY_MALFORMED"

    @pytest.mark.parametrize("path", ["v1/providers/demo-fleet/cars/a", "v2/providers/demo-fleet/trips/t", "v1"])
    def test_unknown_path(self, emulator, path):
        assert requests.get(f"http://{emulator.rest}/{path}", timeout=30).status_code == 404

    def test_masks_in_both_spellings(self, emulator, tokend):
        url = f"http://{emulator.rest}/v1/providers/demo-fleet/trips"
        headers = {"Authorization": f"Bearer {tokend.token('server')}"}
        trip = {"tripType": "SHARED", "pickupPoint": {"point": {"latitude": 1, "longitude": 2}}}
        assert requests.post(f"{url}?tripId=t", json=trip, headers=headers, timeout=30).status_code == 200
        for mask in ("numberOfPassengers", "number_of_passengers"):
            update = {"numberOfPassengers": len(mask)}
            answer = requests.put(f"{url}/t?updateMask={mask}", json=update, headers=headers, timeout=30)
            assert answer.json()["numberOfPassengers"] == len(mask)


class TestMethodsThatGooglesLibraryHasNot:
    """Over REST, with the names of the API's published descriptions."""

    POINT = {"latitude": 25.0478, "longitude": 121.517}

    @pytest.fixture
    def call(self, emulator, tokend):
        headers = {"Authorization": f"Bearer {tokend.token('server')}"}

        def call(verb, path, body, status=200):
            url = f"http://{emulator.rest}/v1/providers/demo-fleet/{path}"
            answer = requests.request(verb, url, json=body, headers=headers, timeout=30)
            assert answer.status_code == status, answer.text
            return answer.json()

        vehicle = {
            "vehicleState": "OFFLINE", "supportedTripTypes": ["EXCLUSIVE"], "maximumCapacity": 4,
            "vehicleType": {"category": "AUTO"},
        }
        call("POST", "vehicles?vehicleId=vehicle-1", vehicle)
        return call

    def test_location_alone_is_updated(self, call, emulator):
        place = {"location": self.POINT, "updateTime": "2026-11-20T21:52:31Z"}
        path = "vehicles/vehicle-1:updateLocation"
        call("PUT", path, {"currentLocation": {"location": self.POINT}}, status=400)
        assert emulator.last_rule == "FIELD_MISSING"
        location = call("PUT", path, {"currentLocation": place})
        assert location["location"] == self.POINT and location["serverTime"]
        assert call("GET", "vehicles/vehicle-1", None)["vehicleState"] == "OFFLINE"
        call("PUT", path, {"currentLocation": place, "currentState": "ONLINE"})
        vehicle = call("GET", "vehicles/vehicle-1", None)
        assert (vehicle["vehicleState"], vehicle["lastLocation"]["location"]) == ("ONLINE", self.POINT)

    def test_fuzzed_search_finds_what_the_other_does(self, call):
        place = {"location": self.POINT, "updateTime": "2026-11-20T21:52:31Z"}
        call("PUT", "vehicles/vehicle-1:updateLocation", {"currentLocation": place, "currentState": "ONLINE"})
        search = {
            "pickupPoint": {"point": self.POINT}, "pickupRadiusMeters": 5000, "count": 10, "minimumCapacity": 1,
            "tripTypes": ["EXCLUSIVE"], "vehicleTypes": [{"category": "AUTO"}], "orderBy": "PICKUP_POINT_DISTANCE",
        }
        found, fuzzed = (call("POST", f"vehicles:{method}", search)["matches"] for method in ("search", "searchFuzzed"))
        assert [match["vehicle"]["name"] for match in fuzzed] == [match["vehicle"]["name"] for match in found]
        assert len(found) == 1
