"""The program: what it refuses, what it prints, and the parity table in the documentation."""

import pathlib
import subprocess

import pytest
import requests

from conftest import BUILD, ROOT
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
