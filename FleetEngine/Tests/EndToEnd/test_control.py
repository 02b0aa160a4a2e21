"""The control plane: what tests do to the emulator."""

import socket
import time

import pytest
import requests
from google.api_core.exceptions import BadRequest, GoogleAPICallError, TooManyRequests

from conftest import Emulator, Tokend
from fleet import create_task, create_trip, create_vehicle, name, update_vehicle


def now(emulator):
    return emulator.control("POST", "clock:advance", {"seconds": 0})["now"]


def test_reset_forgets_everything(emulator, server):
    create_trip(server)
    emulator.control("PUT", "faults", {"profile": "outage"})
    emulator.control("POST", "clock:advance", {"seconds": 1000})
    emulator.control("POST", "reset")
    assert server.search_trips(parent="providers/demo-fleet").trips == []
    assert abs(now(emulator) - time.time()) < 100


def failures(client, count):
    failed = []
    for number in range(count):
        try:
            client.get_vehicle(name=name("vehicles", "vehicle-1"))
        except GoogleAPICallError:
            failed.append(number)
    return failed


def test_same_seed_same_faults(emulator, server):
    create_vehicle(server)
    # An error that Google's libraries don't retry by themselves.
    fault = {"error": {"code": "INTERNAL"}, "probability": 0.3}
    results = []
    for seed in (1, 1, 2):
        emulator.control("PUT", "faults", {"seed": seed, "faults": [fault]})
        results.append(failures(server, 40))
    assert results[0] == results[1] != results[2]
    assert 4 <= len(results[0]) <= 22


@pytest.mark.parametrize(
    "code, status, error",
    [
        ("RESOURCE_EXHAUSTED", 429, TooManyRequests),
        ("ABORTED", 409, GoogleAPICallError),
        ("DEADLINE_EXCEEDED", 504, GoogleAPICallError),
        ("UNAUTHENTICATED", 401, GoogleAPICallError),
    ],
)
def test_error_has_its_type_in_googles_library(emulator, server, code, status, error):
    emulator.control("PUT", "faults", {"faults": [{"methods": ["CreateTrip"], "error": {"code": code}}]})
    with pytest.raises(error) as failure:
        create_trip(server)
    assert failure.value.code == status


def test_googles_library_tries_again_when_the_service_is_unavailable(emulator, delivery_server):
    create_task(delivery_server)
    emulator.control("PUT", "faults", {"faults": [{"error": {"code": "UNAVAILABLE"}, "times": 1}]})
    assert delivery_server.get_task(name=name("tasks", "task-1")).state.name == "OPEN"


def test_fault_for_some_requests(emulator, server):
    create_vehicle(server)
    fault = {"error": {"code": "INTERNAL"}, "methods": ["GetVehicle"], "times": 2}
    emulator.control("PUT", "faults", {"faults": [fault | {"resource": "providers/demo-fleet/vehicles/"}]})
    assert failures(server, 5) == [0, 1]


def test_retry_is_named(emulator, tokend):
    error = {"code": "RESOURCE_EXHAUSTED", "retryAfterSeconds": 2}
    emulator.control("PUT", "faults", {"faults": [{"error": error}]})
    answer = emulator.request("GET", "trips/t")
    assert (answer.status_code, answer.headers["Retry-After"]) == (429, "2")
    assert {detail["@type"].rpartition(".")[2] for detail in answer.json()["error"]["details"]} == {"ErrorInfo", "RetryInfo"}


def test_first_update_fails_for_an_empty_mask(emulator, server):
    create_vehicle(server)
    emulator.control("PUT", "faults", {"profile": "first-updates"})
    with pytest.raises(BadRequest, match="update_mask cannot be empty"):
        update_vehicle(server, vehicle_state="ONLINE")
    assert update_vehicle(server, vehicle_state="ONLINE").vehicle_state.name == "ONLINE"


@pytest.mark.parametrize("effect", ["reset", "truncate"])
def test_broken_answer(emulator, tokend, effect):
    token = tokend.token("server")
    emulator.control("PUT", "faults", {"faults": [{effect: True, "times": 1}]})
    with pytest.raises(requests.exceptions.RequestException):
        emulator.request("POST", "trips:search", token, json={})
    assert emulator.request("POST", "trips:search", token, json={}).status_code == 200


def test_latency(emulator):
    # A time that no request of a test takes: it ends before.
    emulator.control("PUT", "faults", {"faults": [{"latencyMilliseconds": 100_000}]})
    with pytest.raises(requests.exceptions.ReadTimeout):
        emulator.request("GET", "trips/t", timeout=0.5)


@pytest.mark.parametrize(
    "verb, path, body, field",
    [
        ("GET", "nothing", None, None),
        ("PUT", "faults", {}, "faults"),
        ("PUT", "faults", {"profil": "flaky"}, "profil"),
        ("PUT", "faults", {"profile": "nothing"}, "profile"),
        ("PUT", "faults", {"faults": [], "seed": "1"}, "seed"),
        ("PUT", "faults", {"faults": [{}]}, "faults[0]"),
        ("PUT", "faults", {"faults": [{"reset": True, "truncate": True}]}, "faults[0]"),
        ("PUT", "faults", {"faults": [{"reset": True, "time": 1}]}, "faults[0].time"),
        ("PUT", "faults", {"faults": [{"reset": True, "probability": 30}]}, "faults[0].probability"),
        ("PUT", "faults", {"faults": [{"reset": True}, {"error": {"code": "GONE"}}]}, "faults[1].error.code"),
        ("PUT", "faults", {"faults": [{"latencyMilliseconds": {"min": 5}}]}, "faults[0].latencyMilliseconds.min"),
        ("POST", "clock:advance", {}, "seconds"),
        ("POST", "clock:advance", {"seconds": "soon"}, "seconds"),
        ("POST", "clock:advance", {"second": 5}, "second"),
    ],
)
def test_mistake_is_named_and_changes_nothing(emulator, verb, path, body, field):
    emulator.control("PUT", "faults", {"profile": "outage"})
    before = now(emulator)
    error = emulator.control(verb, path, body, status=404 if path == "nothing" else 400)["error"]
    assert error["message"]
    if field:
        assert error["details"][1]["fieldViolations"][0]["field"] == field
    assert emulator.request("GET", "trips/t").status_code == 503
    assert now(emulator) - before < 100


@pytest.mark.parametrize("body", [b"", b"{", b"[]", b'{"faults": [], "faults": []}', b'{"faults": []} {}', b'{"seed": 01}'])
def test_body_that_is_no_json_object_is_refused(emulator, body):
    answer = requests.put(f"http://{emulator.address}/_emulator/faults", data=body, timeout=30)
    assert answer.status_code == 400
    assert answer.json()["error"]["message"].startswith("The body is not")


def test_large_body_is_said_to_be_large(emulator, tokend):
    answer = emulator.request("POST", "trips?tripId=t", tokend.token("server"), data=b" " * (2 << 20))
    assert answer.status_code == 400
    assert "1 MiB" in answer.json()["error"]["message"]


def test_clock_cannot_be_moved_out_of_range(emulator):
    for _ in range(2):
        emulator.control("POST", "clock:advance", {"seconds": 4e8})
    before = now(emulator)
    emulator.control("POST", "clock:advance", {"seconds": 4e8}, status=400)
    assert now(emulator) - before < 100


@pytest.mark.parametrize("path", ["/", "/_emulator/nothing"])
def test_head_has_no_body(emulator, path):
    address = emulator.address
    host, _, port = address.rpartition(":")
    with socket.create_connection((host, int(port)), 30) as connection:
        for verb, end in [("HEAD", "\r\n"), ("GET", "Connection: close\r\n\r\n")]:
            connection.sendall(f"{verb} {path} HTTP/1.1\r\nHost: {address}\r\n{end}".encode())
        received = b"".join(iter(lambda: connection.recv(65536), b""))
    head, second, body = received.split(b"\r\n\r\n", 2)
    assert second.startswith(b"HTTP/1.1 ")
    assert f"content-length: {len(body)}" in head.decode().lower().split("\r\n")


def test_page_of_another_machine_is_refused(emulator):
    answer = requests.post(f"http://{emulator.address}/_emulator/reset", headers={"Origin": "http://example.com"}, timeout=30)
    assert answer.status_code == 403
    answer = requests.post(f"http://{emulator.address}/_emulator/reset", headers={"Origin": "http://localhost:3000"}, timeout=30)
    assert answer.status_code == 200


def test_faults_of_the_options_are_there_after_a_reset(tmp_path):
    other = Emulator(tmp_path, "--faults", "outage")
    try:
        for _ in range(2):
            assert other.request("GET", "trips/t").status_code == 503
            other.control("DELETE", "faults")
            assert other.request("GET", "trips/t").status_code == 403
            other.control("POST", "reset")
    finally:
        other.stop()


def test_key_that_was_made_after_the_last_read_is_known(tmp_path):
    folder = tmp_path / "keys"
    folder.mkdir()
    tokens, other = Tokend(tmp_path, folder), Emulator(tmp_path, "--keys", folder)
    try:
        for kind in ("consumer", "driver", "server"):
            # tokend makes the key of a kind when it first signs with it.
            token = tokens.token(kind, "trip-1" if kind != "server" else None)
            assert other.request("GET", "trips/trip-1", token).status_code in (403, 404)
    finally:
        other.stop()
        tokens.stop()
