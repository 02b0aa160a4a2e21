"""Delivery vehicles and their stops, as the docstrings of `google-maps-fleetengine-delivery` 0.6.1 have them."""

import pytest

from apis import PROVIDER
from fleet import (
    DROPOFF, HERE, SEGMENT, create_route, create_task, create_van, fields, get_task, get_van, ids, name, pairs, place,
    refused, set_stops, stop, track, update_task, update_van,
)

ROUTE = SEGMENT.encode()
ABOUT_SEGMENT = {"current_route_segment_end_point": HERE, "remaining_distance_meters": 7, "remaining_duration": {"seconds": 7}}
STOPS = "delivery_vehicle.remaining_vehicle_journey_segments"


def first_segment(server):
    return get_van(server).remaining_vehicle_journey_segments[0]


def shared_segments(server, id="task-1"):
    """What a recipient sees of the route."""
    return get_task(server, id).journey_sharing_info.remaining_vehicle_journey_segments


class TestCreation:
    def test_van_needs_nothing(self, delivery_server):
        van = create_van(delivery_server, name="x")
        assert (van.name, van.type_.name) == (name("deliveryVehicles", "van-1"), "AUTO")

    def test_what_a_creation_may_have_is_used(self, delivery_server):
        create_van(delivery_server, type_="BICYCLE", attributes=pairs("a:b"), last_location={"location": HERE})
        van = update_van(delivery_server, navigation_status="OFF_ROUTE")
        assert (van.type_.name, van.attributes[0].key) == ("BICYCLE", "a:b")
        assert van.last_location.location.latitude == HERE["latitude"]

    @pytest.mark.parametrize(
        "field, value",
        [
            ("navigation_status", "OFF_ROUTE"), ("current_route_segment", ROUTE), ("past_locations", [{"location": HERE}]),
            ("remaining_vehicle_journey_segments", [stop()]), *ABOUT_SEGMENT.items(),
        ],
    )
    def test_field_that_comes_later(self, delivery_server, field, value):
        with refused("FIELD_FORBIDDEN", f"delivery_vehicle.{field}"):
            create_van(delivery_server, **{field: value})

    def test_second_van_with_an_id_is_refused(self, delivery_server):
        create_van(delivery_server)
        with refused("ALREADY_EXISTS"):
            create_van(delivery_server)


class TestUpdate:
    @pytest.mark.parametrize("field", ["last_location", "past_locations"])
    def test_location_is_checked(self, delivery_server, field):
        create_van(delivery_server)
        location = {"location": HERE, "heading": 360}
        path = "last_location" if field == "last_location" else "past_locations[0]"
        with refused("FIELD_INVALID", f"delivery_vehicle.{path}.heading"):
            update_van(delivery_server, **{field: location if field == "last_location" else [location]})

    def test_location_has_the_servers_time(self, delivery_server):
        create_van(delivery_server)
        van = update_van(delivery_server, last_location={"location": HERE}, past_locations=[{"location": HERE}])
        assert van.last_location.server_time.timestamp() > 1e9
        assert "past_locations" not in fields(van)

    def test_name_is_fixed(self, delivery_server):
        create_van(delivery_server)
        with refused("MASK_FIELD_OUTPUT_ONLY", "update_mask"):
            update_van(delivery_server, name=name("deliveryVehicles", "van-1"))

    def test_van_that_does_not_exist(self, delivery_server):
        with refused("NOT_FOUND"):
            update_van(delivery_server, navigation_status="OFF_ROUTE")

    def test_distance_and_time_are_about_the_segment(self, delivery_server):
        create_van(delivery_server)
        about = set(ABOUT_SEGMENT)
        assert not about & fields(update_van(delivery_server, **ABOUT_SEGMENT))
        assert about <= fields(update_van(delivery_server, **ABOUT_SEGMENT, current_route_segment=ROUTE))
        assert update_van(delivery_server, remaining_distance_meters=8).remaining_distance_meters == 8
        assert not about & fields(update_van(delivery_server, current_route_segment=b""))


class TestStops:
    def test_stop_needs_a_place(self, delivery_server):
        create_route(delivery_server)
        with refused("FIELD_MISSING", f"{STOPS}[1].stop.planned_location"):
            set_stops(delivery_server, stop("task-1"), {"stop": {"planned_location": {}}})

    def test_stop_needs_tasks_that_exist(self, delivery_server):
        create_van(delivery_server)
        with refused("ID_INVALID", f"{STOPS}[0].stop.tasks[0].task_id"):
            set_stops(delivery_server, stop("a/b"))
        with refused("NOT_FOUND"):
            set_stops(delivery_server, stop("nowhere"))

    def test_stop_needs_open_tasks(self, delivery_server):
        create_van(delivery_server)
        create_task(delivery_server)
        update_task(delivery_server, state="CLOSED")
        with refused("FIELD_INVALID", STOPS):
            set_stops(delivery_server, stop("task-1"))

    def test_task_of_another_van_is_refused(self, delivery_server):
        create_route(delivery_server)
        create_van(delivery_server, "van-2")
        with refused("TASK_IS_ASSIGNED", STOPS):
            set_stops(delivery_server, stop("task-1"), id="van-2")
        assert get_task(delivery_server).delivery_vehicle_id == "van-1"

    def test_task_that_is_left_out_is_closed(self, delivery_server):
        create_route(delivery_server)
        van = set_stops(delivery_server, stop("task-2", point=DROPOFF))
        assert van.remaining_vehicle_journey_segments[0].stop.tasks[0].task_duration.total_seconds() == 90
        assert [get_task(delivery_server, id).state.name for id in ("task-1", "task-2")] == ["CLOSED", "OPEN"]

    def test_stop_has_its_tasks_duration_and_window(self, delivery_server):
        create_route(delivery_server)
        update_task(delivery_server, target_time_window={"start_time": {"seconds": 5}, "end_time": {"seconds": 9}})
        first, second = (segment.stop.tasks[0] for segment in get_van(delivery_server).remaining_vehicle_journey_segments)
        assert (first.target_time_window.end_time.timestamp(), second.task_duration.total_seconds()) == (9, 90)
        # The response to an update has no window.
        van = update_van(delivery_server, navigation_status="OFF_ROUTE")
        assert "target_time_window" not in fields(van.remaining_vehicle_journey_segments[0].stop.tasks[0])

    def test_route_of_a_request_is_ignored(self, delivery_server):
        create_van(delivery_server, last_location={"location": HERE})
        create_task(delivery_server)
        sent = stop("task-1") | {"driving_distance_meters": 7, "path": [HERE] * 9}
        segment = set_stops(delivery_server, sent).remaining_vehicle_journey_segments[0]
        assert segment.driving_distance_meters > 100
        assert len(segment.path) == 2

    def test_route_begins_where_the_van_was(self, delivery_server):
        create_route(delivery_server)
        update_van(delivery_server, last_location={"location": place(25.2)})
        assert round(first_segment(delivery_server).path[0].latitude, 3) == 25.046
        set_stops(delivery_server, stop("task-1", state="ENROUTE"), stop("task-2", point=DROPOFF))
        first, second = get_van(delivery_server).remaining_vehicle_journey_segments
        assert (round(first.path[0].latitude, 3), round(second.path[0].latitude, 4)) == (25.046, 25.0478)

    def test_route_begins_with_a_location_that_comes_later(self, delivery_server):
        create_van(delivery_server)
        create_task(delivery_server)
        set_stops(delivery_server, stop("task-1"))
        update_van(delivery_server, last_location={"location": HERE})
        assert len(first_segment(delivery_server).path) == 2

    def test_segment_of_the_device_is_the_route_to_the_first_stop(self, delivery_server, emulator):
        create_route(delivery_server)
        update_van(
            delivery_server, current_route_segment=ROUTE, remaining_distance_meters=777, remaining_duration={"seconds": 77}
        )
        # However old it is.
        emulator.advance(3000)
        (segment,) = shared_segments(delivery_server)
        assert [round(point.latitude, 4) for point in segment.path] == [25.046, 25.0478]
        assert (segment.driving_distance_meters, segment.driving_duration.total_seconds()) == (777, 77)
        assert track(delivery_server, "parcel-1").remaining_driving_distance_meters == 777

    def test_route_without_a_segment_begins_at_the_last_location(self, delivery_server):
        create_route(delivery_server)
        update_van(delivery_server, last_location={"location": place(25.05)})
        assert round(shared_segments(delivery_server)[0].path[0].latitude, 2) == 25.05


class TestUntrustedDriver:
    @pytest.fixture
    def driver(self, api, tokend, delivery_server):
        create_route(delivery_server)
        return api(tokend.token("delivery_driver", "van-1"))

    @pytest.mark.parametrize(
        "stops",
        [
            [stop("task-1", state="ENROUTE"), stop("task-2", point=DROPOFF)],
            [stop("task-1", state="ARRIVED"), stop("task-2", point=DROPOFF)],
            [stop("task-2", point=DROPOFF, state="ENROUTE")],
            [],
        ],
    )
    def test_driver_goes_on(self, driver, stops):
        assert len(set_stops(driver, *stops).remaining_vehicle_journey_segments) == len(stops)

    @pytest.mark.parametrize(
        "stops",
        [
            [stop("task-2", point=DROPOFF), stop("task-1")],
            [stop("task-1")],
            [stop("task-1", "task-2"), stop("task-2", point=DROPOFF)],
            [stop("task-1"), stop("task-2", point=DROPOFF), stop()],
        ],
    )
    def test_driver_does_not_plan(self, driver, stops):
        with refused("ROLE_FORBIDS"):
            set_stops(driver, *stops)

    def test_driver_sets_the_outcome_of_own_tasks_only(self, delivery_server, driver):
        assert update_task(driver, task_outcome="SUCCEEDED").task_outcome.name == "SUCCEEDED"
        with refused("ROLE_FORBIDS"):
            update_task(driver, tracking_id="x")
        create_task(delivery_server, "other")
        with refused("CLAIM_MISMATCH"):
            update_task(driver, "other", task_outcome="FAILED")


class TestList:
    @pytest.fixture
    def list(self, delivery_server):
        create_van(delivery_server, "van-1", attributes=[*pairs("a"), {"key": "n", "number_value": 10}])
        create_van(delivery_server, "van-2", attributes=[{"key": "n", "number_value": 2.5}])
        return lambda filter: ids(delivery_server.list_delivery_vehicles(parent=PROVIDER, filter=filter))

    @pytest.mark.parametrize(
        "filter, found",
        [
            ("", ["van-1", "van-2"]),
            ('attributes.a = "1"', ["van-1"]),
            ("attributes.a = one", []),
            # All attributes are compared as texts.
            ('attributes.n = "10"', ["van-1"]),
            ('attributes.n = "2.5"', ["van-2"]),
        ],
    )
    def test_list_has(self, list, filter, found):
        assert list(filter) == found

    @pytest.mark.parametrize("filter", ["attributes.n = 10", "attributes.n = true", "type = AUTO"])
    def test_filter_that_is_refused(self, list, filter):
        with refused("FIELD_INVALID", "filter"):
            list(filter)

    def test_list_has_no_stops(self, delivery_server):
        create_route(delivery_server)
        page = delivery_server.list_delivery_vehicles(parent=PROVIDER)
        assert page.total_size == 1
        assert [len(van.remaining_vehicle_journey_segments) for van in page] == [0]


class TestDeletion:
    def test_van_with_an_open_task_is_kept(self, delivery_server):
        create_route(delivery_server)
        with refused("VEHICLE_HAS_TASKS"):
            delivery_server.delete_delivery_vehicle(name=name("deliveryVehicles", "van-1"))
        set_stops(delivery_server)
        delivery_server.delete_delivery_vehicle(name=name("deliveryVehicles", "van-1"))
        with refused("NOT_FOUND"):
            get_van(delivery_server)
