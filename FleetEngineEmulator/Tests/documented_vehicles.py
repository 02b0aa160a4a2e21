"""What the docstrings of `google-maps-fleetengine` 0.6.1 state of vehicles and of the search for them, as checks."""

import fleet
from documented import *  # noqa: F403


def create(w, id="vehicle-1", **fields):
    return fleet.create_vehicle(w.s, id, **fields)


def updated(w, **fields):
    create(w)
    return w.report(**fields)


def at_any_time(field, values, expected):
    """The checks of a field, when a vehicle is created and later."""
    for value in values:
        yield (f"{value} when it is created", lambda w, value=value: create(w, **{field: value}), expected)
        yield (f"{value} later", lambda w, value=value: updated(w, **{field: value}), expected)


def ignored(fields):
    """The checks of fields that a request to create a vehicle may have, to no effect."""
    for field, value in fields.items():
        yield (
            f"{field} is ignored",
            lambda w, field=field, value=value: getattr(create(w, **{field: value}), field) == getattr(create(w, "other"), field), True,
        )


def located(w, **location):
    return updated(w, last_location=location).last_location


def with_attributes(w, attributes):
    return create(w, attributes=attributes).attributes


def replaced(w, attributes):
    return updated(w, attributes=attributes).attributes


def merged(w, attributes, before=()):
    create(w, attributes=list(before))
    return w.s.update_vehicle_attributes(name=name("vehicles", "vehicle-1"), attributes=attributes).attributes


def masked(w, path):
    create(w)
    return w.s.update_vehicle(name=name("vehicles", "vehicle-1"), vehicle={}, update_mask={"paths": [path]})


def get(w, **request):
    return w.s.get_vehicle(name=name("vehicles", "vehicle-1"), **request)


def driving(w, *trips, **report):
    """A vehicle with trips that reports a segment to its first stop."""
    w.assign(*(trips or ["trip-1"]))
    return w.report(**({"current_route_segment": SEGMENT} | report))


def in_order(w, order):
    points = [as_dict(point) for point in w.assign("a", "b").waypoints]
    return [point.trip_id for point in w.report(waypoints=[points[index] for index in order]).waypoints]


def three(w):
    """A vehicle of each capacity, with another state, type or trip."""
    w.drive("one", maximum_capacity=1)
    w.drive("two", maximum_capacity=2, vehicle_type={"category": "TAXI"}, vehicle_state="OFFLINE")
    w.assign("trip-1", vehicle="three", maximum_capacity=3)
    return w


def lists(w, **request):
    return sorted(three(w).listed(**({"vehicle_type_categories": ["AUTO", "TAXI"]} | request)))


def some(w, **request):
    return sorted(w.with_attributes().listed(**request))


def pairs(*keys):
    return [{"key": key, "string_value": "1"} for key in keys]


def any_of(*lists):
    return [{"attributes": pairs(*keys)} for keys in lists]


def back_to_back(w, status="ENROUTE_TO_DROPOFF", trips=("trip-1",), **vehicle):
    """A vehicle that accepts back-to-back trips and has one with a status."""
    w.assign(*trips, **({"back_to_back_enabled": True} | vehicle))
    for trip in trips:
        w.update(trip, trip_status=status)
    return w


def matches(w, **change):
    found = w.s.search_vehicles(**(fleet.SEARCH | change)).matches
    return {match.vehicle.name.rpartition("/")[2]: match for match in found}


def meters(w, field, **change):
    return getattr(matches(w, **change)["vehicle-1"], field)


def sharing(w, trips=1, passengers=1, capacity=4, trip_type="SHARED"):
    w.drive(supported_trip_types=["EXCLUSIVE", "SHARED"], maximum_capacity=capacity)
    for number in range(trips):
        fleet.create_trip(
            w.s, f"trip-{number}", vehicle_id="vehicle-1", trip_type=trip_type, number_of_passengers=passengers
        )
    return w


def orders(w, order_by, **change):
    """Three vehicles: near but with a trip far away, further, and furthest."""
    back_to_back(w)
    w.drive("vehicle-2", place(25.06))
    w.drive("vehicle-3", place(25.08))
    return [id[-1] for id, _ in w.search(order_by=order_by, include_back_to_back=True, **change)]


def distances(w, *latitudes):
    for number, latitude in enumerate(latitudes):
        w.drive(f"v{number}", place(latitude))
    return w


FIELD = "vehicle.last_location"
TRAFFIC = {"traffic_rendering": {"road_stretch": [{"style": "TRAFFIC_JAM", "length_meters": 9}]}}
IGNORED = {
    "current_trips": ["t"], "current_route_segment": SEGMENT, "current_route_segment_end_point": {"trip_id": "t"},
    "current_route_segment_version": {"seconds": 5}, "waypoints": [{"trip_id": "t"}], "waypoints_version": {"seconds": 5},
    "remaining_distance_meters": 5, "eta_to_first_waypoint": {"seconds": 5}, "navigation_status": "OFF_ROUTE", "route": [PICKUP],
}


CHECKS = checks(globals())
