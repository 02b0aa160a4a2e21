"""Tasks and what recipients see of them, as the docstrings of `google-maps-fleetengine-delivery` 0.6.1 have them."""

import pytest

from apis import PROVIDER
from fleet import (
    DROPOFF, HERE, PICKUP, SEGMENT, TASK, create_route, create_task, create_van, fields, get_task, ids, name, pairs, refused,
    set_stops, stop, track, update_task, update_van,
)

WINDOW = {"start_time": {"seconds": 5}, "end_time": {"seconds": 9}}


class TestCreation:
    @pytest.mark.parametrize(
        "change, rule, field",
        [
            ({"type_": None}, "FIELD_MISSING", "type"),
            ({"state": None}, "FIELD_INVALID", "state"),
            ({"state": "CLOSED"}, "FIELD_INVALID", "state"),
            *(({"type_": type, "tracking_id": ""}, "FIELD_MISSING", "tracking_id") for type in ("PICKUP", "DELIVERY")),
            *(({"type_": type}, "FIELD_FORBIDDEN", "tracking_id") for type in ("SCHEDULED_STOP", "UNAVAILABLE")),
            ({"tracking_id": "a/b"}, "ID_INVALID", "tracking_id"),
            *(({"type_": type, "planned_location": None}, "FIELD_MISSING", "planned_location") for type in ("PICKUP", "DELIVERY")),
            ({"type_": "SCHEDULED_STOP", "tracking_id": "", "planned_location": None}, "FIELD_MISSING", "planned_location"),
            ({"planned_location": {}}, "FIELD_MISSING", "planned_location"),
            ({"task_duration": None}, "FIELD_MISSING", "task_duration"),
            ({"task_duration": {"seconds": -1}}, "FIELD_INVALID", "task_duration"),
            ({"target_time_window": {"start_time": {"seconds": 5}}}, "FIELD_MISSING", "target_time_window.end_time"),
            ({"target_time_window": {"end_time": {"seconds": 5}}}, "FIELD_MISSING", "target_time_window.start_time"),
            ({"task_outcome": "SUCCEEDED"}, "FIELD_FORBIDDEN", "task_outcome"),
            ({"task_outcome_time": {"seconds": 5}}, "FIELD_FORBIDDEN", "task_outcome_time"),
            ({"task_outcome_location": PICKUP}, "FIELD_FORBIDDEN", "task_outcome_location"),
            ({"task_outcome_location_source": "PROVIDER"}, "FIELD_FORBIDDEN", "task_outcome_location_source"),
            ({"delivery_vehicle_id": "van-1"}, "FIELD_FORBIDDEN", "delivery_vehicle_id"),
            ({"journey_sharing_info": {"last_location_snappable": True}}, "FIELD_FORBIDDEN", "journey_sharing_info"),
        ],
    )
    def test_task_that_is_refused(self, delivery_server, change, rule, field):
        with refused(rule, f"task.{field}"):
            create_task(delivery_server, **change)

    def test_what_a_creation_may_have_is_used(self, delivery_server):
        visibility = {"vehicle_location_visibility": {"always": True}}
        task = create_task(
            delivery_server, name="x", target_time_window=WINDOW, task_tracking_view_config=visibility, attributes=pairs("a")
        )
        assert (task.name, task.target_time_window.end_time.timestamp()) == (name("tasks", "task-1"), 9)
        assert task.task_tracking_view_config.vehicle_location_visibility.always
        assert task.attributes[0].key == "a"

    def test_time_off_needs_no_place(self, delivery_server):
        assert create_task(delivery_server, type_="UNAVAILABLE", tracking_id="", planned_location=None).type_.name == "UNAVAILABLE"

    def test_second_task_with_an_id_is_refused(self, delivery_server):
        create_task(delivery_server)
        with refused("ALREADY_EXISTS"):
            create_task(delivery_server)
        # Two tasks may have one tracking ID.
        assert create_task(delivery_server, "task-2").tracking_id == "parcel-1"


class TestBatch:
    def create(self, client, *ids, **batch):
        requests = [{"parent": PROVIDER, "task_id": id, "task": TASK} for id in ids]
        return client.batch_create_tasks(parent=PROVIDER, **{"requests": requests} | batch).tasks

    @pytest.mark.parametrize("count", [1, 500])
    def test_batch_is_created(self, delivery_server, count):
        assert len(self.create(delivery_server, *(f"task-{number}" for number in range(count)))) == count

    @pytest.mark.parametrize("count", [0, 501])
    def test_batch_of_another_size_is_refused(self, delivery_server, count):
        with refused("FIELD_INVALID", "requests"):
            self.create(delivery_server, *(f"task-{number}" for number in range(count)))

    @pytest.mark.parametrize(
        "wrong, rule, field",
        [
            ({"task": TASK | {"state": "CLOSED"}}, "FIELD_INVALID", "task.state"),
            ({"task_id": "exists"}, "ALREADY_EXISTS", None),
            ({"parent": "providers/demo-other"}, "FIELD_INVALID", "requests[1].parent"),
        ],
    )
    def test_batch_is_created_whole_or_not_at_all(self, delivery_server, wrong, rule, field):
        create_task(delivery_server, "exists")
        first = {"task_id": "task-1", "task": TASK}
        with refused(rule, field):
            self.create(delivery_server, requests=[first, {"task_id": "task-2", "task": TASK} | wrong])
        assert ids(delivery_server.list_tasks(parent=PROVIDER)) == ["exists"]

    def test_token_for_a_batch_is_for_its_tasks_alone(self, api, tokend):
        worker = api(tokend.batch_token("task-3", "task-4"))
        assert len(self.create(worker, "task-3", "task-4")) == 2
        with refused("CLAIM_MISMATCH"):
            self.create(worker, "task-3", "task-5")


class TestUpdate:
    @pytest.mark.parametrize(
        "change",
        [
            {"tracking_id": "x"}, {"tracking_id": ""}, {"planned_location": DROPOFF}, {"task_duration": {"seconds": 61}},
        ],
    )
    def test_field_that_is_fixed(self, delivery_server, change):
        create_task(delivery_server)
        with refused("FIELD_IMMUTABLE", f"task.{next(iter(change))}"):
            update_task(delivery_server, **change)

    def test_type_is_fixed(self, delivery_server):
        create_task(delivery_server)
        for type in ("DELIVERY", "PICKUP"):
            request = {"task": {"name": name("tasks", "task-1"), "type_": type}, "update_mask": {"paths": ["type"]}}
            if type == "DELIVERY":
                assert delivery_server.update_task(**request).type_.name == type
            else:
                with refused("FIELD_IMMUTABLE", "task.type"):
                    delivery_server.update_task(**request)

    @pytest.mark.parametrize(
        "path",
        [
            "name", "delivery_vehicle_id", "task_outcome_location_source", "journey_sharing_info",
            "journey_sharing_info.last_location",
        ],
    )
    def test_field_that_fleet_engine_maintains(self, delivery_server, path):
        create_task(delivery_server)
        with refused("MASK_FIELD_OUTPUT_ONLY", "update_mask"):
            delivery_server.update_task(task={"name": name("tasks", "task-1")}, update_mask={"paths": [path]})

    def test_task_without_a_vehicle_is_closed_for_good(self, delivery_server):
        create_task(delivery_server)
        with refused("FIELD_INVALID", "task.state"):
            update_task(delivery_server, state="STATE_UNSPECIFIED")
        assert update_task(delivery_server, state="CLOSED").state.name == "CLOSED"
        with refused("FIELD_INVALID", "task.state"):
            update_task(delivery_server, state="OPEN")

    def test_task_of_a_vehicle_is_not_closed(self, delivery_server):
        create_route(delivery_server)
        with refused("TASK_IS_ASSIGNED", "task.state"):
            update_task(delivery_server, state="CLOSED")


class TestOutcome:
    @pytest.fixture
    def task(self, delivery_server):
        """A task that a van has."""
        create_van(delivery_server, last_location={"location": HERE})
        create_task(delivery_server)
        set_stops(delivery_server, stop("task-1"))

    @pytest.mark.parametrize("outcome", ["SUCCEEDED", "TASK_OUTCOME_UNSPECIFIED"])
    def test_outcome_is_final(self, delivery_server, task, outcome):
        for _ in range(2):
            assert update_task(delivery_server, task_outcome="FAILED").task_outcome.name == "FAILED"
        with refused("OUTCOME_IS_SET", "task.task_outcome"):
            update_task(delivery_server, task_outcome=outcome)
        assert track(delivery_server, "parcel-1").task_outcome.name == "FAILED"

    @pytest.mark.parametrize("sent, seconds", [({}, None), ({"task_outcome_time": {"seconds": 5}}, 5)])
    def test_time_is_that_of_the_outcome(self, delivery_server, emulator, task, sent, seconds):
        time = update_task(delivery_server, task_outcome="SUCCEEDED", **sent).task_outcome_time
        assert time.timestamp() == seconds if seconds else time.timestamp() > 1.7e9
        emulator.advance(60)
        assert update_task(delivery_server, task_outcome="SUCCEEDED").task_outcome_time == time

    def test_location_is_the_vans_by_default(self, delivery_server, task):
        update_task(delivery_server, task_outcome="SUCCEEDED")
        # It stays after the van has gone on.
        update_van(delivery_server, last_location={"location": DROPOFF["point"]})
        done = update_task(delivery_server, task_outcome="SUCCEEDED")
        assert done.task_outcome_location.point.latitude == HERE["latitude"]
        assert done.task_outcome_location_source.name == "LAST_VEHICLE_LOCATION"

    @pytest.mark.parametrize("is_later", [False, True])
    def test_location_of_the_provider_is_preferred(self, delivery_server, task, is_later):
        location = {"task_outcome_location": DROPOFF}
        done = update_task(delivery_server, task_outcome="SUCCEEDED", **({} if is_later else location))
        if is_later:
            done = update_task(delivery_server, **location)
        assert done.task_outcome_location.point.latitude == DROPOFF["point"]["latitude"]
        assert done.task_outcome_location_source.name == "PROVIDER"

    def test_task_without_a_vehicle_has_no_location(self, delivery_server):
        create_task(delivery_server)
        done = update_task(delivery_server, task_outcome="SUCCEEDED")
        assert not {"task_outcome_location", "task_outcome_location_source"} & fields(done)


class TestJourney:
    def test_task_of_a_vehicle_has_the_route_without_the_stops(self, delivery_server):
        create_route(delivery_server)
        info = get_task(delivery_server, "task-2").journey_sharing_info
        assert [fields(segment.stop) for segment in info.remaining_vehicle_journey_segments] == [set(), set()]
        assert info.last_location.location.latitude == HERE["latitude"]

    def test_task_that_is_not_on_its_way_has_none(self, delivery_server):
        assert "journey_sharing_info" not in fields(create_task(delivery_server, "alone"))
        create_route(delivery_server)
        set_stops(delivery_server)
        assert "journey_sharing_info" not in fields(get_task(delivery_server))

    @pytest.mark.parametrize("segment", [b"", SEGMENT.encode()])
    def test_location_is_snappable_on_a_route(self, delivery_server, segment):
        create_route(delivery_server)
        location = {"location": HERE, "is_road_snapped": True}
        update_van(delivery_server, current_route_segment=segment, last_location=location)
        assert get_task(delivery_server).journey_sharing_info.last_location_snappable == bool(segment)


class TestTracking:
    def test_recipient_sees_what_the_task_says(self, delivery_server):
        create_task(delivery_server, target_time_window=WINDOW, attributes=pairs("a"))
        info = track(delivery_server, "parcel-1")
        assert (info.target_time_window.start_time.timestamp(), info.attributes[0].string_value) == (5, "1")
        assert info.remaining_stop_count is None

    def test_recipient_of_two_tasks_sees_the_first_open_one(self, delivery_server):
        create_task(delivery_server)
        create_task(delivery_server, "task-2", planned_location=DROPOFF)
        update_task(delivery_server, state="CLOSED")
        assert track(delivery_server, "parcel-1").planned_location.point.latitude == DROPOFF["point"]["latitude"]

    def test_stops_are_counted(self, delivery_server):
        create_route(delivery_server)
        assert [track(delivery_server, id).remaining_stop_count for id in ("parcel-1", "parcel-2")] == [1, 2]
        set_stops(delivery_server, stop("task-2", point=DROPOFF))
        assert track(delivery_server).remaining_stop_count == 1

    def test_route_is_that_of_all_segments(self, delivery_server):
        create_route(delivery_server)
        segments = get_task(delivery_server, "task-2").journey_sharing_info.remaining_vehicle_journey_segments
        info = track(delivery_server)
        assert info.remaining_driving_distance_meters == sum(segment.driving_distance_meters for segment in segments)
        assert len(info.route_polyline_points) == 4

    @pytest.mark.parametrize("seconds", [60, 600])
    def test_arrival_counts_the_stops_before(self, delivery_server, seconds):
        create_van(delivery_server)
        create_task(delivery_server, task_duration={"seconds": seconds})
        create_task(delivery_server, "task-2", tracking_id="parcel-2", planned_location=DROPOFF, task_duration={"seconds": 90})
        set_stops(delivery_server, stop("task-1"), stop("task-2", point=DROPOFF))
        now = update_van(delivery_server, last_location={"location": HERE}).last_location.server_time
        segments = get_task(delivery_server, "task-2").journey_sharing_info.remaining_vehicle_journey_segments
        driving = sum(segment.driving_duration.total_seconds() for segment in segments)
        info = track(delivery_server)
        assert round((info.estimated_arrival_time - now).total_seconds() - driving) == seconds
        assert (info.estimated_task_completion_time - info.estimated_arrival_time).total_seconds() == 90

    @pytest.mark.parametrize(
        "option, is_visible",
        [
            ({"always": True}, True),
            ({"never": True}, False),
            ({"remaining_stop_count_threshold": 1}, False),
            ({"remaining_stop_count_threshold": 2}, True),
            ({"remaining_driving_distance_meters_threshold": 100}, False),
            ({"remaining_driving_distance_meters_threshold": 100_000}, True),
            ({"duration_until_estimated_arrival_time_threshold": {"seconds": 1}}, False),
            ({"duration_until_estimated_arrival_time_threshold": {"seconds": 3600}}, True),
        ],
    )
    def test_location_is_visible_as_the_task_says(self, delivery_server, option, is_visible):
        create_route(delivery_server)
        update_task(delivery_server, "task-2", task_tracking_view_config={"vehicle_location_visibility": option})
        assert ("vehicle_location" in fields(track(delivery_server))) == is_visible

    @pytest.mark.parametrize("meters", [2**31 - 1, -(2**31)])
    def test_values_at_the_end_of_their_range(self, api, tokend, delivery_server, meters):
        create_van(delivery_server, last_location={"location": HERE})
        create_task(delivery_server)
        create_task(delivery_server, "task-2", tracking_id="parcel-2", task_duration={"seconds": 315_576_000_000})
        set_stops(delivery_server, stop("task-1"), stop("task-2"))
        update_van(delivery_server, current_route_segment=SEGMENT.encode(), remaining_distance_meters=meters)
        info = track(api(tokend.token("delivery_consumer", "parcel-2")))
        assert info.remaining_driving_distance_meters == meters
        assert info.estimated_arrival_time < info.estimated_task_completion_time


class TestList:
    @pytest.fixture
    def list(self, delivery_server):
        """Lists three tasks of different types and states."""
        create_task(delivery_server, "1", attributes=pairs("a"))
        create_task(delivery_server, "2", type_="PICKUP", tracking_id="p2", attributes=[{"key": "a", "string_value": "2"}])
        create_task(delivery_server, "3", type_="UNAVAILABLE", tracking_id="", planned_location=None)
        update_task(delivery_server, "2", task_outcome="SUCCEEDED")
        update_task(delivery_server, "3", state="CLOSED")
        return lambda filter: "".join(ids(delivery_server.list_tasks(parent=PROVIDER, filter=filter)))

    @pytest.mark.parametrize(
        "filter, found",
        [
            ("", "123"), ("state = OPEN", "12"), ("  state  =  OPEN  ", "12"), ("state = CLOSED", "3"), ("type = PICKUP", "2"),
            ("type = UNAVAILABLE", "3"), ("task_outcome = SUCCEEDED", "2"), ("task_outcome = TASK_OUTCOME_UNSPECIFIED", "13"),
            ('tracking_id = "p2"', "2"), ("tracking_id = parcel-1", "1"), ("delivery_vehicle_id = van-1", ""),
            ('attributes.a = "1"', "1"), ("attributes.a='1'", "1"), ('attributes.a = "1" AND attributes.a = "2"', ""),
            ('attributes.a = "1" AND state = OPEN', "1"),
        ],
    )
    def test_list_has(self, list, filter, found):
        assert list(filter) == found

    def test_list_has_the_tasks_of_a_vehicle(self, delivery_server):
        create_route(delivery_server)
        create_task(delivery_server, "task-3")
        found = delivery_server.list_tasks(parent=PROVIDER, filter="delivery_vehicle_id = van-1")
        assert ids(found) == ["task-1", "task-2"]

    @pytest.mark.parametrize("filter", ["state = NEW", "type = TRUCK", "name = x", "attributes. = x"])
    def test_filter_that_is_refused(self, list, filter):
        with refused("FIELD_INVALID", "filter"):
            list(filter)

    @pytest.mark.parametrize(
        "filter",
        [
            "state", "state =", "= OPEN", "state OPEN", "state = OPEN type = PICKUP", "state = OPEN AND", "state = OPEN AND ",
            "state = OPEN)", 'state = "OPEN', "attributes:a", 'attributes.a = "x*"', "state != OPEN", 'attributes.a > "1"',
            "state = OPEN OR state = CLOSED", "(state = OPEN)", r'attributes.a = "x\"y"',
        ],
    )
    def test_filter_that_is_left_out(self, list, filter):
        with refused("METHOD_UNIMPLEMENTED", "filter"):
            list(filter)

    def test_total_is_that_of_all_pages(self, delivery_server, list):
        request = {"parent": PROVIDER, "page_size": 1}
        assert delivery_server.list_tasks(**request).total_size == 3
        assert delivery_server.list_tasks(**request, filter="state = OPEN").total_size == 2
        assert ids(delivery_server.list_tasks(**request)) == ["1", "2", "3"]


class TestDeletion:
    def test_open_task_of_a_vehicle_is_kept(self, delivery_server):
        create_route(delivery_server)
        with refused("TASK_IS_ASSIGNED"):
            delivery_server.delete_task(name=name("tasks", "task-1"))
        set_stops(delivery_server)
        delivery_server.delete_task(name=name("tasks", "task-1"))

    def test_open_task_without_a_vehicle_is_deleted(self, delivery_server):
        create_task(delivery_server)
        delivery_server.delete_task(name=name("tasks", "task-1"))
        with refused("NOT_FOUND"):
            get_task(delivery_server)
