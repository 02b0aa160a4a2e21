"""What the docstrings of `google-maps-fleetengine-delivery` 0.6.1 state, as checks."""

import fleet
from documented import *  # noqa: F403
from fleet import TASK, stop

ROUTE = SEGMENT.encode()
RAW = {"latitude": 25.04601, "longitude": 121.51501}
SEGMENTS = "delivery_vehicle.remaining_vehicle_journey_segments"


def van(w, id="van-1", **fields):
    return fleet.create_delivery_vehicle(w.d, id, **fields)


def moved(w, **fields):
    van(w)
    return w.move(**fields)


def with_attributes(w, attributes):
    return van(w, attributes=attributes).attributes


def replaced(w, attributes):
    return moved(w, attributes=attributes).attributes


def located(w, **location):
    return moved(w, last_location=location).last_location


def task(w, id="task-1", **fields):
    return fleet.create_task(w.d, id, **fields)


def changed(w, **fields):
    task(w)
    return w.change(**fields)


def task_attributes(w, attributes):
    return task(w, attributes=attributes).attributes


def changed_attributes(w, attributes):
    return changed(w, attributes=attributes).attributes


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


def second_page(w, method, field, first, second):
    """The second page of a list, with other parameters than the first."""
    page = getattr(w.d, method)(parent=PROVIDER, page_size=1, **first)
    token = page.next_page_token
    answer = getattr(w.d, method)(parent=PROVIDER, page_token=token, **({"page_size": 1} | second))
    return [element.name[-1] for element in getattr(answer, field)]


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
    w.emulator.control("PUT", "clock", {"frozen": True})
    now = w.move(last_location={"location": HERE}).last_location.server_time
    return round((w.tracked().estimated_arrival_time - now).total_seconds() - way)


def where(task):
    return task.task_outcome_location.point.latitude, task.task_outcome_location_source.name


def outcome(w, **fields):
    """The location of an outcome, of a task that a van with a raw location has."""
    w.van(last_location={"location": HERE, "raw_location": RAW})
    task(w)
    w.stops(stop("task-1"))
    return w.change(task_outcome="SUCCEEDED", **fields)


ABOUT_SEGMENT = {"current_route_segment_end_point": HERE, "remaining_distance_meters": 7, "remaining_duration": {"seconds": 7}}
BY_PROVIDER = (DROPOFF["point"]["latitude"], "PROVIDER")


def filtered(expression, expected):
    return [(expression, lambda w: three_tasks(w).tasks(expression), expected)]


def not_filters(*expressions):
    return [case for expression in expressions for case in filtered(expression, Refused(INVALID, "filter"))]


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


CHECKS = checks(globals())
