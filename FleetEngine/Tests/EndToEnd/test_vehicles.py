"""Vehicles, as the docstrings of `google-maps-fleetengine` 0.6.1 have them."""

import pytest
from google.protobuf import timestamp_pb2

from apis import PROVIDER
from fleet import (
    HERE, LONGER_SEGMENT, PICKUP, SEGMENT, assign, create_vehicle, drive, fields, get_trip, get_vehicle, ids, name,
    pairs, refused, update_trip, update_vehicle,
)

TRAFFIC = {"traffic_rendering": {"road_stretch": [{"style": "TRAFFIC_JAM", "length_meters": 9}]}}


def report(server, **fields):
    """A vehicle with a trip, which reports a segment to its first stop."""
    assign(server, "trip-1")
    return update_vehicle(server, **{"current_route_segment": SEGMENT} | fields)


class TestCreation:
    def test_what_a_creation_may_have_is_used(self, server):
        assert not create_vehicle(server).back_to_back_enabled
        plate = {"country_code": "TW", "last_character": "7"}
        sent = {"back_to_back_enabled": True, "license_plate": plate, "attributes": pairs("a", "b")}
        vehicle = create_vehicle(server, "vehicle-2", last_location={"location": HERE}, **sent)
        assert (vehicle.back_to_back_enabled, vehicle.license_plate.last_character) == (True, "7")
        assert (vehicle.last_location.location.latitude, len(vehicle.attributes)) == (HERE["latitude"], 2)

    def test_other_fields_are_ignored(self, server):
        others = {
            "current_trips": ["t"], "current_route_segment": SEGMENT, "current_route_segment_end_point": {"trip_id": "t"},
            "current_route_segment_version": {"seconds": 5}, "waypoints_version": {"seconds": 5}, "remaining_distance_meters": 5,
            "eta_to_first_waypoint": {"seconds": 5}, "navigation_status": "OFF_ROUTE", "route": [PICKUP],
        }
        vehicle = create_vehicle(server, name="x", **others)
        assert vehicle.name == name("vehicles", "vehicle-1")
        assert not set(others) & fields(vehicle)

    def test_second_vehicle_with_an_id_is_refused(self, server):
        create_vehicle(server)
        with refused("ALREADY_EXISTS"):
            create_vehicle(server)

    @pytest.mark.parametrize(
        "field, value, rule",
        [
            ("vehicle_state", None, "FIELD_MISSING"),
            ("vehicle_state", "UNKNOWN_VEHICLE_STATE", "FIELD_MISSING"),
            ("supported_trip_types", [], "FIELD_MISSING"),
            ("supported_trip_types", ["UNKNOWN_TRIP_TYPE"], "FIELD_INVALID"),
            ("supported_trip_types", ["SHARED", "UNKNOWN_TRIP_TYPE"], "FIELD_INVALID"),
            ("maximum_capacity", 0, "FIELD_MISSING"),
            ("maximum_capacity", -1, "FIELD_MISSING"),
            ("vehicle_type", None, "FIELD_MISSING"),
            ("vehicle_type", {"category": "UNKNOWN"}, "FIELD_MISSING"),
        ],
    )
    def test_field_that_a_vehicle_needs(self, server, field, value, rule):
        with refused(rule, f"vehicle.{field}"):
            create_vehicle(server, **{field: value})
        create_vehicle(server)
        with refused(rule, f"vehicle.{field}"):
            update_vehicle(server, **{field: value})


class TestUpdate:
    @pytest.mark.parametrize(
        "field", ["current_route_segment_version", "current_trips", "name", "waypoints", "waypoints_version"]
    )
    def test_field_that_fleet_engine_maintains(self, server, field):
        create_vehicle(server)
        with refused("MASK_FIELD_OUTPUT_ONLY", "update_mask"):
            server.update_vehicle(name=name("vehicles", "vehicle-1"), vehicle={}, update_mask={"paths": [field]})

    def test_field_that_is_left_out(self, server):
        create_vehicle(server)
        with refused("METHOD_UNIMPLEMENTED", "deviceSettings"):
            update_vehicle(server, device_settings={})

    def test_vehicle_as_it_was_got_can_be_sent_back(self, server):
        vehicle = assign(server, "trip-1")
        vehicle.maximum_capacity = 5
        changed = server.update_vehicle(name=vehicle.name, vehicle=vehicle, update_mask={"paths": ["maximum_capacity"]})
        assert (changed.maximum_capacity, len(changed.waypoints)) == (5, 2)

    def test_value_changes(self, server):
        create_vehicle(server)
        vehicle = update_vehicle(server, maximum_capacity=1, vehicle_type={"category": "BICYCLE"})
        assert (vehicle.maximum_capacity, vehicle.vehicle_type.category.name) == (1, "BICYCLE")

    def test_attributes_are_replaced(self, server):
        create_vehicle(server, attributes=pairs("a", "b"))
        assert [attribute.key for attribute in update_vehicle(server, attributes=pairs("c")).attributes] == ["c"]
        assert list(update_vehicle(server, attributes=[]).attributes) == []


class TestLocation:
    @pytest.mark.parametrize(
        "location, rule, field",
        [
            ({"location_sensor": "FLEET_ENGINE_LOCATION"}, "LOCATION_SENSOR_RESERVED", ".location_sensor"),
            ({"heading": -1}, "FIELD_INVALID", ".heading"),
            ({"heading": 360}, "FIELD_INVALID", ".heading"),
            ({"location": {"latitude": 90.1, "longitude": 0}}, "FIELD_INVALID", ".location"),
            ({"location": {"latitude": 0, "longitude": -180.1}}, "FIELD_INVALID", ".location"),
        ],
    )
    def test_location_that_is_refused(self, server, location, rule, field):
        create_vehicle(server)
        location = {"location": HERE} | location
        with refused(rule, f"vehicle.last_location{field}"):
            update_vehicle(server, last_location=location)
        with refused(rule, f"vehicle.past_locations[1]{field}"):
            update_vehicle(server, past_locations=[{"location": HERE}, location])

    @pytest.mark.parametrize("heading", [0, 359])
    def test_location_is_kept_with_the_servers_time(self, server, heading):
        create_vehicle(server)
        location = {"location": HERE, "heading": heading, "location_sensor": "CORE_LOCATION", "server_time": {"seconds": 1}}
        kept = update_vehicle(server, last_location=location).last_location
        assert (kept.heading, kept.location_sensor.name) == (heading, "CORE_LOCATION")
        assert kept.server_time.timestamp() > 1e9

    def test_location_is_not_estimated(self, server, emulator):
        drive(server)
        emulator.advance(60)
        assert get_vehicle(server).last_location.location.latitude == HERE["latitude"]


class TestSegment:
    def test_input_is_never_in_a_response(self, server):
        sent = {"past_locations": [{"location": HERE}], "remaining_time_seconds": 53, "current_route_segment_traffic": TRAFFIC}
        assert not set(sent) & (fields(report(server, **sent)) | fields(get_vehicle(server)))
        assert "current_route_segment_traffic" not in fields(get_trip(server))

    def test_distance_is_about_the_segment(self, server):
        assign(server, "trip-1")
        assert update_vehicle(server, remaining_distance_meters=7).remaining_distance_meters is None
        update_vehicle(server, current_route_segment=SEGMENT)
        assert update_vehicle(server, remaining_distance_meters=8).remaining_distance_meters == 8
        assert update_vehicle(server, current_route_segment="").remaining_distance_meters is None

    def test_time_is_about_the_segment(self, server):
        eta = {"eta_to_first_waypoint": {"seconds": 99}}
        assert report(server, **eta).eta_to_first_waypoint.timestamp() == 99
        assert get_trip(server).eta_to_first_waypoint.timestamp() == 99
        assert "eta_to_first_waypoint" not in fields(update_vehicle(server, current_route_segment="", **eta))
        drive(server, "no-waypoints")
        vehicle = update_vehicle(server, "no-waypoints", current_route_segment=SEGMENT, **eta)
        assert "eta_to_first_waypoint" not in fields(vehicle)

    def test_remaining_time_comes_before_the_time_of_arrival(self, server):
        vehicle = report(server, remaining_time_seconds=53, eta_to_first_waypoint={"seconds": 99})
        assert vehicle.eta_to_first_waypoint.timestamp() > 1e9

    def test_end_point_is_kept(self, server):
        vehicle = report(server, current_route_segment_end_point={"trip_id": "trip-1"})
        assert vehicle.current_route_segment_end_point.trip_id == "trip-1"

    def test_versions_change_with_segment_and_waypoints(self, server):
        vehicle = report(server)
        # The caller's versions don't matter.
        versions = ("current_route_segment_version", "waypoints_version")
        again = get_vehicle(server, **{version: getattr(vehicle, version) for version in versions})
        assert (again.current_route_segment, len(again.waypoints)) == (SEGMENT, 2)
        longer = update_vehicle(server, current_route_segment=LONGER_SEGMENT)
        assert longer.current_route_segment_version > vehicle.current_route_segment_version
        update_trip(server, trip_status="ENROUTE_TO_DROPOFF")
        assert get_vehicle(server).waypoints_version > vehicle.waypoints_version

    @pytest.mark.parametrize("time", ["9999-12-31T23:59:59Z", "0001-01-01T00:00:00Z"])
    @pytest.mark.parametrize("meters", [2**31 - 1, -(2**31)])
    def test_reports_at_the_end_of_their_range(self, server, time, meters):
        eta = timestamp_pb2.Timestamp()
        eta.FromJsonString(time)
        report(server, eta_to_first_waypoint=eta, remaining_distance_meters=meters)
        trip = get_trip(server)
        assert (trip.remaining_distance_meters, len(trip.remaining_waypoints)) == (meters, 2)


class TestDeletion:
    def test_vehicle_with_a_trip_is_kept(self, server):
        assign(server, "trip-1")
        with refused("VEHICLE_HAS_TRIPS"):
            server.delete_vehicle(name=name("vehicles", "vehicle-1"))
        update_trip(server, trip_status="COMPLETE")
        server.delete_vehicle(name=name("vehicles", "vehicle-1"))
        with refused("NOT_FOUND"):
            get_vehicle(server)


class TestList:
    @pytest.fixture
    def list(self, server):
        """Lists a vehicle of each capacity, with another state, type or trip."""
        drive(server, "one", maximum_capacity=1, attributes=pairs("a", "b"))
        drive(server, "two", maximum_capacity=2, vehicle_type={"category": "TAXI"}, vehicle_state="OFFLINE", attributes=pairs("a"))
        assign(server, "trip-1", vehicle="three", maximum_capacity=3, attributes=pairs("b"))
        request = {"parent": PROVIDER, "vehicle_type_categories": ["AUTO", "TAXI"]}
        return lambda **change: ids(server.list_vehicles(**request | change).vehicles)

    @pytest.mark.parametrize(
        "request_, found",
        [
            ({}, ["one", "three", "two"]),
            ({"vehicle_type_categories": ["TAXI"]}, ["two"]),
            ({"minimum_capacity": 0}, ["one", "three", "two"]),
            ({"minimum_capacity": 2}, ["three", "two"]),
            ({"trip_types": ["SHARED"]}, ["three"]),
            ({"trip_types": ["SHARED", "EXCLUSIVE"]}, ["one", "three", "two"]),
            ({"vehicle_state": "OFFLINE"}, ["two"]),
            ({"vehicle_state": "ONLINE"}, ["one", "three"]),
            ({"on_trip_only": True}, ["three"]),
            ({"filter": 'attributes.a = "1"'}, ["one", "two"]),
            ({"filter": 'attributes.a = "1"', "vehicle_state": "OFFLINE"}, ["two"]),
        ],
    )
    def test_list_has(self, list, request_, found):
        assert list(**request_) == found

    def test_list_has_what_was_located_lately(self, server, emulator, list):
        create_vehicle(server, "never-located")
        lately = {"maximum_staleness": {"seconds": 60}}
        emulator.advance(55)
        assert list(**lately) == ["one", "three", "two"]
        emulator.advance(10)
        assert list(**lately) == []
        assert "never-located" in list()

    @pytest.mark.parametrize(
        "request_, rule, field",
        [
            ({"vehicle_type_categories": []}, "FIELD_MISSING", "vehicle_type_categories"),
            ({"vehicle_type_categories": ["AUTO", "UNKNOWN"]}, "FIELD_INVALID", "vehicle_type_categories"),
            ({"minimum_capacity": -1}, "FIELD_INVALID", "minimum_capacity"),
            ({"maximum_staleness": {"seconds": 0}}, "FIELD_INVALID", "maximum_staleness"),
            ({"maximum_staleness": {"seconds": -1}}, "FIELD_INVALID", "maximum_staleness"),
            ({"filter": "vehicle_state = ONLINE"}, "FIELD_INVALID", "filter"),
            ({"viewport": {"low": HERE, "high": HERE}}, "METHOD_UNIMPLEMENTED", "viewport.low.latitude"),
        ],
    )
    def test_list_that_is_refused(self, server, request_, rule, field):
        with refused(rule, field):
            server.list_vehicles(**{"parent": PROVIDER, "vehicle_type_categories": ["AUTO"]} | request_)
