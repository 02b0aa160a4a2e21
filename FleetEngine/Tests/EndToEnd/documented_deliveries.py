"""What the docstrings of `google-maps-fleetengine-delivery` 0.6.1 state, as checks."""

import fleet
from documented import *  # noqa: F403
from fleet import TASK, stop

ROUTE = SEGMENT.encode()
SEGMENTS = "delivery_vehicle.remaining_vehicle_journey_segments"


def van(w, id="van-1", **fields):
    return fleet.create_delivery_vehicle(w.d, id, **fields)


def moved(w, **fields):
    van(w)
    return w.move(**fields)


def with_attributes(w, attributes):
    return van(w, attributes=attributes).attributes


def located(w, **location):
    return moved(w, last_location=location).last_location


def task(w, id="task-1", **fields):
    return fleet.create_task(w.d, id, **fields)


def changed(w, **fields):
    task(w)
    return w.change(**fields)


def task_attributes(w, attributes):
    return task(w, attributes=attributes).attributes


def masked(w, path, **fields):
    task(w)
    return w.d.update_task(task={"name": name("tasks", "task-1"), **fields}, update_mask={"paths": [path]})


def masked_van(w, *paths):
    van(w)
    vehicle = {"name": name("deliveryVehicles", "van-1")}
    return w.d.update_delivery_vehicle(delivery_vehicle=vehicle, update_mask={"paths": list(paths)})


def segment(w, index=0):
    return w.get_van().remaining_vehicle_journey_segments[index]


def shared(w, id="task-1"):
    return w.get_task(id).journey_sharing_info.remaining_vehicle_journey_segments


def two_vans(w):
    w.van("van-1", attributes=[{"key": "a", "string_value": "1"}])
    w.van("van-2", last_location={"location": place(26)}, attributes=[{"key": "n", "number_value": 10}])
    return w


def vans(w, **request):
    return [van.name[-1] for van in w.d.list_delivery_vehicles(parent=PROVIDER, **request)]


def three_tasks(w):
    """Tasks 1 to 3 of different types and states."""
    task(w, "t1", attributes=[{"key": "a", "string_value": "1"}])
    task(
        w,
        "t2",
        type_="PICKUP",
        tracking_id="p2",
        attributes=[{"key": "a", "string_value": "2"}, {"key": "n", "number_value": 10}],
    )
    task(w, "t3", type_="UNAVAILABLE", tracking_id="", planned_location=None)
    w.change("t2", task_outcome="SUCCEEDED", task_outcome_location=PICKUP, task_outcome_time={"seconds": 1_700_000_000})
    w.change("t3", state="CLOSED")
    return w


def second_of_trips(w, **change):
    """The second page of a list of two trips, with other parameters than the first."""
    fleet.create_trip(w.s, "a")
    fleet.create_trip(w.s, "b")
    token = w.s.search_trips(parent=PROVIDER, page_size=1).next_page_token
    request = {"page_size": 1, "page_token": token} | change
    return [trip.name[-1] for trip in w.s.search_trips(parent=PROVIDER, **request).trips]


def batch(w, *requests, **batch):
    return len(w.d.batch_create_tasks(parent=PROVIDER, requests=list(requests), **batch).tasks)


def one(id="task-1", **fields):
    return {"parent": PROVIDER, "task_id": id, "task": TASK} | fields


def view(**option):
    return {"vehicle_location_visibility": option}


def sees(w, **option):
    """Whether a recipient of task-2 sees the vehicle."""
    w.route()
    w.change("task-2", task_tracking_view_config=view(**option))
    return bool(w.tracked().vehicle_location.location.latitude)


def stays(w, seconds):
    """How much later than a direct way the arrival at task-2 is, with stops that take some time."""
    w.van()
    task(w, task_duration={"seconds": seconds})
    task(w, "task-2", tracking_id="parcel-2", planned_location=DROPOFF, task_duration={"seconds": 90})
    w.stops(stop("task-1"), stop("task-2", point=DROPOFF))
    way = sum(part.driving_duration.total_seconds() for part in shared(w, "task-2"))
    now = w.move(last_location={"location": HERE}).last_location.server_time
    return round((w.tracked().estimated_arrival_time - now).total_seconds() - way)


def where(task):
    return task.task_outcome_location.point.latitude, task.task_outcome_location_source.name


def outcome(w, **fields):
    """The location of an outcome, of a task that a van has."""
    w.van()
    task(w)
    w.stops(stop("task-1"))
    return w.change(task_outcome="SUCCEEDED", **fields)


ABOUT_SEGMENT = {"current_route_segment_end_point": HERE, "remaining_distance_meters": 7, "remaining_duration": {"seconds": 7}}
BY_PROVIDER = (DROPOFF["point"]["latitude"], "PROVIDER")
OTHERS = {
    "navigation_status": "OFF_ROUTE", "current_route_segment": ROUTE, "current_route_segment_end_point": HERE,
    "remaining_distance_meters": 5, "remaining_duration": {"seconds": 5}, "past_locations": [{"location": HERE}],
    "remaining_vehicle_journey_segments": [stop()],
}
TASK_OTHERS = {
    "task_outcome": "SUCCEEDED", "task_outcome_time": {"seconds": 5}, "task_outcome_location": PICKUP,
    "task_outcome_location_source": "PROVIDER", "delivery_vehicle_id": "van-1",
    "journey_sharing_info": {"last_location_snappable": True},
}

ROWS = {
    "CreateDeliveryVehicleRequest.delivery_vehicle": [
        *((field, lambda w, field=field, value=value: van(w, **{field: value}), Refused(FORBIDDEN, f"delivery_vehicle.{field}"))
        for field, value in OTHERS.items()), ("the name is ignored", lambda w: van(w, name="x").name,
        name("deliveryVehicles", "van-1")), ("a location", lambda w: w.van().last_location.location.latitude, HERE["latitude"]),
        ("nothing", lambda w: van(w).name, name("deliveryVehicles", "van-1")),
        ("twice", lambda w: (van(w), van(w)), Refused("ALREADY_EXISTS")),
    ],
    "CreateDeliveryVehicleRequest.delivery_vehicle_id": [
        ("a slash", lambda w: van(w, "a/b"), Refused("ID_INVALID", "delivery_vehicle_id")),
    ],
    "DeliveryVehicle.type": [
        ("default", lambda w: van(w).type_.name, "AUTO"), ("another", lambda w: van(w, type_="BICYCLE").type_.name, "BICYCLE"),
        ("stays", lambda w: (van(w, type_="BICYCLE"), w.move(last_location={"location": HERE}).type_.name)[1], "BICYCLE"),
    ],
    "DeliveryVehicleAttribute": [
        ("a colon in a key is not forbidden here", lambda w: len(with_attributes(w, [{"key": "a:b", "string_value": "1"}])), 1),
        ("101 attributes", lambda w: with_attributes(w, [{"key": str(n), "string_value": ""} for n in range(101)]),
         Refused(INVALID, "delivery_vehicle.attributes")),
    ],
    "DeliveryVehicleLocation": [
        ("a heading", lambda w: located(w, location=HERE, heading=360), Refused(INVALID, "delivery_vehicle.last_location.heading")),
        ("the server's time", lambda w: located(w, location=HERE).server_time.timestamp() > 1e9, True),
    ],
    "DeliveryVehicle.past_locations": [
        ("is in no answer", lambda w: list(moved(w, past_locations=[{"location": HERE}]).past_locations), []),
        ("is checked", lambda w: moved(w, past_locations=[{"location": HERE, "heading": 360}]),
         Refused(INVALID, "delivery_vehicle.past_locations[0].heading")),
    ],
    "UpdateDeliveryVehicleRequest.delivery_vehicle": [
        ("the name", lambda w: masked_van(w, "name"), Refused(MANAGED, "update_mask")),
        ("no such vehicle", lambda w: w.move(navigation_status="OFF_ROUTE"), Refused("NOT_FOUND")),
    ],
    "DeliveryVehicle.remaining_distance_meters": [
        ("without a segment", lambda w: set(ABOUT_SEGMENT) & set_fields(moved(w, **ABOUT_SEGMENT)), set()),
        ("with one", lambda w: set(ABOUT_SEGMENT) & set_fields(moved(w, **ABOUT_SEGMENT, current_route_segment=ROUTE)),
        set(ABOUT_SEGMENT)), ("after one", lambda w: (moved(w, current_route_segment=ROUTE),
        w.move(remaining_distance_meters=8).remaining_distance_meters)[1], 8),
        ("the segment is cleared", lambda w: (moved(w, remaining_distance_meters=7, current_route_segment=ROUTE),
        w.move(current_route_segment=b"").remaining_distance_meters)[1], None),
    ],
    "DeliveryVehicle.current_route_segment": [
        ("its path, and the distance and duration with it",
         lambda w: w.route() and w.move(current_route_segment=ROUTE, remaining_distance_meters=777,
         remaining_duration={"seconds": 77}) and [([round(p.latitude, 4) for p in s.path], s.driving_distance_meters,
         s.driving_duration.total_seconds()) for s in shared(w)], [([25.046, 25.0478], 777, 77)]),
        ("it is used however old it is", lambda w: w.route()
         and w.move(current_route_segment=ROUTE, remaining_distance_meters=777)
         and (wait(w, 3000), shared(w)[0].driving_distance_meters)[1], 777),
        ("without one, from the last location", lambda w: w.route() and w.move(last_location={"location": place(25.05)})
         and round(shared(w)[0].path[0].latitude, 2), 25.05),
        ("the recipient's way is the same", lambda w: w.route()
         and w.move(current_route_segment=ROUTE, remaining_distance_meters=777)
         and w.tracked("parcel-1").remaining_driving_distance_meters, 777),
    ],
    "VehicleStop.planned_location": [
        ("none of the second", lambda w: (w.van(), task(w), w.stops(stop("task-1"), {"stop": {"planned_location": {}}})),
         Refused(MISSING, f"{SEGMENTS}[1].stop.planned_location")),
    ],
    "VehicleStop.TaskInfo.task_id": [
        ("a slash", lambda w: (w.van(), w.stops(stop("a/b"))), Refused("ID_INVALID", f"{SEGMENTS}[0].stop.tasks[0].task_id")),
        ("no such task", lambda w: (w.van(), w.stops(stop("nowhere"))), Refused("NOT_FOUND")),
    ],
    "VehicleStop.TaskInfo.task_duration": [
        ("of the task", lambda w: w.route() and segment(w, 1).stop.tasks[0].task_duration.total_seconds(), 90),
        ("in the update's answer", lambda w: (w.route(), w.stops(stop("task-2",
         point=DROPOFF)).remaining_vehicle_journey_segments[0].stop.tasks[0].task_duration.total_seconds())[1], 90),
    ],
    "VehicleStop.TaskInfo.target_time_window": [
        ("from GetDeliveryVehicle", lambda w: w.route() and w.change(target_time_window={"start_time": {"seconds": 5},
         "end_time": {"seconds": 9}}) and segment(w).stop.tasks[0].target_time_window.end_time.timestamp(), 9),
        (
            "from an update",
            lambda w: w.route()
            and w.change(target_time_window={"start_time": {"seconds": 5}, "end_time": {"seconds": 9}})
            and "target_time_window"
            in set_fields(w.move(navigation_status="OFF_ROUTE").remaining_vehicle_journey_segments[0].stop.tasks[0]),
            False,
        ),
    ],
    "VehicleJourneySegment": [
        (
            "a request's distance is ignored",
            lambda w: (w.van(), task(w), w.stops(stop("task-1") | {"driving_distance_meters": 7}))[2]
            .remaining_vehicle_journey_segments[0]
            .driving_distance_meters
            > 100,
            True,
        ),
        ("a request's path is ignored", lambda w: (w.van(), task(w),
         len(w.stops(stop("task-1") | {"path": [HERE] * 9}).remaining_vehicle_journey_segments[0].path))[2], 2),
        ("the first begins where the vehicle was",
         lambda w: w.route() and w.move(last_location={"location": place(25.2)}) and round(segment(w).path[0].latitude, 3),
         25.046),
        ("it stays with the stop's next state", lambda w: w.route() and w.move(last_location={"location": place(25.2)})
         and w.stops(stop("task-1", state="ENROUTE"), stop("task-2", point=DROPOFF)) and round(segment(w).path[0].latitude, 3),
         25.046),
        ("the second begins at the first", lambda w: w.route() and round(segment(w, 1).path[0].latitude, 4), 25.0478),
        ("a location that comes later", lambda w: (van(w), task(w), w.stops(stop("task-1")),
         w.move(last_location={"location": HERE}), len(segment(w).path))[4], 2),
        ("all that are sent are kept", lambda w: w.route() and len(w.get_van().remaining_vehicle_journey_segments), 2),
    ],
    "UpdateDeliveryVehicle": [
        ("the task has the vehicle", lambda w: w.route() and w.get_task().delivery_vehicle_id, "van-1"),
        ("a task that is left out is closed",
         lambda w: w.route() and w.stops(stop("task-2", point=DROPOFF)) and w.get_task().state.name, "CLOSED"),
        ("one that is kept is open", lambda w: w.route() and w.stops(stop("task-2", point=DROPOFF))
         and w.get_task("task-2").state.name, "OPEN"),
        ("a closed task", lambda w: (w.van(), changed(w, state="CLOSED"), w.stops(stop("task-1"))), Refused(INVALID, SEGMENTS)),
        ("another vehicle's task", lambda w: (w.route(), w.van("van-2"), w.stops(stop("task-1"), id="van-2")),
         Refused("TASK_IS_ASSIGNED", SEGMENTS)),
        ("nothing changes then", lambda w: (w.route(), w.van("van-2"), refused(w.stops, stop("task-1"), id="van-2"),
         w.get_task().delivery_vehicle_id)[3], "van-1"),
    ],
    "ListDeliveryVehiclesResponse.delivery_vehicles": [
        ("no segments", lambda w: w.route() and [len(v.remaining_vehicle_journey_segments)
         for v in w.d.list_delivery_vehicles(parent=PROVIDER)], [0]),
        ("the total", lambda w: two_vans(w).d.list_delivery_vehicles(parent=PROVIDER, page_size=1).total_size, 2),
        ("none", lambda w: vans(w), []),
    ],
    "ListDeliveryVehiclesRequest.filter": [
        ("a text", lambda w: vans(two_vans(w), filter='attributes.a = "1"'), ["1"]),
    ],
    "ListDeliveryVehiclesRequest.viewport": [
        ("inside", lambda w: vans(two_vans(w), viewport={"low": place(25, 121), "high": place(25.5, 122)}), ["1"]),
    ],
    "DeleteDeliveryVehicle": [
        ("with an open task", lambda w: (w.route(), w.d.delete_delivery_vehicle(name=name("deliveryVehicles", "van-1"))),
         Refused("VEHICLE_HAS_TASKS")),
        ("with closed tasks", lambda w: (w.route(), w.stops(), w.d.delete_delivery_vehicle(name=name("deliveryVehicles",
         "van-1")), w.get_van()), Refused("NOT_FOUND")),
    ],
}

TASKS = {
    "CreateTaskRequest.task": [
        ("no type", lambda w: task(w, type_=None), Refused(MISSING, "task.type")),
        ("no state", lambda w: task(w, state=None), Refused(INVALID, "task.state")),
        ("CLOSED", lambda w: task(w, state="CLOSED"), Refused(INVALID, "task.state")),
        *(
            (field, lambda w, field=field, value=value: task(w, **{field: value}), Refused(FORBIDDEN, f"task.{field}"))
            for field, value in TASK_OTHERS.items()
        ),
        ("the name is ignored", lambda w: task(w, name="x").name, name("tasks", "task-1")),
        ("a time window", lambda w: task(w, target_time_window={"start_time": {"seconds": 5},
         "end_time": {"seconds": 9}}).target_time_window.end_time.timestamp(), 9),
        ("a view", lambda w: task(w,
         task_tracking_view_config=view(always=True)).task_tracking_view_config.vehicle_location_visibility.always, True),
        ("attributes", lambda w: len(task(w, attributes=[{"key": "a", "string_value": "1"}]).attributes), 1),
        ("twice", lambda w: (task(w), task(w)), Refused("ALREADY_EXISTS")),
    ],
    "CreateTaskRequest.task_id": [("a slash", lambda w: task(w, "a/b"), Refused("ID_INVALID", "task_id"))],
    "Task.tracking_id": [
        *(
            (f"none for {type}", lambda w, type=type: task(w, type_=type, tracking_id=""), Refused(MISSING, "task.tracking_id"))
            for type in ("PICKUP", "DELIVERY")
        ),
        *(
            (f"one for {type}", lambda w, type=type: task(w, type_=type), Refused(FORBIDDEN, "task.tracking_id"))
            for type in ("SCHEDULED_STOP", "UNAVAILABLE")
        ),
        ("a slash", lambda w: task(w, tracking_id="a/b"), Refused("ID_INVALID", "task.tracking_id")),
        ("another one", lambda w: changed(w, tracking_id="x"), Refused(IMMUTABLE, "task.tracking_id")),
        ("cleared", lambda w: masked(w, "tracking_id"), Refused(IMMUTABLE, "task.tracking_id")),
        ("of two tasks", lambda w: (task(w), task(w, "task-2").tracking_id)[1], "parcel-1"),
    ],
    "Task.planned_location": [
        *(
            (
                f"none for {type}",
                lambda w, type=type, id=id: task(w, type_=type, tracking_id=id, planned_location=None),
                Refused(MISSING, "task.planned_location"),
            )
            for type, id in (("PICKUP", "p"), ("DELIVERY", "p"), ("SCHEDULED_STOP", ""))
        ),
        ("none for UNAVAILABLE", lambda w: task(w, type_="UNAVAILABLE", tracking_id="", planned_location=None).type_.name,
         "UNAVAILABLE"),
        ("without a point", lambda w: task(w, planned_location={}), Refused(MISSING, "task.planned_location")),
        ("another one", lambda w: changed(w, planned_location=DROPOFF), Refused(IMMUTABLE, "task.planned_location")),
    ],
    "Task.type": [
        ("another one", lambda w: masked(w, "type", type_="PICKUP"), Refused(IMMUTABLE, "task.type")),
        ("the same", lambda w: masked(w, "type", type_="DELIVERY").type_.name, "DELIVERY"),
    ],
    "Task.task_duration": [
        ("none", lambda w: task(w, task_duration=None), Refused(MISSING, "task.task_duration")),
        ("negative", lambda w: task(w, task_duration={"seconds": -1}), Refused(INVALID, "task.task_duration")),
        ("another one", lambda w: changed(w, task_duration={"seconds": 61}), Refused(IMMUTABLE, "task.task_duration")),
    ],
    "TimeWindow": [
        ("no end", lambda w: task(w, target_time_window={"start_time": {"seconds": 5}}),
         Refused(MISSING, "task.target_time_window.end_time")),
        ("no start, later", lambda w: changed(w, target_time_window={"end_time": {"seconds": 5}}),
         Refused(MISSING, "task.target_time_window.start_time")),
        ("in what recipients see", lambda w: (task(w,
        target_time_window={"start_time": {"seconds": 5}, "end_time": {"seconds": 9}}),
        w.tracked("parcel-1").target_time_window.start_time.timestamp())[1], 5),
    ],
    "TaskTrackingViewConfig.VisibilityOption": [
        *((f"{option} false", lambda w, option=option: changed(w, task_tracking_view_config=view(**{option: False})),
        Refused(INVALID, f"task.task_tracking_view_config.vehicle_location_visibility.{option}")) for option in ("always", "never")),
        ("always", lambda w: sees(w, always=True), True),
        ("never", lambda w: sees(w, never=True), False),
        ("1 of 2 stops", lambda w: sees(w, remaining_stop_count_threshold=1), False),
        ("2 of 2 stops", lambda w: sees(w, remaining_stop_count_threshold=2), True),
        ("100 m", lambda w: sees(w, remaining_driving_distance_meters_threshold=100), False),
        ("100 km", lambda w: sees(w, remaining_driving_distance_meters_threshold=100_000), True),
        ("a second", lambda w: sees(w, duration_until_estimated_arrival_time_threshold={"seconds": 1}), False),
        ("an hour", lambda w: sees(w, duration_until_estimated_arrival_time_threshold={"seconds": 3600}), True),
    ],
    "TaskAttribute": [
        ("a key that occurs twice", lambda w: task_attributes(w, [{"key": "a", "string_value": "1"}] * 2),
         Refused(INVALID, "task.attributes[1].key")),
        ("101 attributes: no maximum is stated",
         lambda w: len(task_attributes(w, [{"key": str(n), "string_value": ""} for n in range(101)])), 101),
        ("in what recipients see", lambda w: (task(w, attributes=[{"key": "a", "string_value": "1"}]),
        w.tracked("parcel-1").attributes[0].string_value)[1], "1"),
    ],
    "UpdateTaskRequest.task": [
        *((path, lambda w, path=path: masked(w, path), Refused(MANAGED, "update_mask"))
        for path in ("name", "delivery_vehicle_id", "task_outcome_location_source", "journey_sharing_info",
        "journey_sharing_info.last_location", "journey_sharing_info.last_location_snappable",
        "journey_sharing_info.remaining_vehicle_journey_segments")),
    ],
    "Task.task_outcome": [
        ("SUCCEEDED", lambda w: changed(w, task_outcome="SUCCEEDED").task_outcome.name, "SUCCEEDED"),
        ("the same again", lambda w: (changed(w, task_outcome="FAILED"), w.change(task_outcome="FAILED").task_outcome.name)[1],
        "FAILED"), ("another", lambda w: (changed(w, task_outcome="FAILED"), w.change(task_outcome="SUCCEEDED")),
        Refused("OUTCOME_IS_SET", "task.task_outcome")),
        ("cleared", lambda w: (changed(w, task_outcome="FAILED"), w.change(task_outcome="TASK_OUTCOME_UNSPECIFIED")),
        Refused("OUTCOME_IS_SET", "task.task_outcome")),
        ("in what recipients see", lambda w: (changed(w, task_outcome="FAILED"), w.tracked("parcel-1").task_outcome.name)[1],
        "FAILED"),
    ],
    "Task.task_outcome_location": [
        ("without a vehicle", lambda w: "task_outcome_location" in set_fields(changed(w, task_outcome="SUCCEEDED")), False),
        ("stays after the vehicle has gone on", lambda w: (outcome(w), w.move(last_location={"location": DROPOFF["point"]}),
         w.change(task_outcome="SUCCEEDED").task_outcome_location.point.latitude)[2], HERE["latitude"]),
    ],
    "Task.task_outcome_location_source": [
        ("by default", lambda w: where(outcome(w)), (HERE["latitude"], "LAST_VEHICLE_LOCATION")),
        ("the provider's", lambda w: where(outcome(w, task_outcome_location=DROPOFF)), BY_PROVIDER),
        ("the provider's, later", lambda w: (outcome(w), where(w.change(task_outcome_location=DROPOFF)))[1], BY_PROVIDER),
        ("without a vehicle", lambda w: changed(w, task_outcome="SUCCEEDED").task_outcome_location_source.name,
         "TASK_OUTCOME_LOCATION_SOURCE_UNSPECIFIED"),
    ],
    "Task.state": [
        ("CLOSED, not assigned", lambda w: changed(w, state="CLOSED").state.name, "CLOSED"),
        ("CLOSED, assigned", lambda w: (w.route(), w.change(state="CLOSED")), Refused("TASK_IS_ASSIGNED", "task.state")),
        ("OPEN again", lambda w: (changed(w, state="CLOSED"), w.change(state="OPEN")), Refused(INVALID, "task.state")),
        ("cleared", lambda w: masked(w, "state"), Refused(INVALID, "task.state")),
    ],
    "Task.journey_sharing_info": [
        ("of an open task", lambda w: w.route() and len(shared(w, "task-2")), 2),
        ("of a task without a vehicle", lambda w: "journey_sharing_info" in set_fields(task(w)), False),
        ("of a closed task", lambda w: w.route() and w.stops() and "journey_sharing_info" in set_fields(w.get_task()), False),
        ("no stops", lambda w: w.route() and [set_fields(s.stop) for s in shared(w, "task-2")], [set(), set()]),
        ("the last location", lambda w: w.route() and w.get_task().journey_sharing_info.last_location.location.latitude,
         HERE["latitude"]),
    ],
    "Task.JourneySharingInfo.last_location_snappable": [
        ("without a segment", lambda w: w.route() and w.move(last_location={"location": HERE, "is_road_snapped": True})
         and w.get_task().journey_sharing_info.last_location_snappable, False),
        ("with both", lambda w: w.route() and w.move(current_route_segment=ROUTE, last_location={"location": HERE,
         "is_road_snapped": True}) and w.get_task().journey_sharing_info.last_location_snappable, True),
    ],
    "BatchCreateTasksRequest": [
        ("two", lambda w: batch(w, one("a"), one("b")), 2),
        ("none", lambda w: batch(w), Refused(INVALID, "requests")),
        ("500", lambda w: batch(w, *(one(f"t{n}") for n in range(500))), 500),
        ("501", lambda w: batch(w, *(one(f"t{n}") for n in range(501))), Refused(INVALID, "requests")),
        ("no parent in a request", lambda w: batch(w, one(parent="")), 1),
        ("another parent", lambda w: batch(w, one("a"), one("b", parent="providers/demo-other")),
         Refused(INVALID, "requests[1].parent")),
        ("one is wrong", lambda w: batch(w, one("a"), one("b", task=TASK | {"state": "CLOSED"})), Refused(INVALID, "task.state")),
        ("one is wrong: none is created",
         lambda w: (refused(batch, w, one(), one("b", task=TASK | {"state": "CLOSED"})), w.tasks())[1], ""),
    ],
    "ListTasksResponse.total_size": [
        ("of all pages", lambda w: three_tasks(w).d.list_tasks(parent=PROVIDER, page_size=1).total_size, 3),
        ("of those that match", lambda w: three_tasks(w).d.list_tasks(parent=PROVIDER, page_size=1,
        filter="state = OPEN").total_size, 2), ("the pager has all",
        lambda w: [t.name[-1] for t in three_tasks(w).d.list_tasks(parent=PROVIDER, page_size=1)], ["1", "2", "3"]),
    ],
    "DeleteTask": [
        ("open, with a vehicle", lambda w: (w.route(), w.d.delete_task(name=name("tasks", "task-1"))),
         Refused("TASK_IS_ASSIGNED")),
        ("open, without a vehicle", lambda w: (task(w), w.d.delete_task(name=name("tasks", "task-1")), w.get_task()),
         Refused("NOT_FOUND")),
        ("closed", lambda w: (w.route(), w.stops(), w.d.delete_task(name=name("tasks", "task-1")))[2], None),
    ],
    "TaskTrackingInfo.remaining_stop_count": [
        ("the next stop", lambda w: w.route().tracked("parcel-1").remaining_stop_count, 1),
        ("the second stop", lambda w: w.route().tracked().remaining_stop_count, 2),
        ("after the first is done", lambda w: w.route() and w.stops(stop("task-2", point=DROPOFF))
         and w.tracked().remaining_stop_count, 1),
        ("without a vehicle", lambda w: task(w) and w.tracked("parcel-1").remaining_stop_count, None),
    ],
    "TaskTrackingInfo.estimated_arrival_time": [
        ("a stop of 60 s before", lambda w: stays(w, 60), 60), ("a stop of 600 s before", lambda w: stays(w, 600), 600),
        ("the distance is the sum",
        lambda w: w.route().tracked().remaining_driving_distance_meters == sum(s.driving_distance_meters
        for s in shared(w, "task-2")), True), ("the route is all paths",
        lambda w: len(w.route().tracked().route_polyline_points), 4),
    ],
    "TaskTrackingInfo.estimated_task_completion_time": [
        (
            "the arrival and 90 s",
            lambda w: (
                lambda info: (info.estimated_task_completion_time - info.estimated_arrival_time).total_seconds()
            )(w.route().tracked()),
            90,
        ),
    ],
}


def filtered(expression, expected):
    return (expression, lambda w: three_tasks(w).tasks(expression), expected)


CHOSEN = {
    "intermediate_destinations_version": [
        ("the code", lambda w: code(lambda: (fleet.create_trip(w.s),
         w.s.update_trip(name=name("trips", "trip-1"),
         trip={"trip_status": "ENROUTE_TO_INTERMEDIATE_DESTINATION", "intermediate_destinations_version": {"seconds": 5}},
         update_mask={"paths": ["trip_status"]}))), "FAILED_PRECONDITION"),
    ],
    "numbers in attributes": [
        *((str(number), lambda w, number=number: w.van(attributes=[{"key": "n", "number_value": number}]).attributes[0].value,
        text) for number, text in ((10, "10"), (-3, "-3"), (0, "0"), (2.5, "2.5"), (1e300, "1e+300"))),
    ],
    "unquoted numbers in filters": [
        ("a number", lambda w: vans(w, filter="attributes.n = 10"), Refused(INVALID, "filter")),
        ("a Boolean", lambda w: vans(w, filter="attributes.n = true"), Refused(INVALID, "filter")),
        ("a word", lambda w: vans(two_vans(w), filter="attributes.a = one"), []),
    ],
    "filters": [
        filtered('attributes.a = "1"', "1"), filtered('attributes.a = "1" AND attributes.a = "2"', ""),
        filtered('attributes.a = "1" AND state = OPEN', "1"), filtered("attributes.a='1'", "1"),
        filtered("  state  =  OPEN  ", "12"), filtered("", "123"), filtered("attributes. = x", Refused(INVALID, "filter")),
        *(
            filtered(beyond, Refused("METHOD_UNIMPLEMENTED", "filter"))
            for beyond in (
                "state", "state =", "= OPEN", "state OPEN", "state = OPEN type = PICKUP", "state = OPEN AND",
                "state = OPEN)", 'state = "OPEN', "attributes:a", 'attributes.a = "x*"', "state != OPEN", 'attributes.a > "1"',
                "state = OPEN OR state = CLOSED", "(state = OPEN)", r'attributes.a = "x\"y"',
            )
        ),
    ],
    "page tokens": [
        ("of another list", lambda w: second_of_trips(w, page_token="YQ"), Refused("PAGE_TOKEN_INVALID", "page_token")),
        ("the second page", second_of_trips, ["b"]),
    ],
    "TaskTrackingInfo": [
        ("the first open task of two", lambda w: (task(w), task(w, "task-2", planned_location=DROPOFF), w.change(state="CLOSED"))
         and w.tracked("parcel-1").planned_location.point.latitude, DROPOFF["point"]["latitude"]),
    ],
    "filters of ListTasks": [
        filtered("state = OPEN", "12"), filtered("state = CLOSED", "3"), filtered("type = PICKUP", "2"),
        filtered("type = UNAVAILABLE", "3"), filtered("task_outcome = SUCCEEDED", "2"),
        filtered("task_outcome = TASK_OUTCOME_UNSPECIFIED", "13"), filtered('tracking_id = "p2"', "2"),
        filtered("tracking_id = parcel-1", "1"),
        ("delivery_vehicle_id", lambda w: w.route().tasks("delivery_vehicle_id = van-1"), "12"),
        ("another vehicle", lambda w: w.route().tasks("delivery_vehicle_id = van-2"), ""),
        *(filtered(wrong, Refused(INVALID, "filter")) for wrong in ("state = NEW", "type = TRUCK", "name = x")),
    ],
    "tasks of another vehicle": [
        ("the code", lambda w: (w.route(), w.van("van-2"), code(lambda: w.stops(stop("task-1"), id="van-2")))[2],
         "FAILED_PRECONDITION"),
    ],
    "task_outcome_time": [
        ("by default", lambda w: changed(w, task_outcome="SUCCEEDED").task_outcome_time.timestamp() > 1.7e9, True),
        ("the request's", lambda w: changed(w, task_outcome="SUCCEEDED",
         task_outcome_time={"seconds": 5}).task_outcome_time.timestamp(), 5),
        ("stays", lambda w: (changed(w, task_outcome="SUCCEEDED", task_outcome_time={"seconds": 5}), wait(w, 60),
         w.change(task_outcome="SUCCEEDED").task_outcome_time.timestamp())[2], 5),
    ],
}


def refused(call, *arguments, **fields):
    """Makes a call that must be refused, and goes on."""
    assert code(lambda: call(*arguments, **fields))


def code(call):
    """The code of a call that must be refused, as `google.rpc.Status` names it."""
    from google.api_core.exceptions import GoogleAPICallError

    try:
        call()
    except GoogleAPICallError as error:
        return (
            error.grpc_status_code.name
            if error.response is None or not hasattr(error.response, "json")
            else error.response.json()["error"]["status"]
        )
    raise AssertionError("was not refused")


CHECKS: list[Check] = checks(ROWS | TASKS | CHOSEN)
