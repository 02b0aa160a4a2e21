"""Resources that the tests create."""

from apis import PROVIDER

PICKUP = {"point": {"latitude": 25.0478, "longitude": 121.517}}
DROPOFF = {"point": {"latitude": 25.0339, "longitude": 121.5645}}
HERE = {"latitude": 25.046, "longitude": 121.515}
# From there to the pickup point, as an encoded polyline.
SEGMENT = "oxzwCwktdVgJoK"

TRIP = {"trip_type": "EXCLUSIVE", "pickup_point": PICKUP, "dropoff_point": DROPOFF}
VEHICLE = {
    "vehicle_state": "ONLINE", "supported_trip_types": ["EXCLUSIVE"], "maximum_capacity": 4, "vehicle_type": {"category": "AUTO"},
}
TASK = {
    "type_": "DELIVERY", "state": "OPEN", "tracking_id": "parcel-1", "planned_location": PICKUP, "task_duration": {"seconds": 60},
}
SEARCH = {
    "parent": PROVIDER, "pickup_point": PICKUP, "pickup_radius_meters": 5000, "count": 10, "minimum_capacity": 1,
    "trip_types": ["EXCLUSIVE"], "vehicle_types": [{"category": "AUTO"}], "order_by": "PICKUP_POINT_DISTANCE",
}


def name(collection, id):
    return f"{PROVIDER}/{collection}/{id}"


def create_trip(server, id="trip-1", **fields):
    return server.create_trip(parent=PROVIDER, trip_id=id, trip=TRIP | fields)


def create_vehicle(server, id="vehicle-1", **fields):
    return server.create_vehicle(parent=PROVIDER, vehicle_id=id, vehicle=VEHICLE | fields)


def update_trip(server, id="trip-1", **fields):
    return server.update_trip(name=name("trips", id), trip=fields, update_mask={"paths": list(fields)})


def update_vehicle(client, id="vehicle-1", **fields):
    return client.update_vehicle(name=name("vehicles", id), vehicle=fields, update_mask={"paths": list(fields)})


def report(client, point=HERE, id="vehicle-1", **fields):
    """What a driver's app sends at each tick."""
    return update_vehicle(client, id, vehicle_state="ONLINE", last_location={"location": point}, **fields)


def create_task(server, id="task-1", **fields):
    return server.create_task(parent=PROVIDER, task_id=id, task=TASK | fields)


def create_delivery_vehicle(server, id="van-1", **fields):
    return server.create_delivery_vehicle(parent=PROVIDER, delivery_vehicle_id=id, delivery_vehicle=fields)


def update_delivery_vehicle(client, id="van-1", **fields):
    vehicle = {"name": name("deliveryVehicles", id), **fields}
    return client.update_delivery_vehicle(delivery_vehicle=vehicle, update_mask={"paths": list(fields)})


def update_task(client, id="task-1", **fields):
    task = {"name": name("tasks", id), **fields}
    return client.update_task(task=task, update_mask={"paths": list(fields)})


def stop(*tasks, point=PICKUP, state="NEW"):
    return {
        "stop": {"planned_location": point, "tasks": [{"task_id": task, "task_duration": {"seconds": 60}} for task in tasks],
        "state": state},
    }
