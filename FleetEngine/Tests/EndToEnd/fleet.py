"""Resources that the tests create, and the calls that they make most."""

import contextlib

import pytest
from google.api_core.exceptions import GoogleAPICallError

from apis import PROVIDER

PICKUP = {"point": {"latitude": 25.0478, "longitude": 121.517}}
DROPOFF = {"point": {"latitude": 25.0339, "longitude": 121.5645}}
HERE = {"latitude": 25.046, "longitude": 121.515}
# From there to the pickup point, as an encoded polyline.
SEGMENT = "oxzwCwktdVgJoK"
LONGER_SEGMENT = SEGMENT + "gJoK"

TRIP = {"trip_type": "EXCLUSIVE", "pickup_point": PICKUP, "dropoff_point": DROPOFF}
VEHICLE = {
    "vehicle_state": "ONLINE", "supported_trip_types": ["EXCLUSIVE"], "maximum_capacity": 4, "vehicle_type": {"category": "AUTO"},
}
SEARCH = {
    "parent": PROVIDER, "pickup_point": PICKUP, "pickup_radius_meters": 5000, "count": 10, "minimum_capacity": 1,
    "trip_types": ["EXCLUSIVE"], "vehicle_types": [{"category": "AUTO"}], "order_by": "PICKUP_POINT_DISTANCE",
}
TASK = {
    "type_": "DELIVERY", "state": "OPEN", "tracking_id": "parcel-1", "planned_location": PICKUP, "task_duration": {"seconds": 60},
}


def name(collection, id):
    return f"{PROVIDER}/{collection}/{id}"


def place(latitude, longitude=121.517):
    return {"latitude": latitude, "longitude": longitude}


def pairs(*keys):
    """An attribute for each key, with the value 1."""
    return [{"key": key, "string_value": "1"} for key in keys]


def fields(message):
    """The names of the fields that a message has."""
    return {descriptor.name for descriptor, _ in type(message).pb(message).ListFields()}


def ids(messages):
    return [message.name.rpartition("/")[2] for message in messages]


@contextlib.contextmanager
def refused(rule, field=None):
    """Expects an error that names this rule, and this field of the request."""
    with pytest.raises(GoogleAPICallError) as refusal:
        yield
    violations = [violation for detail in refusal.value.details for violation in detail.get("fieldViolations", [])]
    assert (refusal.value.reason, violations[0]["field"] if violations else None) == (rule, field)


# Trips and vehicles.


def create_trip(server, id="trip-1", **fields):
    return server.create_trip(parent=PROVIDER, trip_id=id, trip=TRIP | fields)


def get_trip(client, id="trip-1", **request):
    return client.get_trip(name=name("trips", id), **request)


def update_trip(server, id="trip-1", **fields):
    return server.update_trip(name=name("trips", id), trip=fields, update_mask={"paths": list(fields)})


def create_vehicle(server, id="vehicle-1", **fields):
    return server.create_vehicle(parent=PROVIDER, vehicle_id=id, vehicle=VEHICLE | fields)


def get_vehicle(client, id="vehicle-1", **request):
    return client.get_vehicle(name=name("vehicles", id), **request)


def update_vehicle(client, id="vehicle-1", **fields):
    return client.update_vehicle(name=name("vehicles", id), vehicle=fields, update_mask={"paths": list(fields)})


def drive(server, id="vehicle-1", point=HERE, **fields):
    """A vehicle that has reported where it is."""
    return create_vehicle(server, id, last_location={"location": point}, **fields)


def assign(server, *trips, vehicle="vehicle-1", trip_type="EXCLUSIVE", **fields):
    """A vehicle with trips."""
    drive(server, vehicle, supported_trip_types=["EXCLUSIVE", "SHARED"], **fields)
    for trip in trips:
        create_trip(server, trip, vehicle_id=vehicle, trip_type=trip_type)
    return get_vehicle(server, vehicle)


# Deliveries.


def create_van(server, id="van-1", **fields):
    return server.create_delivery_vehicle(parent=PROVIDER, delivery_vehicle_id=id, delivery_vehicle=fields)


def get_van(client, id="van-1"):
    return client.get_delivery_vehicle(name=name("deliveryVehicles", id))


def update_van(client, id="van-1", **fields):
    vehicle = {"name": name("deliveryVehicles", id), **fields}
    return client.update_delivery_vehicle(delivery_vehicle=vehicle, update_mask={"paths": list(fields)})


def set_stops(client, *stops, id="van-1"):
    return update_van(client, id, remaining_vehicle_journey_segments=list(stops))


def create_task(server, id="task-1", **fields):
    return server.create_task(parent=PROVIDER, task_id=id, task=TASK | fields)


def get_task(client, id="task-1"):
    return client.get_task(name=name("tasks", id))


def update_task(client, id="task-1", **fields):
    task = {"name": name("tasks", id), **fields}
    return client.update_task(task=task, update_mask={"paths": list(fields)})


def track(client, id="parcel-2"):
    return client.get_task_tracking_info(name=name("taskTrackingInfo", id))


def stop(*tasks, point=PICKUP, state="NEW"):
    tasks = [{"task_id": task, "task_duration": {"seconds": 60}} for task in tasks]
    return {"stop": {"planned_location": point, "tasks": tasks, "state": state}}


def create_route(server):
    """A van that drives to task-1 at the pickup point, and then to task-2."""
    create_van(server, last_location={"location": HERE})
    create_task(server)
    create_task(server, "task-2", tracking_id="parcel-2", planned_location=DROPOFF, task_duration={"seconds": 90})
    return set_stops(server, stop("task-1"), stop("task-2", point=DROPOFF))
