"""The rules of requests: IDs, masks, paging, searching, and what a refused request says."""

import pytest
from google.api_core.exceptions import BadRequest, NotFound
from google.protobuf import timestamp_pb2

from apis import PROVIDER
from fleet import HERE, PICKUP, SEGMENT, create_trip, create_vehicle, name, report, update_trip, update_vehicle


def reason(emulator, method, /, **request):
    """Calls a method that must be refused as a bad request, and returns the rule."""
    with pytest.raises(BadRequest) as refusal:
        method(**request)
    assert refusal.value.code == 400
    return emulator.last_rule


@pytest.mark.parametrize("path", ["trips/" + "a" * 65, "trips/a%3Fb"])
def test_name_of_another_form(emulator, tokend, path):
    answer = emulator.request("GET", path, tokend.token("server"))
    assert answer.status_code == 400
    assert answer.json()["error"]["status"] == "INVALID_ARGUMENT"
    assert "providers/{provider_id}/trips/{trip_id}" in answer.json()["error"]["message"]


def test_provider_of_a_real_project_is_refused(emulator, server):
    assert reason(emulator, server.get_trip, name="providers/real-project/trips/t") == "PROVIDER_NOT_DEMO"


def test_refused_assignment_leaves_the_old_vehicle_as_it_is(server):
    create_vehicle(server, last_location={"location": HERE})
    create_trip(server, vehicle_id="vehicle-1")
    report(server, current_route_segment=SEGMENT, remaining_distance_meters=7)
    before = server.get_vehicle(name=name("vehicles", "vehicle-1"))
    with pytest.raises(NotFound):
        update_trip(server, vehicle_id="nowhere")
    after = server.get_vehicle(name=name("vehicles", "vehicle-1"))
    assert after.remaining_distance_meters == 7
    assert after.waypoints_version == before.waypoints_version


@pytest.mark.parametrize("time", ["9999-12-31T23:59:59Z", "0001-01-01T00:00:00Z"])
@pytest.mark.parametrize("meters", [2**31 - 1, -(2**31)])
def test_reports_at_the_end_of_their_range(server, time, meters):
    create_vehicle(server, last_location={"location": HERE})
    create_trip(server, vehicle_id="vehicle-1")
    eta = timestamp_pb2.Timestamp()
    eta.FromJsonString(time)
    report(server, current_route_segment=SEGMENT, eta_to_first_waypoint=eta, remaining_distance_meters=meters)
    trip = server.get_trip(name=name("trips", "trip-1"))
    assert trip.remaining_distance_meters == meters
    assert len(trip.remaining_waypoints) == 2


@pytest.mark.parametrize(
    "query, body, field",
    [
        ("?tripId=t&tripId=u", {}, "tripId"),
        ("?tripId=t&trip_id=u", {}, "trip_id"),
        ("?tripId=t", {"numberOfPassengers": 1, "number_of_passengers": 2}, "number_of_passengers"),
        ("?tripId=t", {"dropoffPoint": {"terminalPointId": {}, "terminal_point_id": {}}}, "dropoffPoint.terminal_point_id"),
    ],
)
def test_field_that_occurs_twice(emulator, tokend, query, body, field):
    trip = {"tripType": "EXCLUSIVE", "pickupPoint": PICKUP} | body
    answer = emulator.request("POST", f"trips{query}", tokend.token("server"), json=trip)
    assert answer.status_code == 400
    assert answer.json()["error"]["details"][1]["fieldViolations"][0]["field"] == field
    assert emulator.last_rule == "BODY_MALFORMED"


@pytest.mark.parametrize("length", [30_000, 1000])
def test_long_text_is_not_repeated(server, length):
    create_vehicle(server)
    for call in (
        lambda: server.get_vehicle(name=name("vehicles", "v" * length)),
        lambda: update_vehicle(server, attributes=[{"key": "k" * length, "value": ""}]),
        lambda: server.list_vehicles(parent=PROVIDER, vehicle_type_categories=["AUTO"], filter=f"{'f' * length} = 1"),
        lambda: server.update_vehicle(name=name("vehicles", "vehicle-1"), vehicle={}, update_mask={"paths": ["p" * length]}),
    ):
        with pytest.raises(BadRequest) as refusal:
            call()
        assert len(str(refusal.value.response.content)) < 2000
