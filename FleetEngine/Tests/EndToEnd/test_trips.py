"""Trips, as the docstrings of `google-maps-fleetengine` 0.6.1 and a public recording of Fleet Engine have them."""

import pytest

from apis import PROVIDER
from fleet import (
    DROPOFF, HERE, LONGER_SEGMENT, PICKUP, SEGMENT, assign, create_trip, drive, fields, get_trip, get_vehicle, ids,
    name, pairs, place, refused, update_trip, update_vehicle,
)

STOPS = [{"point": {"latitude": 25.04, "longitude": 121.53}}, {"point": {"latitude": 25.03, "longitude": 121.55}}]
WITHOUT_POINT = {"terminal_location_type": "PICKUP_WAYPOINT_TYPE"}
JOURNEY = {
    "remaining_waypoints", "remaining_distance_meters", "eta_to_first_waypoint", "remaining_time_to_first_waypoint",
    "current_route_segment",
}
PICK, STOP, DROP = (f"{type}_WAYPOINT_TYPE" for type in ("PICKUP", "INTERMEDIATE_DESTINATION", "DROP_OFF"))


def types(waypoints):
    return [waypoint.waypoint_type.name for waypoint in waypoints]


def follow(server, **report):
    """A trip whose vehicle reports a segment with its distance and time."""
    assign(server, "trip-1")
    update_vehicle(
        server, current_route_segment=SEGMENT, remaining_distance_meters=169, remaining_time_seconds=53, **report
    )
    return get_trip(server)


class TestCreation:
    def test_new_trip_has_only_what_was_given(self, server):
        trip = create_trip(server, trip_status="CANCELED", name="x")
        assert fields(trip) == {"name", "trip_type", "trip_status", "pickup_point", "dropoff_point", "number_of_passengers"}
        assert (trip.name, trip.trip_status.name, trip.number_of_passengers) == (name("trips", "trip-1"), "NEW", 1)

    def test_what_a_creation_may_have_is_used(self, server):
        drive(server)
        trip = create_trip(server, number_of_passengers=3, vehicle_id="vehicle-1", intermediate_destinations=STOPS)
        assert (trip.number_of_passengers, trip.vehicle_id) == (3, "vehicle-1")
        assert [round(stop.point.latitude, 2) for stop in trip.intermediate_destinations] == [25.04, 25.03]
        assert "dropoff_point" not in fields(create_trip(server, "trip-2", dropoff_point=None))

    def test_other_fields_are_ignored(self, server):
        others = {
            "attributes": pairs("a"), "intermediate_destination_index": 1, "intermediate_destinations_version": {"seconds": 1},
            "last_location": {"location": HERE}, "pickup_time": {"seconds": 5}, "remaining_distance_meters": 5, "route": [HERE, HERE],
        }
        assert not set(others) & fields(create_trip(server, **others))

    @pytest.mark.parametrize(
        "change, field",
        [
            ({"trip_type": None}, "trip.trip_type"),
            ({"trip_type": "UNKNOWN_TRIP_TYPE"}, "trip.trip_type"),
            ({"pickup_point": None}, "trip.pickup_point"),
            ({"pickup_point": WITHOUT_POINT}, "trip.pickup_point.point"),
            ({"intermediate_destinations": [STOPS[0], WITHOUT_POINT]}, "trip.intermediate_destinations[1].point"),
        ],
    )
    def test_field_that_a_trip_needs(self, server, change, field):
        with refused("FIELD_MISSING", field):
            create_trip(server, **change)

    def test_second_trip_with_an_id_is_refused(self, server):
        create_trip(server)
        with refused("ALREADY_EXISTS"):
            create_trip(server)

    def test_deprecated_fields_are_ignored(self, server):
        assert create_trip(server, pickup_point=PICKUP | {"terminal_point_id": {"value": "x"}}).trip_status.name == "NEW"

    def test_order_of_the_vehicles_waypoints_is_left_out(self, server):
        with refused("METHOD_UNIMPLEMENTED", "vehicleWaypoints"):
            create_trip(server, vehicle_waypoints=[{"trip_id": "a"}])


class TestUpdate:
    @pytest.mark.parametrize(
        "field",
        [
            "current_route_segment", "current_route_segment_end_point", "current_route_segment_version", "dropoff_time",
            "eta_to_first_waypoint", "intermediate_destinations_version", "last_location", "name", "pickup_time",
            "remaining_distance_meters", "remaining_time_to_first_waypoint", "remaining_waypoints", "remaining_waypoints_version",
            "route",
        ],
    )
    def test_field_that_fleet_engine_maintains(self, server, field):
        create_trip(server)
        with refused("MASK_FIELD_OUTPUT_ONLY", "update_mask"):
            server.update_trip(name=name("trips", "trip-1"), trip={}, update_mask={"paths": [field]})

    @pytest.mark.parametrize("paths, rule", [([], "MASK_EMPTY"), (["nonsense"], "MASK_FIELD_UNKNOWN")])
    def test_mask_that_is_refused(self, server, paths, rule):
        create_trip(server)
        with refused(rule, "update_mask"):
            server.update_trip(name=name("trips", "trip-1"), trip={}, update_mask={"paths": paths})

    def test_only_what_the_mask_names_changes(self, server):
        create_trip(server)
        sent = {"trip_status": "ENROUTE_TO_PICKUP", "dropoff_point": PICKUP, "number_of_passengers": 4}
        trip = server.update_trip(name=name("trips", "trip-1"), trip=sent, update_mask={"paths": ["trip_status"]})
        assert trip.trip_status.name == "ENROUTE_TO_PICKUP"
        assert (trip.dropoff_point.point.latitude, trip.number_of_passengers) == (DROPOFF["point"]["latitude"], 1)
        trip = server.update_trip(name=name("trips", "trip-1"), trip={}, update_mask={"paths": ["dropoff_point"]})
        assert "dropoff_point" not in fields(trip)

    @pytest.mark.parametrize("passengers", [1, 2])
    def test_number_of_passengers_is_fixed(self, server, passengers):
        create_trip(server)
        with refused("FIELD_IMMUTABLE", "trip.number_of_passengers"):
            update_trip(server, number_of_passengers=passengers)

    def test_point_that_an_update_needs(self, server):
        create_trip(server)
        with refused("FIELD_MISSING", "trip.dropoff_point.point"):
            update_trip(server, dropoff_point=WITHOUT_POINT)

    def test_attributes_keep_their_types(self, server):
        create_trip(server)
        sent = [{"key": "a", "number_value": 2.5}, {"key": "b", "bool_value": True}]
        number, flag = update_trip(server, attributes=sent).attributes
        assert (number.number_value, flag.bool_value) == (2.5, True)

    def test_input_is_never_in_a_response(self, server):
        assign(server, "trip-1")
        points = {"actual_pickup_point", "actual_pickup_arrival_point", "actual_dropoff_point"}
        lists = {"actual_intermediate_destinations", "actual_intermediate_destination_arrival_points"}
        sent = {field: {"point": HERE} for field in points} | {field: [{"point": HERE}] for field in lists}
        assert not set(sent) & (fields(update_trip(server, **sent)) | fields(get_trip(server)))
        assert not update_trip(server, last_location_snappable=True).last_location_snappable

    def test_trip_that_does_not_exist(self, server):
        with refused("NOT_FOUND"):
            update_trip(server, trip_status="NEW")


class TestDestinations:
    def create(self, server, **fields):
        """A trip with two destinations."""
        return create_trip(server, intermediate_destinations=STOPS, **fields)

    def stale(self, server):
        """An older version of a trip's destinations."""
        version = self.create(server).intermediate_destinations_version
        update_trip(server, intermediate_destinations=STOPS[:1])
        return version

    def leave(self, server, version, status="ENROUTE_TO_INTERMEDIATE_DESTINATION", mask="trip_status"):
        trip = {"trip_status": status, "intermediate_destinations_version": version, "intermediate_destination_index": 0}
        return server.update_trip(name=name("trips", "trip-1"), trip=trip, update_mask={"paths": [mask]})

    def test_destinations_are_for_exclusive_trips(self, server):
        with refused("FIELD_INVALID", "trip.intermediate_destinations"):
            self.create(server, trip_type="SHARED")
        create_trip(server, "shared", trip_type="SHARED")
        with refused("FIELD_INVALID", "trip.intermediate_destinations"):
            update_trip(server, "shared", intermediate_destinations=STOPS)
        self.create(server)
        with refused("FIELD_INVALID", "trip.intermediate_destinations"):
            update_trip(server, trip_type="SHARED")

    def test_vehicle_leaves_with_the_trips_version_or_with_none(self, server):
        version = self.create(server).intermediate_destinations_version
        for version in (version, None):
            assert self.leave(server, version).trip_status.name == "ENROUTE_TO_INTERMEDIATE_DESTINATION"

    @pytest.mark.parametrize("mask", ["trip_status", "intermediate_destination_index"])
    def test_vehicle_that_leaves_with_an_older_version(self, server, mask):
        version = self.stale(server)
        with refused("VERSION_DIFFERS", "trip.intermediate_destinations_version"):
            self.leave(server, version, mask=mask)
        assert get_trip(server).trip_status.name == "NEW"

    @pytest.mark.parametrize("destinations", [STOPS, []])
    def test_vehicle_that_leaves_with_a_version_that_never_was(self, server, destinations):
        create_trip(server, intermediate_destinations=destinations)
        with refused("VERSION_DIFFERS", "trip.intermediate_destinations_version"):
            self.leave(server, {"seconds": 9_999_999_999})

    def test_version_does_not_matter_for_another_status(self, server):
        assert self.leave(server, self.stale(server), "ENROUTE_TO_PICKUP").trip_status.name == "ENROUTE_TO_PICKUP"

    def test_version_changes_with_the_destinations_alone(self, server):
        first = self.create(server).intermediate_destinations_version
        assert update_trip(server, intermediate_destinations=STOPS).intermediate_destinations_version == first
        assert update_trip(server, intermediate_destinations=STOPS[:1]).intermediate_destinations_version > first

    @pytest.mark.parametrize("index, is_valid", [(-1, False), (0, True), (1, True), (2, False)])
    def test_index_is_that_of_a_destination(self, server, index, is_valid):
        self.create(server)
        if is_valid:
            assert update_trip(server, intermediate_destination_index=index).intermediate_destination_index == index
        else:
            with refused("FIELD_INVALID", "trip.intermediate_destination_index"):
                update_trip(server, intermediate_destination_index=index)

    def test_index_of_a_trip_without_destinations_is_ignored(self, server):
        create_trip(server)
        assert update_trip(server, intermediate_destination_index=7).intermediate_destination_index == 0

    def test_waypoints_before_the_index_are_gone(self, server):
        drive(server)
        self.create(server, vehicle_id="vehicle-1")
        trip = update_trip(server, trip_status="ENROUTE_TO_INTERMEDIATE_DESTINATION", intermediate_destination_index=1)
        assert types(trip.remaining_waypoints) == [STOP, DROP]


class TestWaypoints:
    def test_waypoints_go_with_the_status(self, server):
        assign(server, "trip-1")
        assert types(get_trip(server).remaining_waypoints) == [PICK, DROP]
        # The pickup point stays until the vehicle leaves.
        assert types(update_trip(server, trip_status="ARRIVED_AT_PICKUP").remaining_waypoints) == [PICK, DROP]
        left = update_trip(server, trip_status="ENROUTE_TO_DROPOFF")
        assert types(left.remaining_waypoints) == [DROP]
        assert left.eta_to_first_waypoint == left.dropoff_time
        assert left.remaining_distance_meters > 1000

    def test_pickup_point_that_changes_stays_before_the_drop_off(self, server):
        assign(server, "trip-1")
        trip = update_trip(server, pickup_point={"point": place(25.06)})
        assert types(trip.remaining_waypoints) == [PICK, DROP]
        assert trip.pickup_time < trip.dropoff_time

    def test_destination_that_is_added_comes_before_the_drop_off(self, server):
        assign(server, "trip-1")
        assert types(update_trip(server, intermediate_destinations=STOPS).remaining_waypoints) == [PICK, STOP, STOP, DROP]

    def test_trip_that_changes_keeps_its_place_among_others(self, server):
        assign(server, "a", "b", "c")
        update_trip(server, "b", pickup_point={"point": place(25.06)})
        waypoints = get_vehicle(server).waypoints
        assert [waypoint.trip_id for waypoint in waypoints] == ["a", "a", "b", "b", "c", "c"]
        assert types(waypoints) == [PICK, DROP] * 3

    def test_id_may_begin_with_a_combining_mark(self, server):
        vehicle = assign(server, "\u0301a")
        assert (vehicle.current_trips, vehicle.waypoints[0].trip_id) == (["\u0301a"], "\u0301a")

    def test_waypoints_of_earlier_trips_are_the_trips_too(self, server):
        assign(server, "a", "b", "c", trip_type="SHARED")
        assert [waypoint.trip_id for waypoint in get_trip(server, "b").remaining_waypoints] == ["a", "a", "b", "b"]

    def test_all_but_the_first_have_the_route_to_them(self, server):
        vehicle = assign(server, "trip-1")
        route = {"eta", "duration", "distance_meters", "path_to_waypoint"}
        assert [route & fields(waypoint) for waypoint in get_trip(server).remaining_waypoints] == [set(), route]
        assert [route & fields(waypoint) for waypoint in vehicle.waypoints] == [set(), route]

    def test_refused_assignment_leaves_the_old_vehicle_as_it_is(self, server):
        follow(server)
        before = get_vehicle(server)
        with refused("NOT_FOUND"):
            update_trip(server, vehicle_id="nowhere")
        after = get_vehicle(server)
        assert (after.remaining_distance_meters, after.waypoints_version) == (169, before.waypoints_version)

    def test_trip_that_moves_to_another_vehicle_leaves_the_first(self, server):
        assign(server, "trip-1")
        drive(server, "vehicle-2")
        update_trip(server, vehicle_id="vehicle-2")
        assert not {"waypoints", "current_trips"} & fields(get_vehicle(server))
        assert get_vehicle(server, "vehicle-2").current_trips == ["trip-1"]


class TestJourney:
    def test_what_the_device_reports_is_the_trips(self, server):
        trip = follow(server)
        assert JOURNEY | {"last_location", "current_route_segment_end_point"} <= fields(trip)
        assert trip.remaining_distance_meters == 169
        assert 40 < trip.remaining_time_to_first_waypoint.total_seconds() <= 53
        assert trip.pickup_time == trip.eta_to_first_waypoint < trip.dropoff_time
        assert trip.last_location.location.latitude == HERE["latitude"]
        assert [(round(point.latitude, 4), round(point.longitude, 4)) for point in trip.route][-1] == (25.0478, 121.517)

    def test_remaining_time_decreases(self, server, emulator):
        follow(server)
        emulator.advance(20)
        assert 20 < get_trip(server).remaining_time_to_first_waypoint.total_seconds() <= 33

    def test_trip_without_a_vehicle_has_none(self, server):
        create_trip(server)
        assert not JOURNEY & fields(get_trip(server))

    def test_distance_without_a_segment_is_an_estimate(self, server):
        assign(server, "trip-1")
        update_vehicle(server, remaining_distance_meters=7)
        assert get_trip(server).remaining_distance_meters > 100

    def test_pickup_time_is_actual_once_the_vehicle_has_left(self, server, emulator):
        follow(server)
        left = update_trip(server, trip_status="ENROUTE_TO_DROPOFF")
        emulator.advance(60)
        update_vehicle(server, current_route_segment=SEGMENT, remaining_time_seconds=500)
        assert get_trip(server).pickup_time == left.pickup_time

    @pytest.mark.parametrize("before", ["NEW", "ENROUTE_TO_PICKUP", "ENROUTE_TO_DROPOFF"])
    @pytest.mark.parametrize("status", ["COMPLETE", "CANCELED"])
    def test_trip_that_is_over_has_none(self, server, before, status):
        follow(server)
        update_trip(server, trip_status=before)
        over = update_trip(server, trip_status=status)
        assert not (JOURNEY | {"route", "last_location"}) & fields(over)
        assert ("dropoff_time" in fields(over)) == (status == "COMPLETE")
        assert not get_vehicle(server).current_trips

    @pytest.mark.parametrize("is_snapped, segment, expected", [(True, "", False), (False, SEGMENT, False), (True, SEGMENT, True)])
    def test_location_is_snappable_on_a_route(self, server, is_snapped, segment, expected):
        assign(server, "trip-1")
        location = {"location": HERE, "is_road_snapped": is_snapped}
        update_vehicle(server, current_route_segment=segment, last_location=location)
        assert get_trip(server).last_location_snappable == expected

    def test_route_is_there_whatever_version_the_caller_has(self, server):
        first = follow(server)
        versions = {
            version: getattr(first, version)
            for version in (
                "current_route_segment_version", "remaining_waypoints_version", "remaining_waypoints_route_version",
                "current_route_segment_traffic_version",
            )
        }
        assert get_trip(server, **versions).route == first.route
        update_vehicle(server, current_route_segment=LONGER_SEGMENT)
        changed = get_trip(server)
        assert len(changed.route) == 3
        assert changed.current_route_segment_version > first.current_route_segment_version

    def test_polyline_that_only_googles_sdks_read_is_kept(self, server):
        assign(server, "trip-1")
        assert update_vehicle(server, current_route_segment="!").current_route_segment == "!"
        assert len(get_trip(server).route) == 2

    @pytest.mark.parametrize(
        "request_, field", [({"view": "SDK"}, "view"), ({"route_format_type": "LAT_LNG_LIST_TYPE"}, "routeFormatType")]
    )
    def test_other_forms_of_a_trip_are_left_out(self, server, request_, field):
        create_trip(server)
        with refused("METHOD_UNIMPLEMENTED", field):
            get_trip(server, **request_)

    def test_header_is_accepted(self, server):
        create_trip(server)
        assert get_trip(server, header={"region_code": "TW", "language_code": "zh"}).trip_status.name == "NEW"


class TestSearch:
    @pytest.fixture
    def search(self, server):
        """Searches among a trip without a vehicle, one with, and one that is over."""
        assign(server, "b", "c")
        create_trip(server, "a")
        update_trip(server, "c", trip_status="COMPLETE")
        return lambda **request: ids(server.search_trips(parent=PROVIDER, **request).trips)

    @pytest.mark.parametrize(
        "request_, found",
        [
            ({}, ["a", "b", "c"]),
            ({"vehicle_id": "vehicle-1"}, ["b", "c"]),
            ({"vehicle_id": "x"}, []),
            ({"active_trips_only": True}, ["b"]),
            ({"active_trips_only": True, "vehicle_id": "vehicle-1"}, ["b"]),
        ],
    )
    def test_search_finds(self, search, request_, found):
        assert search(**request_) == found

    def test_search_for_what_was_not_updated_is_left_out(self, search):
        with refused("METHOD_UNIMPLEMENTED", "minimumStaleness"):
            search(minimum_staleness={"seconds": 60})

    def test_journey_is_there_for_one_vehicle_only(self, server):
        follow(server)
        for request, expected in (({}, set()), ({"vehicle_id": "vehicle-1"}, JOURNEY)):
            trip = server.search_trips(parent=PROVIDER, **request).trips[0]
            assert JOURNEY & fields(trip) == expected


class TestDeletion:
    def test_active_trip_of_a_vehicle_is_kept(self, server):
        assign(server, "trip-1")
        with refused("TRIP_IS_ACTIVE"):
            server.delete_trip(name=name("trips", "trip-1"))
        update_trip(server, trip_status="CANCELED")
        server.delete_trip(name=name("trips", "trip-1"))

    def test_trip_without_a_vehicle_is_deleted(self, server):
        create_trip(server)
        server.delete_trip(name=name("trips", "trip-1"))
        with refused("NOT_FOUND"):
            get_trip(server)
        with refused("NOT_FOUND"):
            server.delete_trip(name=name("trips", "trip-1"))
