"""The search for vehicles, as the docstrings of `google-maps-fleetengine` 0.6.1 have it."""

import pytest

from fleet import DROPOFF, HERE, SEARCH, VEHICLE, assign, create_vehicle, drive, fields, name, pairs, place, refused, update_vehicle

SHARED = {"trip_types": ["SHARED"], "dropoff_point": DROPOFF, "current_trips_present": "ANY"}


@pytest.fixture
def search(server):
    """Searches for vehicles, and returns the matches by their vehicles' IDs."""

    def search(**change):
        found = server.search_vehicles(**SEARCH | change).matches
        return {match.vehicle.name.rpartition("/")[2]: match for match in found}

    return search


@pytest.mark.parametrize(
    "change, rule, field",
    [
        ({"pickup_point": None}, "FIELD_MISSING", "pickup_point"),
        ({"pickup_point": {"terminal_location_type": "PICKUP_WAYPOINT_TYPE"}}, "FIELD_MISSING", "pickup_point.point"),
        ({"pickup_point": {"point": place(91)}}, "FIELD_INVALID", "pickup_point.point"),
        *(({"pickup_radius_meters": radius}, "FIELD_INVALID", "pickup_radius_meters") for radius in (0, 399, 10_001)),
        *(({"count": count}, "FIELD_INVALID", "count") for count in (-1, 0, 51)),
        *(({"minimum_capacity": capacity}, "FIELD_INVALID", "minimum_capacity") for capacity in (-1, 0)),
        *(({"trip_types": types}, "FIELD_INVALID", "trip_types") for types in ([], ["SHARED", "EXCLUSIVE"], ["UNKNOWN_TRIP_TYPE"])),
        ({"vehicle_types": []}, "FIELD_MISSING", "vehicle_types"),
        ({"vehicle_types": [{"category": "AUTO"}, {"category": "UNKNOWN"}]}, "FIELD_INVALID", "vehicle_types"),
        (SHARED | {"dropoff_point": None}, "FIELD_MISSING", "dropoff_point"),
        (SHARED | {"current_trips_present": None}, "FIELD_MISSING", "current_trips_present"),
        ({"order_by": None}, "FIELD_MISSING", "order_by"),
        ({"order_by": "DROPOFF_POINT_ETA"}, "FIELD_INVALID", "order_by"),
        ({"include_back_to_back": True}, "METHOD_UNIMPLEMENTED", "include_back_to_back"),
    ],
)
def test_search_that_is_refused(search, change, rule, field):
    with refused(rule, field):
        search(**change)


@pytest.mark.parametrize(
    "change", [*({"pickup_radius_meters": radius} for radius in (400, 10_000)), *({"count": count} for count in (1, 50))]
)
def test_search_at_the_end_of_its_bounds(search, change):
    assert search(**change) == {}


@pytest.mark.parametrize(
    "vehicle, change, is_found",
    [
        ({}, {}, True),
        ({"vehicle_state": "OFFLINE"}, {}, False),
        ({}, {"minimum_capacity": 4}, True),
        ({}, {"minimum_capacity": 5}, False),
        ({}, SHARED, False),
        ({}, {"vehicle_types": [{"category": "TAXI"}]}, False),
        ({}, {"vehicle_types": [{"category": "TAXI"}, {"category": "AUTO"}]}, True),
        ({"attributes": pairs("a")}, {"filter": 'attributes.a = "1"'}, True),
        ({"attributes": pairs("b")}, {"filter": 'attributes.a = "1"'}, False),
    ],
)
def test_vehicle_that_suits_is_found(server, search, vehicle, change, is_found):
    drive(server, **vehicle)
    assert list(search(**change)) == (["vehicle-1"] if is_found else [])


def test_vehicle_without_a_location_is_not_found(server, search):
    create_vehicle(server)
    assert search() == {}


@pytest.mark.parametrize(
    "seconds, change, is_found",
    [
        (250, {}, True),
        (301, {}, False),
        (301, {"maximum_staleness": {"seconds": 600}}, True),
        (61, {"maximum_staleness": {"seconds": 60}}, False),
    ],
)
def test_vehicle_that_reported_lately_is_found(server, emulator, search, seconds, change, is_found):
    drive(server)
    emulator.advance(seconds)
    assert bool(search(**change)) == is_found
    update_vehicle(server, last_location={"location": HERE})
    assert search(**change)


@pytest.mark.parametrize(
    "type, change, is_found",
    [
        ("EXCLUSIVE", {}, False),
        ("EXCLUSIVE", {"current_trips_present": "NONE"}, False),
        ("EXCLUSIVE", {"current_trips_present": "ANY"}, True),
        ("SHARED", SHARED, True),
    ],
)
def test_vehicle_with_a_trip_is_found_on_request(server, search, type, change, is_found):
    assign(server, "trip-1", trip_type=type)
    assert bool(search(**change)) == is_found


def test_nearest_vehicles_are_found_first(server, search):
    for id, latitude in (("far", 25.08), ("near", 25.0508), ("here", 25.0478), ("middle", 25.0528)):
        drive(server, id, place(latitude))
    assert list(search(order_by="PICKUP_POINT_ETA")) == ["here", "near", "middle", "far"]
    assert list(search(count=2)) == ["here", "near"]
    assert list(search(pickup_radius_meters=400)) == ["here", "near"]


def test_match_tells_the_route_to_the_pickup_point(server, search):
    drive(server, point=place(25.0568))
    match = search()["vehicle-1"]
    for field in ("vehicle_pickup_distance_meters", "vehicle_pickup_straight_line_distance_meters"):
        assert abs(getattr(match, field) - 1001) < 3
    assert match.vehicle.maximum_capacity == VEHICLE["maximum_capacity"]
    assert match.vehicle.name == name("vehicles", "vehicle-1")
    names = [getattr(match, field).name for field in ("trip_type", "vehicle_match_type", "ordered_by", "requested_ordered_by")]
    assert names == ["EXCLUSIVE", "EXCLUSIVE", "PICKUP_POINT_DISTANCE", "PICKUP_POINT_DISTANCE"]


def test_match_tells_the_route_to_the_drop_off_point(server, search):
    drive(server)
    assert not {"vehicle_dropoff_eta", "vehicle_pickup_to_dropoff_distance_meters"} & fields(search()["vehicle-1"])
    match = search(dropoff_point=DROPOFF)["vehicle-1"]
    assert 4_900 < match.vehicle_pickup_to_dropoff_distance_meters < 5_200
    assert match.vehicle_dropoff_eta > match.vehicle_pickup_eta
