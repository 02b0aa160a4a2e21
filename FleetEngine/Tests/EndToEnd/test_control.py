"""The control API: faults, clock, reset."""

import socket
import time

import pytest
import requests
from google.api_core.exceptions import GoogleAPICallError, TooManyRequests

from apis import PROVIDER
from conftest import Emulator, Tokend
from fleet import create_task, create_trip, create_vehicle, get_task, get_vehicle

OUTAGE = {"faults": [{"error": {"code": "UNAVAILABLE"}}]}


def test_reset_forgets_everything(emulator, server):
    create_trip(server)
    emulator.control("PUT", "faults", OUTAGE)
    emulator.advance(1000)
    emulator.control("POST", "reset")
    assert server.search_trips(parent=PROVIDER).trips == []
    assert abs(emulator.advance(0) - time.time()) < 100


def failures(client, count):
    failed = []
    for number in range(count):
        try:
            get_vehicle(client)
        except GoogleAPICallError:
            failed.append(number)
    return failed


def test_fault_meets_every_third_request(emulator, server):
    create_vehicle(server)
    # An error that Google's libraries don't retry by themselves.
    emulator.control("PUT", "faults", {"faults": [{"error": {"code": "INTERNAL"}, "every": 3, "methods": ["GetVehicle"]}]})
    assert failures(server, 10) == [2, 5, 8]


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
    assert get_task(delivery_server).state.name == "OPEN"


def test_fault_is_for_some_methods_and_times(emulator, server):
    create_vehicle(server)
    fault = {"error": {"code": "INTERNAL"}, "methods": ["GetVehicle"], "times": 2}
    emulator.control("PUT", "faults", {"faults": [fault]})
    assert server.list_vehicles(parent=PROVIDER, vehicle_type_categories=["AUTO"]).total_size == 1
    assert failures(server, 5) == [0, 1]


def test_retry_is_named(emulator, tokend):
    error = {"code": "RESOURCE_EXHAUSTED", "retryAfterSeconds": 2}
    emulator.control("PUT", "faults", {"faults": [{"error": error}]})
    response = emulator.request("GET", "trips/t")
    assert (response.status_code, response.headers["Retry-After"]) == (429, "2")
    assert {detail["@type"].rpartition(".")[2] for detail in response.json()["error"]["details"]} == {"ErrorInfo", "RetryInfo"}


@pytest.mark.parametrize("effect", ["reset", "truncate"])
@pytest.mark.parametrize("verb, path, status", [("POST", "trips:search", 200), ("GET", "trips/none", 404)])
def test_response_that_breaks(emulator, tokend, effect, verb, path, status):
    token = tokend.token("server")
    emulator.control("PUT", "faults", {"faults": [{effect: True, "times": 1}]})
    with pytest.raises(requests.exceptions.RequestException):
        emulator.request(verb, path, token, json={})
    assert emulator.request(verb, path, token, json={}).status_code == status


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
        ("PUT", "faults", {"fault": []}, "fault"),
        ("PUT", "faults", {"faults": [], "seed": 1}, "seed"),
        ("PUT", "faults", {"faults": [{}]}, "faults[0]"),
        ("PUT", "faults", {"faults": [{"reset": True, "truncate": True}]}, "faults[0]"),
        ("PUT", "faults", {"faults": [{"reset": True, "time": 1}]}, "faults[0].time"),
        ("PUT", "faults", {"faults": [{"reset": True, "every": 0}]}, "faults[0].every"),
        ("PUT", "faults", {"faults": [{"reset": True, "methods": ["Get"]}]}, "faults[0].methods[0]"),
        ("PUT", "faults", {"faults": [{"error": {}}]}, "faults[0].error.code"),
        ("PUT", "faults", {"faults": [{"reset": True}, {"error": {"code": "GONE"}}]}, "faults[1].error.code"),
        ("PUT", "faults", {"faults": [{"latencyMilliseconds": "long"}]}, "faults[0].latencyMilliseconds"),
        ("POST", "clock:advance", {}, "seconds"),
        ("POST", "clock:advance", {"seconds": "soon"}, "seconds"),
        ("POST", "clock:advance", {"second": 5}, "second"),
    ],
)
def test_mistake_is_named_and_changes_nothing(emulator, verb, path, body, field):
    emulator.control("PUT", "faults", OUTAGE)
    before = emulator.advance(0)
    error = emulator.control(verb, path, body, status=404 if path == "nothing" else 400)["error"]
    assert error["message"]
    if field:
        assert error["details"][1]["fieldViolations"][0]["field"] == field
    assert emulator.request("GET", "trips/t").status_code == 503
    assert emulator.advance(0) - before < 100


@pytest.mark.parametrize("body", [b"", b"{", b"[]", b'{"faults": [], "faults": []}', b'{"faults": []} {}', b'{"seed": 01}'])
def test_body_that_is_no_json_object_is_refused(emulator, body):
    response = requests.put(f"http://{emulator.address}/_emulator/faults", data=body, timeout=30)
    assert response.status_code == 400
    assert response.json()["error"]["message"].startswith("The body is not")


def test_clock_cannot_be_moved_out_of_range(emulator):
    for _ in range(2):
        emulator.advance(4e8)
    before = emulator.advance(0)
    emulator.control("POST", "clock:advance", {"seconds": 4e8}, status=400)
    assert emulator.advance(0) - before < 100


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


def test_faults_of_the_options_are_there_after_a_reset(tmp_path):
    other = Emulator(tmp_path, "--faults", "quota")
    try:
        for _ in range(2):
            assert [other.request("GET", "trips/t").status_code for _ in range(5)] == [403] * 4 + [429]
            other.control("DELETE", "faults")
            assert [other.request("GET", "trips/t").status_code for _ in range(5)] == [403] * 5
            other.control("POST", "reset")
    finally:
        other.stop()


def test_keys_are_those_of_the_files(tmp_path):
    folder = tmp_path / "keys"
    folder.mkdir()
    tokens, other = Tokend(tmp_path, folder), Emulator(tmp_path, "--keys", folder)
    try:
        for kind in ("consumer", "driver", "server"):
            # tokend makes the key of a kind when it first signs with it.
            token = tokens.token(kind, "trip-1" if kind != "server" else None)
            assert other.request("GET", "trips/trip-1", token).status_code in (403, 404)
        (folder / "server.json").unlink()
        assert other.request("GET", "trips/trip-1", token).status_code == 401
    finally:
        other.stop()
        tokens.stop()
