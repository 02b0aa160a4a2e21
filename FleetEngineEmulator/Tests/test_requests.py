"""The rules of requests: IDs, masks, paging, searching, and what a refused request says."""

import unicodedata

import pytest
import requests
from google.api_core.exceptions import BadRequest, FailedPrecondition, GoogleAPICallError, NotFound
from google.protobuf import timestamp_pb2

from apis import PROVIDER
from fleet import (
    DROPOFF,
    HERE,
    PICKUP,
    SEARCH,
    SEGMENT,
    TRIP,
    VEHICLE,
    create_trip,
    create_vehicle,
    name,
    report,
    update_trip,
    update_vehicle,
)


def reason(emulator, method, /, **request):
    """Calls a method that must be refused as a bad request, and returns the rule."""
    with pytest.raises(BadRequest) as refusal:
        method(**request)
    assert refusal.value.code == 400
    return emulator.last_rule


@pytest.mark.parametrize(
    "id", ["a" * 65, "a/b", "a:b", "a?b", "a,b", "a#b", unicodedata.normalize("NFD", "é"), "ö" * 65]
)
def test_id_that_is_not_allowed(emulator, server, id):
    assert reason(emulator, server.create_trip, parent=PROVIDER, trip_id=id, trip=TRIP) == "ID_INVALID"


@pytest.mark.parametrize("id", ["a" * 64, "ö" * 64, "車両-1", "a b", "a%2Fb", "*", "a@b=c", "..", "+"])
def test_id_that_is_allowed(server, id):
    assert create_trip(server, id).name == name("trips", id)
    if "/" not in id and id != "..":
        assert server.get_trip(name=name("trips", id)).name == name("trips", id)


@pytest.mark.parametrize("path", ["providers/demo-fleet/trips/" + "a" * 65, "providers/demo-fleet/trips/a%3Fb"])
def test_name_of_another_form(emulator, tokend, path):
    headers = {"Authorization": f"Bearer {tokend.token('server')}"}
    answer = requests.get(f"http://{emulator.rest}/v1/{path}", headers=headers, timeout=30)
    assert answer.status_code == 400
    assert answer.json()["error"]["status"] == "INVALID_ARGUMENT"
    assert "providers/{provider_id}/trips/{trip_id}" in answer.json()["error"]["message"]


def test_provider_of_a_real_project_is_refused(emulator, server):
    assert reason(emulator, server.get_trip, name="providers/real-project/trips/t") == "PROVIDER_NOT_DEMO"


@pytest.mark.parametrize("update", ["update_trip", "update_vehicle"])
def test_empty_mask(emulator, server, update):
    create_trip(server)
    create_vehicle(server)
    kind = update.removeprefix("update_")
    with pytest.raises(BadRequest) as refusal:
        getattr(server, update)(name=name(f"{kind}s", f"{kind}-1"), **{kind: {}})
    assert "update_mask cannot be empty" in str(refusal.value)
    assert emulator.last_rule == "MASK_EMPTY"


@pytest.mark.parametrize("path, rule", [("nonsense", "MASK_FIELD_UNKNOWN"), ("route", "MASK_FIELD_OUTPUT_ONLY")])
def test_mask_with_other_fields(emulator, server, path, rule):
    create_trip(server)
    mask = {"paths": [path]}
    assert reason(emulator, server.update_trip, name=name("trips", "trip-1"), trip={}, update_mask=mask) == rule


def test_only_fields_of_the_mask_change(server):
    create_trip(server)
    trip = server.update_trip(
        name=name("trips", "trip-1"),
        trip={"trip_status": "ENROUTE_TO_PICKUP", "dropoff_point": PICKUP},
        update_mask={"paths": ["trip_status"]},
    )
    assert trip.trip_status.name == "ENROUTE_TO_PICKUP"
    assert trip.dropoff_point.point.latitude == DROPOFF["point"]["latitude"]
    # A field of the mask that the message has not is cleared.
    trip = server.update_trip(
        name=name("trips", "trip-1"), trip={}, update_mask={"paths": ["dropoff_point"]}
    )
    assert not trip.dropoff_point.point.latitude


@pytest.mark.parametrize("missing", ["trip_type", "pickup_point"])
def test_trip_needs(emulator, server, missing):
    trip = {field: value for field, value in TRIP.items() if field != missing}
    assert reason(emulator, server.create_trip, parent=PROVIDER, trip_id="t", trip=trip) == "FIELD_MISSING"


@pytest.mark.parametrize("missing", VEHICLE)
def test_vehicle_needs(emulator, server, missing):
    vehicle = {field: value for field, value in VEHICLE.items() if field != missing}
    request = {"parent": PROVIDER, "vehicle_id": "v", "vehicle": vehicle}
    assert reason(emulator, server.create_vehicle, **request) == "FIELD_MISSING"


def test_trip_begins_as_new(server):
    trip = create_trip(server, trip_status="COMPLETE", remaining_distance_meters=5)
    assert trip.trip_status.name == "NEW"
    assert not trip.remaining_distance_meters


def test_sensor_of_fleet_engine_is_refused(emulator, server):
    create_vehicle(server)
    location = {"location": HERE, "location_sensor": "FLEET_ENGINE_LOCATION"}
    with pytest.raises(BadRequest):
        update_vehicle(server, last_location=location)
    assert emulator.last_rule == "LOCATION_SENSOR_RESERVED"


def test_unknown_vehicle_changes_nothing(server):
    create_trip(server)
    with pytest.raises(NotFound):
        update_trip(server, vehicle_id="nowhere")
    assert not server.get_trip(name=name("trips", "trip-1")).vehicle_id


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


def test_waypoints_keep_their_order_and_number(emulator, server):
    create_vehicle(server, last_location={"location": HERE})
    create_trip(server, "a", vehicle_id="vehicle-1")
    create_trip(server, "b", vehicle_id="vehicle-1")
    waypoints = server.get_vehicle(name=name("vehicles", "vehicle-1")).waypoints
    assert [point.trip_id for point in waypoints] == ["a", "a", "b", "b"]
    # The trip of b shows what comes before it.
    assert [point.trip_id for point in server.get_trip(name=name("trips", "b")).remaining_waypoints] == list("aabb")
    assert [point.trip_id for point in server.get_trip(name=name("trips", "a")).remaining_waypoints] == list("aa")
    order = [waypoints[index] for index in (0, 2, 1, 3)]
    assert [point.trip_id for point in update_vehicle(server, waypoints=order).waypoints] == list("abab")
    with pytest.raises(BadRequest):
        update_vehicle(server, waypoints=order[:3])
    assert emulator.last_rule == "WAYPOINTS_DIFFER"


def test_stops_on_the_way(server):
    create_vehicle(server, last_location={"location": HERE})
    create_trip(server, intermediate_destinations=[PICKUP, DROPOFF], vehicle_id="vehicle-1")
    counts = {}
    for status, index in [
        ("ENROUTE_TO_PICKUP", 0),
        ("ENROUTE_TO_INTERMEDIATE_DESTINATION", 0),
        ("ARRIVED_AT_INTERMEDIATE_DESTINATION", 0),
        ("ENROUTE_TO_INTERMEDIATE_DESTINATION", 1),
        ("ENROUTE_TO_DROPOFF", 1),
    ]:
        trip = update_trip(server, trip_status=status, intermediate_destination_index=index)
        counts[status, index] = len(trip.remaining_waypoints)
    assert list(counts.values()) == [4, 3, 3, 2, 1]


def test_deleting_waits_for_the_end(server):
    create_vehicle(server)
    create_trip(server, vehicle_id="vehicle-1")
    for method, resource in ((server.delete_trip, "trips/trip-1"), (server.delete_vehicle, "vehicles/vehicle-1")):
        with pytest.raises(BadRequest) as refusal:
            method(name=f"{PROVIDER}/{resource}")
        assert isinstance(refusal.value, FailedPrecondition) or "FAILED_PRECONDITION" in refusal.value.response.text
    update_trip(server, trip_status="COMPLETE")
    server.delete_trip(name=name("trips", "trip-1"))
    server.delete_vehicle(name=name("vehicles", "vehicle-1"))
    for method, resource in ((server.get_trip, "trips/trip-1"), (server.get_vehicle, "vehicles/vehicle-1")):
        with pytest.raises(NotFound):
            method(name=f"{PROVIDER}/{resource}")


def pages(search, field, **request):
    """All pages of a list."""
    token, found = "", []
    while True:
        page = search(parent=PROVIDER, page_token=token, **request)
        # Google's pagers keep the answer of the current page.
        found.append([element.name.rpartition("/")[2] for element in getattr(page, field)])
        token = page.next_page_token
        if not token:
            return found


def test_searching_trips_page_by_page(server, tokend, api):
    create_vehicle(server)
    for number in range(5):
        create_trip(server, f"trip-{number}", vehicle_id="vehicle-1" if number % 2 else "")
    search = {"page_size": 2}
    first = server.search_trips(parent=PROVIDER, **search)
    assert [trip.name[-1] for trip in list(first.trips)] == ["0", "1"]
    second = server.search_trips(parent=PROVIDER, page_token=first.next_page_token, **search)
    assert [trip.name[-1] for trip in second.trips] == ["2", "3"]
    active = server.search_trips(parent=PROVIDER, vehicle_id="vehicle-1", active_trips_only=True)
    assert [trip.name[-1] for trip in active.trips] == ["1", "3"]
    # A driver finds the trips of the driver's vehicle, and of no other.
    driver = api(tokend.token("driver", "vehicle-1"))
    assert len(list(driver.search_trips(parent=PROVIDER, vehicle_id="vehicle-1").trips)) == 2
    with pytest.raises(GoogleAPICallError):
        driver.search_trips(parent=PROVIDER, vehicle_id="vehicle-2")


def test_searching_vehicles(server, emulator):
    for number, latitude in enumerate((25.0478, 25.05, 25.3)):
        create_vehicle(server, f"vehicle-{number}")
        report(server, {"latitude": latitude, "longitude": 121.517}, f"vehicle-{number}")
    create_vehicle(server, "offline", vehicle_state="OFFLINE", last_location={"location": HERE})
    found = server.search_vehicles(**SEARCH).matches
    assert [match.vehicle.name[-1] for match in found] == ["0", "1"]
    assert found[1].vehicle_pickup_straight_line_distance_meters == pytest.approx(245, abs=2)
    emulator.control("POST", "clock:advance", {"seconds": 301})
    assert not server.search_vehicles(**SEARCH).matches, "locations are older than five minutes"


@pytest.mark.parametrize(
    "change", [{"count": 0}, {"count": 51}, {"pickup_radius_meters": 399}, {"minimum_capacity": 0}, {"trip_types": []}]
)
def test_search_with_other_numbers(emulator, server, change):
    assert reason(emulator, server.search_vehicles, **(SEARCH | change)) == "FIELD_INVALID"


def test_listing_vehicles(server):
    for number in range(3):
        create_vehicle(server, f"vehicle-{number}", attributes=[{"key": "class", "value": "AB"[number % 2]}])
    request = {"parent": PROVIDER, "vehicle_type_categories": ["AUTO"]}
    listed = server.list_vehicles(**request, page_size=2)
    assert listed.total_size == 3
    assert len(listed.vehicles) == 2
    some = server.list_vehicles(**request, filter='attributes.class = "A"')
    assert [vehicle.name[-1] for vehicle in some.vehicles] == ["0", "2"]
    assert [vehicle.name[-1] for vehicle in server.list_vehicles(**request, required_attributes=["class:B"]).vehicles] == [
        "1"
    ]


def test_attributes_are_merged(emulator, server):
    create_vehicle(server, attributes=[{"key": "a", "value": "1"}, {"key": "b", "value": "2"}])
    merged = server.update_vehicle_attributes(
        name=name("vehicles", "vehicle-1"), attributes=[{"key": "b", "string_value": "3"}]
    )
    assert {(a.key, a.value, a.string_value) for a in merged.attributes} == {("a", "1", "1"), ("b", "3", "3")}
    replaced = update_vehicle(server, attributes=[{"key": "c", "value": "4"}])
    assert [attribute.key for attribute in replaced.attributes] == ["c"]
    many = [{"key": str(number), "value": ""} for number in range(101)]
    with pytest.raises(BadRequest):
        update_vehicle(server, attributes=many)


def test_billable_trip(server, emulator):
    server.report_billable_trip(name=f"{PROVIDER}/billableTrips/t", country_code="TW")
    request = {"name": f"{PROVIDER}/billableTrips/t", "country_code": ""}
    assert reason(emulator, server.report_billable_trip, **request) == "FIELD_MISSING"
