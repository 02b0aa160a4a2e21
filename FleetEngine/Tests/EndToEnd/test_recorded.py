"""The behaviour of Fleet Engine as a public recording of it shows it: which fields an answer has at which status."""

import pytest

from fleet import DROPOFF, HERE, PICKUP, SEGMENT, create_trip, create_vehicle, name, report, update_trip

JOURNEY = {"remaining_distance_meters", "eta_to_first_waypoint", "remaining_time_to_first_waypoint"}


def fields(message):
    return {descriptor.name for descriptor, _ in type(message).pb(message).ListFields()}


@pytest.fixture
def driver(api, tokend):
    return api(tokend.token("driver", "vehicle-1"))


@pytest.fixture
def trip(server, driver):
    """A trip that is assigned to a vehicle which reports."""
    create_vehicle(server)
    report(driver, remaining_time_seconds=53, remaining_distance_meters=169)
    created = create_trip(server)
    return created, update_trip(server, vehicle_id="vehicle-1")


def test_new_trip_has_only_what_was_given(trip):
    created, _ = trip
    expected = {"name", "trip_type", "trip_status", "pickup_point", "dropoff_point", "number_of_passengers"}
    assert fields(created) == expected
    assert created.trip_status.name == "NEW"


def test_assigned_trip_has_a_journey(server, driver, trip):
    _, assigned = trip
    assert [point.waypoint_type.name for point in assigned.remaining_waypoints] == [
        "PICKUP_WAYPOINT_TYPE",
        "DROP_OFF_WAYPOINT_TYPE",
    ]
    assert JOURNEY | {"last_location", "current_route_segment_end_point", "dropoff_time"} <= fields(assigned)
    assert assigned.pickup_time == assigned.eta_to_first_waypoint < assigned.dropoff_time


def test_route_and_traffic_are_the_trips(server, driver, trip):
    traffic = {"traffic_rendering": {"road_stretch": [{"style": "TRAFFIC_JAM", "length_meters": 5000}]}}
    # (25.046, 121.515) to (25.0478, 121.517), encoded.
    report(driver, current_route_segment=SEGMENT, current_route_segment_traffic=traffic)
    followed = server.get_trip(name=name("trips", "trip-1"))
    assert [(round(p.latitude, 4), round(p.longitude, 4)) for p in followed.route][-1] == (25.0478, 121.517)
    speeds = followed.current_route_segment_traffic.speed_reading_interval
    assert [(s.start_polyline_point_index, s.end_polyline_point_index, s.speed.name) for s in speeds] == [(0, 1, "TRAFFIC_JAM")]


def test_pickup_point_stays_until_the_vehicle_leaves(server, trip):
    arrived = update_trip(server, trip_status="ARRIVED_AT_PICKUP")
    assert len(arrived.remaining_waypoints) == 2
    left = update_trip(server, trip_status="ENROUTE_TO_DROPOFF")
    assert [point.waypoint_type.name for point in left.remaining_waypoints] == ["DROP_OFF_WAYPOINT_TYPE"]
    assert left.eta_to_first_waypoint == left.dropoff_time
    assert left.remaining_distance_meters > 1000


def test_pickup_time_is_actual_once_the_vehicle_left(server, driver, emulator, trip):
    left = update_trip(server, trip_status="ENROUTE_TO_DROPOFF")
    emulator.control("POST", "clock:advance", {"seconds": 60})
    report(driver, remaining_time_seconds=500)
    assert server.get_trip(name=name("trips", "trip-1")).pickup_time == left.pickup_time


@pytest.mark.parametrize("before", ["NEW", "ENROUTE_TO_PICKUP", "ENROUTE_TO_DROPOFF"])
@pytest.mark.parametrize("status", ["COMPLETE", "CANCELED"])
def test_trip_that_is_over_has_no_journey(server, trip, before, status):
    update_trip(server, trip_status=before)
    over = update_trip(server, trip_status=status)
    gone = JOURNEY | {"remaining_waypoints", "route", "current_route_segment_traffic", "last_location"}
    assert not gone & fields(over)
    assert over.trip_status.name == status
    assert ("dropoff_time" in fields(over)) == (status == "COMPLETE")
    assert not server.get_vehicle(name=name("vehicles", "vehicle-1")).current_trips


def test_remaining_time_decreases(server, driver, emulator, trip):
    report(driver, current_route_segment=SEGMENT, remaining_time_seconds=53)
    emulator.control("POST", "clock:advance", {"seconds": 20})
    followed = server.get_trip(name=name("trips", "trip-1"))
    assert 20 < followed.remaining_time_to_first_waypoint.total_seconds() <= 33


def test_input_is_never_in_a_response(server, driver, trip):
    stop = {"point": PICKUP["point"]}
    update_trip(server, actual_pickup_point=stop, actual_dropoff_point={"point": DROPOFF["point"]})
    report(driver, past_locations=[{"location": HERE}])
    given = {"actual_pickup_point", "actual_dropoff_point", "past_locations"}
    assert not given & fields(server.get_trip(name=name("trips", "trip-1")))
    assert not given & fields(server.get_vehicle(name=name("vehicles", "vehicle-1")))


def test_route_is_sent_once_for_each_version(server, driver, trip):
    report(driver, current_route_segment=SEGMENT)
    first = server.get_trip(name=name("trips", "trip-1"))
    assert first.route
    again = server.get_trip(
        name=name("trips", "trip-1"), current_route_segment_version=first.current_route_segment_version
    )
    assert not again.route
    assert again.current_route_segment_version == first.current_route_segment_version
    report(driver, current_route_segment=SEGMENT + "gJoK")
    changed = server.get_trip(
        name=name("trips", "trip-1"), current_route_segment_version=first.current_route_segment_version
    )
    assert len(changed.route) == 3
