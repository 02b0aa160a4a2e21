"""What the docstrings of `google-maps-fleetengine` 0.6.1 state of trips, as checks."""

import fleet
from documented import *  # noqa: F403
from fleet import TRIP

STOPS = [{"point": {"latitude": 25.04, "longitude": 121.53}}, {"point": {"latitude": 25.03, "longitude": 121.55}}]
EMPTY = {"terminal_location_type": "PICKUP_WAYPOINT_TYPE"}


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


MAINTAINED = [
    "current_route_segment", "current_route_segment_end_point", "current_route_segment_version", "dropoff_time", "eta_to_first_waypoint",
    "intermediate_destinations_version", "last_location", "name", "pickup_time", "remaining_distance_meters",
    "remaining_time_to_first_waypoint", "remaining_waypoints", "remaining_waypoints_version", "route",
]

# Each with what makes its value of a location.
ACTUAL_POINTS = {
    "actual_pickup_point": lambda point: point, "actual_pickup_arrival_point": lambda point: point,
    "actual_dropoff_point": lambda point: point, "actual_intermediate_destinations": lambda point: [point],
    "actual_intermediate_destination_arrival_points": lambda point: [point],
}
JOURNEY = {"current_route_segment", "remaining_waypoints", "remaining_distance_meters", "eta_to_first_waypoint"}
WAY = {"eta", "duration", "distance_meters", "path_to_waypoint"}
IGNORED = {
    "attributes": [{"key": "a", "string_value": "1"}], "intermediate_destination_index": 1,
    "intermediate_destinations_version": {"seconds": 1}, "last_location": {"location": HERE}, "pickup_time": {"seconds": 5},
    "remaining_distance_meters": 5, "route": [HERE, HERE],
}

ROWS = {
    "CreateTripRequest.trip": [
        ("no trip type", lambda w: create(w, trip_type=None), Refused(MISSING, "trip.trip_type")),
        ("an unknown trip type", lambda w: create(w, trip_type="UNKNOWN_TRIP_TYPE"), Refused(MISSING, "trip.trip_type")),
        ("no pickup point", lambda w: create(w, pickup_point=None), Refused(MISSING, "trip.pickup_point")),
        ("no drop-off point", lambda w: "dropoff_point" in set_fields(create(w, dropoff_point=None)), False),
        ("begins as NEW", lambda w: create(w, trip_status="CANCELED").trip_status.name, "NEW"),
        ("passengers are used", lambda w: create(w, number_of_passengers=3).number_of_passengers, 3),
        ("the vehicle is used", lambda w: w.assign("trip-1") and w.trip().vehicle_id, "vehicle-1"),
        ("destinations are used", lambda w: len(create(w, intermediate_destinations=STOPS).intermediate_destinations), 2),
        ("the name is ignored", lambda w: create(w, name="x").name, name("trips", "trip-1")),
        ("other fields are ignored", lambda w: set(IGNORED) & set_fields(create(w, **IGNORED)), set()),
    ],
    "CreateTripRequest.trip_id": list(ids(create, "trip_id")),
    "Trip.intermediate_destinations": [
        ("of a shared trip", lambda w: create(w, trip_type="SHARED", intermediate_destinations=STOPS),
         Refused(INVALID, "trip.intermediate_destinations")),
        ("given to a shared trip", lambda w: (create(w, trip_type="SHARED"), w.update(intermediate_destinations=STOPS)),
         Refused(INVALID, "trip.intermediate_destinations")),
        ("of a trip that becomes shared", lambda w: (with_stops(w), w.update(trip_type="SHARED")),
         Refused(INVALID, "trip.intermediate_destinations")),
        ("keep their order", lambda w: [round(d.point.latitude, 2) for d in create(w,
         intermediate_destinations=STOPS).intermediate_destinations], [25.04, 25.03]),
    ],
    "TerminalLocation.point": [
        ("pickup", lambda w: create(w, pickup_point=EMPTY), Refused(MISSING, "trip.pickup_point.point")),
        ("destination", lambda w: create(w, intermediate_destinations=[STOPS[0], EMPTY]),
         Refused(MISSING, "trip.intermediate_destinations[1].point")),
        ("drop-off of an update", lambda w: (create(w), w.update(dropoff_point=EMPTY)),
         Refused(MISSING, "trip.dropoff_point.point")),
        ("pickup of a search", lambda w: w.search(pickup_point=EMPTY), Refused(MISSING, "pickup_point.point")),
    ],
    "Trip.vehicle_waypoints": [
        ("is left out", lambda w: create(w, vehicle_waypoints=[{"trip_id": "a"}]),
         Refused("METHOD_UNIMPLEMENTED", "vehicleWaypoints")),
        ("a shared trip's are appended",
         lambda w: [p.trip_id for p in w.assign("a", "b", trip_type="SHARED").waypoints], ["a", "a", "b", "b"]),
    ],
    "TripWaypoint": [
        ("the first has no time, way and distance, the second has all",
         lambda w: w.assign("trip-1") and [WAY & set_fields(point) for point in w.trip().remaining_waypoints], [set(), WAY]),
        ("the vehicle's have the same", lambda w: "eta" in set_fields(w.assign("trip-1").waypoints[0]), False),
        ("waypoints of other trips are there",
         lambda w: w.assign("a", "b") and [p.trip_id for p in w.trip("b").remaining_waypoints], ["a", "a", "b", "b"]),
    ],
    "UpdateTripRequest.trip": [
        *((path, lambda w, path=path: masked(w, path), Refused(MANAGED, "update_mask")) for path in MAINTAINED),
    ],
    "UpdateTripRequest.update_mask": [
        ("empty", lambda w: (create(w), w.s.update_trip(name=name("trips", "trip-1"), trip={})),
         Refused("MASK_EMPTY", "update_mask")),
        ("no field", lambda w: masked(w, "nonsense"), Refused("MASK_FIELD_UNKNOWN", "update_mask")),
        ("other fields stay", lambda w: masked(w, "trip_status", trip_status="NEW",
         dropoff_point=PICKUP).dropoff_point.point.latitude, DROPOFF["point"]["latitude"]),
        ("a field that is not there is cleared", lambda w: "dropoff_point" in set_fields(masked(w, "dropoff_point")), False),
    ],
    "Trip.number_of_passengers": [
        ("another", lambda w: masked(w, "number_of_passengers", number_of_passengers=2),
         Refused(IMMUTABLE, "trip.number_of_passengers")),
        ("the same", lambda w: masked(w, "number_of_passengers", number_of_passengers=1),
         Refused(IMMUTABLE, "trip.number_of_passengers")),
        ("beside the mask", lambda w: masked(w, "trip_status", trip_status="NEW", number_of_passengers=4).number_of_passengers,
         1),
    ],
    "Trip.intermediate_destinations_version": [
        ("the trip's", lambda w: leave(w, with_stops(w)).trip_status.name, "ENROUTE_TO_INTERMEDIATE_DESTINATION"),
        ("none", lambda w: with_stops(w) and leave(w).trip_status.name, "ENROUTE_TO_INTERMEDIATE_DESTINATION"),
        ("an older one", lambda w: leave(w, stale(w)), Refused("VERSION_DIFFERS", "trip.intermediate_destinations_version")),
        ("one from the future", lambda w: with_stops(w) and leave(w, {"seconds": 9_999_999_999}),
         Refused("VERSION_DIFFERS", "trip.intermediate_destinations_version")),
        ("of a trip without destinations", lambda w: create(w) and leave(w, {"seconds": 5}),
         Refused("VERSION_DIFFERS", "trip.intermediate_destinations_version")),
        ("with the index alone", lambda w: leave(w, stale(w), mask=["intermediate_destination_index"],
         intermediate_destination_index=0), Refused("VERSION_DIFFERS", "trip.intermediate_destinations_version")),
        ("with another status it does not matter", lambda w: leave(w, stale(w), "ENROUTE_TO_PICKUP").trip_status.name,
         "ENROUTE_TO_PICKUP"),
        ("nothing changes", lambda w: (refusal(leave, w, stale(w)), w.trip().trip_status.name)[1], "NEW"),
        ("changes with the destinations", lambda w: stale(w) < w.trip().intermediate_destinations_version, True),
        ("stays without a change",
         lambda w: with_stops(w) == w.update(intermediate_destinations=STOPS).intermediate_destinations_version, True),
    ],
    "Trip.intermediate_destination_index": [
        *((f"{index} of 2", lambda w, index=index: with_stops(w)
        and w.update(intermediate_destination_index=index).intermediate_destination_index,
        index if 0 <= index < 2 else Refused(INVALID, "trip.intermediate_destination_index")) for index in (-1, 0, 1, 2)),
        ("7 without destinations is ignored", lambda w: create(w)
        and w.update(intermediate_destination_index=7).intermediate_destination_index, 0),
        ("the waypoints before it are gone", lambda w: w.drive() and with_stops(w, "vehicle-1")
        and len(leave(w, mask=["trip_status", "intermediate_destination_index"],
        intermediate_destination_index=1).remaining_waypoints), 2),
    ],
    "Trip.attributes": [
        ("a key that occurs twice", lambda w: with_attributes(w, [{"key": "a", "number_value": 1}] * 2),
         Refused(INVALID, "trip.attributes[1].key")),
        ("a number", lambda w: with_attributes(w, [{"key": "a", "number_value": 2.5}])[0].number_value, 2.5),
        ("a Boolean", lambda w: with_attributes(w, [{"key": "a", "bool_value": True}])[0].bool_value, True),
    ],
    "Trip.last_location_snappable": [
        ("without a segment", lambda w: w.assign("trip-1") and w.report(last_location={"location": HERE, "is_road_snapped": True})
        and w.trip().last_location_snappable, False),
        ("without a location", lambda w: fleet.create_vehicle(w.s) and create(w, vehicle_id="vehicle-1").last_location_snappable,
        False), ("with both", lambda w: followed(w,
        last_location={"location": HERE, "is_road_snapped": True}).last_location_snappable, True),
        ("an update is ignored", lambda w: create(w) and w.update(last_location_snappable=True).last_location_snappable, False),
        ("an update beside another is ignored", lambda w: create(w)
        and w.update(last_location_snappable=True, trip_status="ENROUTE_TO_PICKUP").trip_status.name, "ENROUTE_TO_PICKUP"),
    ],
    "StopLocation.point": [
        *((field, lambda w, field=field, value=value: (create(w), w.update(**{field: value({"timestamp": {"seconds": 5}})})),
        Refused(MISSING, f"trip.{field}.point")) for field, value in ACTUAL_POINTS.items()),
    ],
    "Trip input": [
        *((field, lambda w, field=field, value=value: field in (create(w),
        set_fields(w.update(**{field: value({"point": HERE})})))[1], False) for field, value in ACTUAL_POINTS.items()),
    ],
    "Trip journey": [
        ("distance without a vehicle", lambda w: create(w) and w.trip().remaining_distance_meters, None),
        ("the device's distance", lambda w: followed(w).remaining_distance_meters, 169),
        ("the device's time", lambda w: 40 < followed(w).remaining_time_to_first_waypoint.total_seconds() <= 53, True),
        ("a distance without a segment is not the trip's",
         lambda w: w.assign("trip-1") and w.report(remaining_distance_meters=7) and w.trip().remaining_distance_meters > 100,
         True),
        *(
            (f"of a trip that is {status}", lambda w, status=status: JOURNEY & over(w, status), set())
            for status in ("COMPLETE", "CANCELED")
        ),
        ("the pickup time is estimated", lambda w: followed(w).pickup_time == w.trip().eta_to_first_waypoint, True),
        ("the drop-off time is later", lambda w: followed(w).dropoff_time > w.trip().pickup_time, True),
        ("the last location is the vehicle's", lambda w: followed(w).last_location.location.latitude, HERE["latitude"]),
    ],
    "GetTripRequest.view": [
        (field, lambda w, field=field, value=value: create(w) and get(w, **{field: value}), Refused("METHOD_UNIMPLEMENTED", name))
        for field, name, value in (("view", "view", "SDK"), ("route_format_type", "routeFormatType", "LAT_LNG_LIST_TYPE"))
    ],
    "GetTripRequest.current_route_segment_version": [
        ("none", lambda w: len(followed(w).route), 2),
        ("the current one", lambda w: len(again(w, "current_route_segment_version").route), 0),
        ("one before", lambda w: followed(w) and len(get(w, current_route_segment_version={"seconds": 5}).route), 2),
        ("after a change", lambda w: (lambda v: (w.report(current_route_segment=SEGMENT + "gJoK"), len(get(w,
         current_route_segment_version=v).route))[1])(followed(w).current_route_segment_version), 3),
    ],
    "GetTripRequest.remaining_waypoints_route_version": [
        ("none", lambda w: len(followed(w).remaining_waypoints[1].path_to_waypoint), 2),
        ("the current one keeps the waypoints", lambda w: [len(point.path_to_waypoint)
         for point in again(w, "remaining_waypoints_route_version").remaining_waypoints], [0, 0]),
        ("the deprecated version keeps nothing back", lambda w: len(again(w, "remaining_waypoints_version").remaining_waypoints),
         2),
    ],
    "SearchTripsRequest.vehicle_id": [
        ("of the vehicle", lambda w: searched(three(w), vehicle_id="vehicle-1"), ["b", "c"]),
        ("none", lambda w: searched(three(w)), ["a", "b", "c"]),
        ("of no vehicle", lambda w: searched(three(w), vehicle_id="x"), []),
        *((f"the journey with {vehicle}", lambda w,
        vehicle=vehicle: followed(w) and JOURNEY & set_fields(list(w.s.search_trips(parent=PROVIDER, **vehicle).trips)[0]),
        expected) for vehicle, expected in (({}, set()), ({"vehicle_id": "vehicle-1"}, JOURNEY))),
    ],
    "SearchTripsRequest.active_trips_only": [
        ("true", lambda w: searched(three(w), active_trips_only=True), ["b"]),
        ("with a vehicle", lambda w: searched(three(w), active_trips_only=True, vehicle_id="vehicle-1"), ["b"]),
    ],
    "SearchTripsRequest.minimum_staleness": [
        ("updated since", lambda w: (three(w), wait(w, 50), searched(w, minimum_staleness={"seconds": 60}))[2], []),
        ("not updated since", lambda w: (three(w), wait(w, 70), searched(w, minimum_staleness={"seconds": 60}))[2],
        ["a", "b", "c"]), ("one was updated", lambda w: (three(w), wait(w, 70), w.update("b", trip_status="NEW"),
        searched(w, minimum_staleness={"seconds": 60}))[3], ["a", "c"]),
    ],
    "minimum_staleness": [
        ("negative", lambda w: searched(w, minimum_staleness={"seconds": -1}), Refused(INVALID, "minimum_staleness")),
    ],
    "SearchTripsResponse.next_page_token": [
        ("of the last page", lambda w: three(w) and w.s.search_trips(parent=PROVIDER, page_size=3).next_page_token, ""),
    ],
    "RequestHeader": [
        ("is accepted", lambda w: create(w) and get(w, header={"region_code": "TW", "language_code": "zh"}).trip_status.name,
         "NEW"),
    ],
    "TerminalPointId and other deprecated fields": [
        ("are ignored", lambda w: create(w, pickup_point=PICKUP | {"terminal_point_id": {"value": "x"}}).trip_status.name, "NEW"),
    ],
    "Polylines of Google's SDKs": [
        ("are kept", lambda w: w.assign("trip-1") and w.report(current_route_segment="!").current_route_segment, "!"),
        ("are not decoded", lambda w: w.assign("trip-1") and w.report(current_route_segment="!") and len(w.trip().route), 2),
    ],
    "DeleteTrip": [
        ("active, with a vehicle", lambda w: (w.assign("trip-1"), w.s.delete_trip(name=name("trips", "trip-1"))),
         Refused("TRIP_IS_ACTIVE")),
        ("active, without a vehicle", lambda w: (create(w), w.s.delete_trip(name=name("trips", "trip-1")))[1], None),
        ("over", lambda w: (w.assign("trip-1"), w.update(trip_status="CANCELED"), w.s.delete_trip(name=name("trips",
         "trip-1")))[2], None),
        ("none", lambda w: w.s.delete_trip(name=name("trips", "trip-1")), Refused("NOT_FOUND")),
        ("afterwards", lambda w: (create(w), w.s.delete_trip(name=name("trips", "trip-1")), w.trip()), Refused("NOT_FOUND")),
    ],
}


def refusal(call, *arguments):
    """Makes a call that must be refused, and goes on."""
    from google.api_core.exceptions import BadRequest

    try:
        call(*arguments)
    except BadRequest:
        return
    raise AssertionError("was not refused")


CHECKS: list[Check] = checks(ROWS)
