"""What the docstrings of `google-maps-fleetengine` 0.6.1 state of trips, as checks."""

import fleet
from documented import *  # noqa: F403
from fleet import TRIP  # noqa: F401

STOPS = [{"point": {"latitude": 25.04, "longitude": 121.53}}, {"point": {"latitude": 25.03, "longitude": 121.55}}]
EMPTY = {"terminal_location_type": "PICKUP_WAYPOINT_TYPE"}
TRAFFIC = {"traffic_rendering": {"road_stretch": [{"style": "TRAFFIC_JAM", "length_meters": 5000}]}}


def create(w, id="trip-1", **fields):
    return fleet.create_trip(w.s, id, **fields)


def with_stops(w, vehicle=""):
    """A trip with two destinations; returns its version."""
    return create(w, intermediate_destinations=STOPS, vehicle_id=vehicle).intermediate_destinations_version


def leave(w, version=None, status="ENROUTE_TO_INTERMEDIATE_DESTINATION", mask=("trip_status",), **fields):
    """Sends the status, with a version beside the mask."""
    trip = {"trip_status": status} | fields
    if version is not None:
        trip["intermediate_destinations_version"] = version
    return w.s.update_trip(name=name("trips", "trip-1"), trip=trip, update_mask={"paths": list(mask)})


def stale(w):
    version = with_stops(w)
    w.update(intermediate_destinations=STOPS[:1])
    return version


def ordered(w, *order, type="EXCLUSIVE", other="EXCLUSIVE"):
    """Gives a vehicle with the trip `a` another, `b`, with an order of all waypoints."""
    w.drive(supported_trip_types=["EXCLUSIVE", "SHARED"])
    create(w, "a", vehicle_id="vehicle-1", trip_type=other)
    create(w, "b", trip_type=type)
    w.s.update_trip(
        name=name("trips", "b"),
        trip={"vehicle_id": "vehicle-1", "vehicle_waypoints": list(order)},
        update_mask={"paths": ["vehicle_id", "vehicle_waypoints"]},
    )
    return [(point.trip_id, point.waypoint_type.name[0]) for point in w.vehicle().waypoints]


def created_in_order(w, *order):
    w.drive()
    return [
        point.waypoint_type.name[0]
        for point in create(w, "b", vehicle_id="vehicle-1", vehicle_waypoints=list(order)).vehicle_waypoints
    ]


def masked(w, path, **trip):
    create(w)
    return w.s.update_trip(name=name("trips", "trip-1"), trip=trip, update_mask={"paths": [path]})


def followed(w, **report):
    """A trip whose vehicle reports a segment with its distance and time."""
    w.assign("trip-1")
    w.report(current_route_segment=SEGMENT, remaining_distance_meters=169, remaining_time_seconds=53, **report)
    return w.trip()


def over(w, status):
    followed(w)
    return set_fields(w.update(trip_status=status))


def encoded(w):
    """The segment, the length of the list, and whether a waypoint has an encoded way."""
    followed(w)
    trip = get(w, route_format_type="ENCODED_POLYLINE_TYPE")
    return trip.current_route_segment, len(trip.route), bool(trip.remaining_waypoints[1].encoded_path_to_waypoint)


def again(w, version, **report):
    """The trip for a caller that has a version of it already."""
    return get(w, **{version: getattr(followed(w, **report), version)})


def get(w, **request):
    return w.s.get_trip(name=name("trips", "trip-1"), **request)


def searched(w, **request):
    return [trip.name.rpartition("/")[2] for trip in w.s.search_trips(parent=PROVIDER, **request).trips]


def three(w):
    """A trip without a vehicle, one with, and one that is over."""
    w.assign("b", "c")
    create(w, "a")
    w.update("c", trip_status="COMPLETE")
    return w


def with_attributes(w, attributes):
    create(w)
    return w.update(attributes=attributes).attributes


def billable(w, **fields):
    return w.s.report_billable_trip(name=f"{PROVIDER}/billableTrips/t", **({"country_code": "TW"} | fields))


TWO_TRIPS = [up("a"), off("a"), up("b"), off("b")]
ORDER = [("a", "P"), ("a", "D"), ("b", "P"), ("b", "D")]
FIELD = "trip.vehicle_waypoints"

JOURNEY = {"current_route_segment", "remaining_waypoints", "remaining_distance_meters", "eta_to_first_waypoint"}
WAY = {"eta", "duration", "distance_meters", "path_to_waypoint"}
IGNORED = {
    "attributes": [{"key": "a", "string_value": "1"}], "intermediate_destination_index": 1,
    "intermediate_destinations_version": {"seconds": 1}, "last_location": {"location": HERE}, "pickup_time": {"seconds": 5},
    "remaining_distance_meters": 5, "route": [HERE, HERE],
}


def created_with_stop(w):
    w.drive()
    between = waypoint("b", "INTERMEDIATE_DESTINATION_WAYPOINT_TYPE", STOPS[0])
    trip = create(
        w,
        "b",
        vehicle_id="vehicle-1",
        intermediate_destinations=STOPS[:1],
        vehicle_waypoints=[up("b"), between, off("b")],
    )
    return [point.waypoint_type.name[0] for point in trip.vehicle_waypoints]


def refusal(call, *arguments):
    """Makes a call that must be refused, and goes on."""
    from google.api_core.exceptions import BadRequest

    try:
        call(*arguments)
    except BadRequest:
        return
    raise AssertionError("was not refused")


CHECKS = checks(globals())
