"""The journey page with everything real: the emulator serves it, tokend mints its tokens, and a browser shows it."""

import pytest
from playwright.sync_api import expect

from browser import browser, chrome  # noqa: F401
from conftest import Emulator

POLL = 5_100
PICKUP, DROPOFF = (25.0478, 121.5170), (25.0339, 121.5645)


def place(location):
    return {"latitude": location[0], "longitude": location[1]}


def terminal(location):
    return {"point": place(location)}


class Backend:
    """A provider's backend, which changes what is in the emulator."""

    def __init__(self, emulator, tokend):
        self.emulator = emulator
        self.tokens = {kind: tokend.token(kind) for kind in ("server", "delivery_server")}

    def call(self, method, path, body, kind="server"):
        self.emulator.request(method, path, self.tokens[kind], json=body).raise_for_status()

    def book(self):
        vehicle = {
            "vehicleState": "ONLINE", "supportedTripTypes": ["EXCLUSIVE"], "maximumCapacity": 4,
            "vehicleType": {"category": "AUTO"},
        }
        self.call("POST", "vehicles?vehicleId=vehicle-1", vehicle)
        self.move((25.0440, 121.5100), 45)
        trip = {
            "tripType": "EXCLUSIVE", "pickupPoint": terminal(PICKUP), "dropoffPoint": terminal(DROPOFF),
            "numberOfPassengers": 1,
        }
        self.call("POST", "trips?tripId=trip-1", trip)

    def move(self, location, heading):
        where = {"location": place(location), "heading": heading, "speed": 9, "updateTime": "2026-11-22T00:00:00Z"}
        self.call("PUT", "vehicles/vehicle-1?updateMask=lastLocation", {"lastLocation": where})

    def set(self, **changes):
        self.call("PUT", "trips/trip-1?updateMask=" + ",".join(changes), changes)


@pytest.fixture(scope="module")
def emulator(tmp_path_factory, tokend, keys):
    folder = tmp_path_factory.mktemp("page")
    program = Emulator(folder, "--keys", keys, "--token-server", tokend.url)
    yield program
    program.stop()


@pytest.fixture
def backend(emulator, tokend):
    emulator.control("POST", "reset")
    return Backend(emulator, tokend)


def where(page, marker):
    text = page.locator(f"[data-marker={marker}]").get_attribute("data-location")
    return pytest.approx([float(part) for part in text.split(",")], abs=1e-6)


def test_a_trip_is_followed_with_real_tokens(browser, emulator, backend):
    backend.book()
    page = browser.open(f"http://{emulator.address}/?trip=trip-1", reduced_motion="reduce")
    expect(page.locator("#status")).to_have_text("Waiting for a vehicle")
    expect(page.locator("#token-scope")).to_have_text("tripid: trip-1")
    expect(page.locator("#token-life")).to_contain_text("58 min")

    backend.set(vehicleId="vehicle-1", tripStatus="ENROUTE_TO_PICKUP")
    page.clock.run_for(POLL)
    expect(page.locator("#status")).to_have_text("On the way to the pickup point")
    assert list((25.0440, 121.5100)) == where(page, "vehicle")
    assert list(PICKUP) == where(page, "pickup") and list(DROPOFF) == where(page, "dropoff")
    assert "rotate(45)" in page.locator("[data-marker=vehicle] .art").get_attribute("transform")
    expect(page.locator(".activeRoute.line")).to_have_count(1)
    expect(page.locator(".remainingRoute.line")).to_have_count(1)

    backend.move((25.0460, 121.5150), 60)
    page.clock.run_for(POLL)
    expect(page.locator("[data-marker=vehicle]")).to_have_attribute("data-location", "25.046,121.515")

    emulator.control("PUT", "faults", {"faults": [{"error": {"code": "UNAVAILABLE"}}]})
    page.clock.run_for(POLL)
    expect(page.locator("#error-code")).to_have_text("UNAVAILABLE")
    emulator.control("DELETE", "faults")
    page.clock.run_for(POLL)
    expect(page.locator("#error")).to_be_hidden()

    for status, words in [
        ("ARRIVED_AT_PICKUP", "At the pickup point"), ("ENROUTE_TO_DROPOFF", "On the way to the drop-off point"),
        ("COMPLETE", "Trip complete"),
    ]:
        backend.set(tripStatus=status)
        page.clock.run_for(POLL)
        expect(page.locator("#status")).to_have_text(words)
    expect(page.locator("#live-text")).to_have_text("Ended")
    expect(page.locator("[data-marker=vehicle]")).to_have_count(0)


def test_a_shipment_is_followed_with_real_tokens(browser, emulator, backend):
    kind = "delivery_server"
    backend.call("POST", "deliveryVehicles?deliveryVehicleId=van-1", {"type": "AUTO"}, kind)
    task = {"type": "DELIVERY", "state": "OPEN", "trackingId": "parcel-1", "plannedLocation": terminal(DROPOFF), "taskDuration": "60s"}
    backend.call("POST", "tasks?taskId=task-1", task, kind)
    page = browser.open(f"http://{emulator.address}/?tracking=parcel-1", reduced_motion="reduce")
    expect(page.locator("#token-scope")).to_have_text("trackingid: parcel-1")
    expect(page.locator("#live-text")).to_have_text("Live")
    assert list(DROPOFF) == where(page, "delivery")
    backend.call("PATCH", "tasks/task-1?updateMask=taskOutcome,state", {"taskOutcome": "SUCCEEDED", "state": "CLOSED"}, kind)
    page.clock.run_for(POLL)
    expect(page.locator("#status")).to_have_text("Delivered")
