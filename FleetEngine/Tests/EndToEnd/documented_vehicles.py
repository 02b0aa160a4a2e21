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


def located(w, **location):
    return updated(w, last_location=location).last_location


def with_attributes(w, attributes):
    return create(w, attributes=attributes).attributes


def replaced(w, attributes):
    return updated(w, attributes=attributes).attributes


def masked(w, path):
    create(w)
    return w.s.update_vehicle(name=name("vehicles", "vehicle-1"), vehicle={}, update_mask={"paths": [path]})


def get(w, **request):
    return w.s.get_vehicle(name=name("vehicles", "vehicle-1"), **request)


def driving(w, *trips, **report):
    """A vehicle with trips that reports a segment to its first stop."""
    w.assign(*(trips or ["trip-1"]))
    return w.report(**({"current_route_segment": SEGMENT} | report))


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


def matches(w, **change):
    found = w.s.search_vehicles(**(fleet.SEARCH | change)).matches
    return {match.vehicle.name.rpartition("/")[2]: match for match in found}


def meters(w, field, **change):
    return getattr(matches(w, **change)["vehicle-1"], field)


def distances(w, *latitudes):
    for number, latitude in enumerate(latitudes):
        w.drive(f"v{number}", place(latitude))
    return w


FIELD = "vehicle.last_location"
TRAFFIC = {"traffic_rendering": {"road_stretch": [{"style": "TRAFFIC_JAM", "length_meters": 9}]}}
IGNORED = {
    "name": "x", "current_trips": ["t"], "current_route_segment": SEGMENT, "current_route_segment_end_point": {"trip_id": "t"},
    "current_route_segment_version": {"seconds": 5}, "waypoints_version": {"seconds": 5},
    "remaining_distance_meters": 5, "eta_to_first_waypoint": {"seconds": 5}, "navigation_status": "OFF_ROUTE", "route": [PICKUP],
}

ROWS = {
    "Vehicle.vehicle_state": [
        *at_any_time("vehicle_state", ["UNKNOWN_VEHICLE_STATE"], Refused(MISSING, "vehicle.vehicle_state")),
    ],
    "Vehicle.supported_trip_types": [
        *at_any_time("supported_trip_types", [[]], Refused(MISSING, "vehicle.supported_trip_types")),
        *at_any_time("supported_trip_types", (["UNKNOWN_TRIP_TYPE"], ["SHARED", "UNKNOWN_TRIP_TYPE"]),
        Refused(INVALID, "vehicle.supported_trip_types")),
    ],
    "VehicleLocation.location": [
        ("is not estimated", lambda w: (w.drive(), wait(w, 60), get(w).last_location.location.latitude)[2], HERE["latitude"]),
    ],
    "CreateVehicleRequest.vehicle": [
        *(
            (f"no {field}", lambda w, field=field: create(w, **{field: None}), Refused(MISSING, f"vehicle.{field}"))
            for field in ("vehicle_state", "supported_trip_types", "maximum_capacity", "vehicle_type")
        ),
        *(
            (
                f"{field} is ignored",
                lambda w, field=field, value=value: getattr(create(w, **{field: value}), field)
                == getattr(create(w, "other"), field)
                or field == "name",
                True,
            )
            for field, value in IGNORED.items()
        ),
        ("the location is used", lambda w: create(w, last_location={"location": HERE}).last_location.location.latitude,
         HERE["latitude"]),
        ("back-to-back is used", lambda w: create(w, back_to_back_enabled=True).back_to_back_enabled, True),
        ("back-to-back is false by default", lambda w: create(w).back_to_back_enabled, False),
        ("the license plate is used", lambda w: create(w, license_plate={"country_code": "TW",
         "last_character": "7"}).license_plate.last_character, "7"),
        ("attributes are used", lambda w: len(create(w, attributes=pairs("a", "b")).attributes), 2),
    ],
    "CreateVehicleRequest.vehicle_id": [("a slash", lambda w: create(w, "a/b"), Refused("ID_INVALID", "vehicle_id"))],
    "Vehicle.maximum_capacity": [
        *at_any_time("maximum_capacity", (0, -1), Refused(MISSING, "vehicle.maximum_capacity")),
        ("cleared", lambda w: masked(w, "maximum_capacity"), Refused(MISSING, "vehicle.maximum_capacity")),
        ("1", lambda w: updated(w, maximum_capacity=1).maximum_capacity, 1),
    ],
    "Vehicle.vehicle_type": [
        *at_any_time("vehicle_type", [{"category": "UNKNOWN"}], Refused(MISSING, "vehicle.vehicle_type")),
        ("cleared", lambda w: masked(w, "vehicle_type"), Refused(MISSING, "vehicle.vehicle_type")),
        ("another", lambda w: updated(w, vehicle_type={"category": "BICYCLE"}).vehicle_type.category.name, "BICYCLE"),
    ],
    "VehicleAttribute": list(attribute_rules(with_attributes, "vehicle.attributes")),
    "VehicleAttribute.string_value": list(text_rules(with_attributes, "vehicle.attributes")),
    "UpdateVehicleRequest.vehicle": [
        *((path, lambda w, path=path: masked(w, path), Refused(MANAGED, "update_mask"))
        for path in ("current_route_segment_version", "current_trips", "name", "waypoints_version")),
    ],
    "UpdateVehicleRequest.attributes": [
        ("replaced", lambda w: (with_attributes(w, pairs("a", "b")), [a.key
         for a in w.report(attributes=pairs("c")).attributes])[1], ["c"]),
        ("removed", lambda w: (with_attributes(w, pairs("a", "b")), list(w.report(attributes=[]).attributes))[1], []),
    ],
    "UpdateVehicleRequest.waypoints": [
        ("an order", lambda w: updated(w, waypoints=[{"trip_id": "a"}]), Refused("METHOD_UNIMPLEMENTED", "waypoints")),
        ("none", lambda w: masked(w, "waypoints"), Refused(MANAGED, "update_mask")),
    ],
    "Vehicle.current_route_segment_end_point": [
        ("without the segment it is ignored", lambda w: (w.assign("trip-1"),
         w.report(current_route_segment_end_point={"trip_id": "trip-1"}).current_route_segment_end_point.trip_id)[1], ""),
        ("without the segment the old one stays",
         lambda w: (driving(w, current_route_segment_end_point={"trip_id": "trip-1"}),
         w.report(current_route_segment_end_point={"trip_id": "x"}).current_route_segment_end_point.trip_id)[1], "trip-1"),
        ("a whole waypoint", lambda w: driving(w,
         current_route_segment_end_point={"trip_id": "trip-1"}).current_route_segment_end_point.trip_id, "trip-1"),
        ("a place becomes its waypoint", lambda w: driving(w,
         current_route_segment_end_point={"location": PICKUP}).current_route_segment_end_point.waypoint_type.name,
         "PICKUP_WAYPOINT_TYPE"),
    ],
    "Vehicle.remaining_distance_meters": [
        ("without a segment", lambda w: (w.assign("trip-1"), w.report(remaining_distance_meters=7).remaining_distance_meters)[1],
        None), ("with a segment", lambda w: driving(w, remaining_distance_meters=7).remaining_distance_meters, 7),
        ("after the segment", lambda w: (driving(w), w.report(remaining_distance_meters=8).remaining_distance_meters)[1], 8),
        ("the segment is cleared", lambda w: (driving(w, remaining_distance_meters=7),
        w.report(current_route_segment="").remaining_distance_meters)[1], None),
        ("it is the trip's too", lambda w: driving(w, remaining_distance_meters=7) and w.trip().remaining_distance_meters, 7),
    ],
    "Vehicle.eta_to_first_waypoint": [
        ("without a segment", lambda w: (w.assign("trip-1"),
         "eta_to_first_waypoint" in set_fields(w.report(eta_to_first_waypoint={"seconds": 99})))[1], False),
        ("with a segment", lambda w: driving(w, eta_to_first_waypoint={"seconds": 99}).eta_to_first_waypoint.timestamp(), 99),
        ("without waypoints", lambda w: (w.drive(), "eta_to_first_waypoint" in set_fields(w.report(current_route_segment=SEGMENT,
         eta_to_first_waypoint={"seconds": 99})))[1], False),
        ("it is the trip's too", lambda w: driving(w, eta_to_first_waypoint={"seconds": 99})
         and w.trip().eta_to_first_waypoint.timestamp(), 99),
    ],
    "Vehicle.remaining_time_seconds": [
        ("is in no answer", lambda w: driving(w, remaining_time_seconds=53).remaining_time_seconds, None),
        ("comes before the time of arrival", lambda w: driving(w, remaining_time_seconds=53,
         eta_to_first_waypoint={"seconds": 99}).eta_to_first_waypoint.timestamp() > 1e9, True),
        ("is the trip's", lambda w: driving(w, remaining_time_seconds=53)
         and 40 < w.trip().remaining_time_to_first_waypoint.total_seconds() <= 53, True),
    ],
    "Vehicle.past_locations": [
        ("past locations", lambda w: list(updated(w, past_locations=[{"location": HERE}]).past_locations), []),
        ("a past location is checked", lambda w: updated(w, past_locations=[{"location": HERE}, {"location": HERE,
         "heading": 400}]), Refused(INVALID, "vehicle.past_locations[1].heading")),
        ("device settings", lambda w: updated(w, device_settings={}), Refused("METHOD_UNIMPLEMENTED", "deviceSettings")),
        ("traffic", lambda w: "current_route_segment_traffic" in set_fields(driving(w, current_route_segment_traffic=TRAFFIC)),
         False),
    ],
    "VehicleLocation": [
        *location_rules(located, FIELD),
        ("CORE_LOCATION is accepted", lambda w: located(w, location=HERE, location_sensor="CORE_LOCATION").location_sensor.name,
         "CORE_LOCATION"),
    ],
    "LicensePlate": [
        *at_any_time("license_plate", [{"last_character": "1"}], Refused(MISSING, "vehicle.license_plate.country_code")),
        *at_any_time("license_plate", [{"country_code": "US", "last_character": text} for text in ("A", "12")],
        Refused(INVALID, "vehicle.license_plate.last_character")),
        ("-1", lambda w: create(w, license_plate={"country_code": "US", "last_character": "-1"}).license_plate.last_character,
        "-1"),
    ],
    "GetVehicleRequest.current_route_segment_version": [
        ("none", lambda w: driving(w) and get(w).current_route_segment, SEGMENT),
        ("the current one", lambda w: get(w,
         current_route_segment_version=driving(w).current_route_segment_version).current_route_segment, ""),
        ("one before", lambda w: driving(w) and get(w, current_route_segment_version={"seconds": 5}).current_route_segment,
         SEGMENT),
        (
            "changes with the segment",
            lambda w: driving(w).current_route_segment_version
            < w.report(current_route_segment=SEGMENT + "gJoK").current_route_segment_version,
            True,
        ),
    ],
    "GetVehicleRequest.waypoints_version": [
        ("none", lambda w: driving(w) and len(get(w).waypoints), 2),
        ("the current one", lambda w: len(get(w, waypoints_version=driving(w).waypoints_version).waypoints), 0),
        ("one before", lambda w: driving(w) and len(get(w, waypoints_version={"seconds": 5}).waypoints), 2),
        ("changes with the waypoints", lambda w: driving(w).waypoints_version < (w.update(trip_status="ENROUTE_TO_DROPOFF")
         and w.vehicle().waypoints_version), True),
    ],
    "DeleteVehicle": [
        ("with a trip", lambda w: (w.assign("trip-1"), w.s.delete_vehicle(name=name("vehicles", "vehicle-1"))),
         Refused("VEHICLE_HAS_TRIPS")),
        ("with a trip that is over", lambda w: (w.assign("trip-1"), w.update(trip_status="COMPLETE"),
         w.s.delete_vehicle(name=name("vehicles", "vehicle-1")), w.vehicle()), Refused("NOT_FOUND")),
    ],
    "ListVehiclesRequest.vehicle_type_categories": [
        ("none", lambda w: w.listed(vehicle_type_categories=[]), Refused(MISSING, "vehicle_type_categories")),
        ("UNKNOWN", lambda w: w.listed(vehicle_type_categories=["AUTO", "UNKNOWN"]), Refused(INVALID, "vehicle_type_categories")),
        ("one", lambda w: lists(w, vehicle_type_categories=["TAXI"]), ["two"]),
        ("two", lambda w: lists(w), ["one", "three", "two"]),
    ],
    "ListVehiclesRequest.minimum_capacity": [
        ("-1", lambda w: w.listed(minimum_capacity=-1), Refused(INVALID, "minimum_capacity")),
        ("0", lambda w: lists(w, minimum_capacity=0), ["one", "three", "two"]),
        ("2", lambda w: lists(w, minimum_capacity=2), ["three", "two"]),
    ],
    "ListVehiclesRequest.maximum_staleness": [
        ("0", lambda w: w.listed(maximum_staleness={"seconds": 0}), Refused(INVALID, "maximum_staleness")),
        ("-1", lambda w: w.listed(maximum_staleness={"seconds": -1}), Refused(INVALID, "maximum_staleness")),
        ("within", lambda w: (w.drive(), wait(w, 5), w.listed(maximum_staleness={"seconds": 60}))[2], ["vehicle-1"]),
        ("before", lambda w: (w.drive(), wait(w, 65), w.listed(maximum_staleness={"seconds": 60}))[2], []),
        ("never reported", lambda w: create(w) and w.listed(maximum_staleness={"seconds": 60}), []),
        ("none", lambda w: (w.drive(), wait(w, 1000), w.listed())[2], ["vehicle-1"]),
    ],
    "ListVehiclesRequest.trip_types": [
        ("one", lambda w: lists(w, trip_types=["SHARED"]), ["three"]),
        ("one of two", lambda w: lists(w, trip_types=["SHARED", "EXCLUSIVE"]), ["one", "three", "two"]),
    ],
    "ListVehiclesRequest.vehicle_state": [
        ("OFFLINE", lambda w: lists(w, vehicle_state="OFFLINE"), ["two"]),
        ("ONLINE", lambda w: lists(w, vehicle_state="ONLINE"), ["one", "three"]),
    ],
    "ListVehiclesRequest.on_trip_only": [("true", lambda w: lists(w, on_trip_only=True), ["three"])],
    "ListVehiclesRequest.filter": [
        ("a text", lambda w: some(w, filter='attributes.a = "1"'), ["a", "ab"]),
        ("with another restriction", lambda w: some(w, filter='attributes.a = "1"', vehicle_state="OFFLINE"), []),
        ("another field", lambda w: w.listed(filter="vehicle_state = ONLINE"), Refused(INVALID, "filter")),
    ],
    "ListVehiclesRequest.viewport": [
        ("inside", lambda w: w.drive() and w.listed(viewport={"low": place(25, 121), "high": place(26, 122)}), ["vehicle-1"]),
        ("upside down", lambda w: w.listed(viewport={"low": place(26, 121), "high": place(25, 122)}),
         Refused(INVALID, "viewport")),
        ("without a corner", lambda w: w.listed(viewport={"low": place(26, 121)}), Refused(MISSING, "viewport")),
        ("outside", lambda w: w.drive() and w.listed(viewport={"low": place(26, 121), "high": place(27, 122)}), []),
        ("without a location", lambda w: create(w) and w.listed(viewport={"low": place(25, 121), "high": place(26, 122)}), []),
    ],
    "ListVehiclesRequest.page_size": [
        ("2", lambda w: len(list(three(w).s.list_vehicles(parent=PROVIDER, vehicle_type_categories=["AUTO"],
        page_size=1).vehicles)), 1), ("the total",
        lambda w: three(w).s.list_vehicles(parent=PROVIDER, vehicle_type_categories=["AUTO"], page_size=1).total_size, 2),
        ("negative", lambda w: w.listed(page_size=-1), Refused(INVALID, "page_size")),
        ("no token of this server", lambda w: w.listed(page_token="nonsense!"), Refused("PAGE_TOKEN_INVALID", "page_token")),
    ],
}

SEARCHES = {
    "SearchVehiclesRequest.pickup_point": [
        ("none", lambda w: w.search(pickup_point=None), Refused(MISSING, "pickup_point")),
        ("nowhere on Earth", lambda w: w.search(pickup_point={"point": place(91)}), Refused(INVALID, "pickup_point.point")),
    ],
    "SearchVehiclesRequest.pickup_radius_meters": [
        *((str(radius), lambda w, radius=radius: w.search(pickup_radius_meters=radius),
        [] if 400 <= radius <= 10_000 else Refused(INVALID, "pickup_radius_meters"))
        for radius in (0, 399, 400, 10_000, 10_001)),
        ("within", lambda w: distances(w, 25.0478, 25.0508, 25.0528).search(pickup_radius_meters=400),
        ["v0", "v1"]),
    ],
    "SearchVehiclesRequest.count": [
        *((str(count), lambda w, count=count: w.search(count=count), [] if 1 <= count <= 50 else Refused(INVALID, "count"))
        for count in (-1, 0, 1, 50, 51)), ("the nearest",
        lambda w: distances(w, 25.05, 25.0478).search(count=1), ["v1"]),
    ],
    "SearchVehiclesRequest.minimum_capacity": [
        *(
            (
                str(capacity),
                lambda w, capacity=capacity: w.search(minimum_capacity=capacity),
                [] if capacity else Refused(INVALID, "minimum_capacity"),
            )
            for capacity in (0, 1)
        ),
        ("as many as the vehicle's", lambda w: w.drive() and len(w.search(minimum_capacity=4)), 1),
        ("one more", lambda w: w.drive() and len(w.search(minimum_capacity=5)), 0),
    ],
    "SearchVehiclesRequest.trip_types": [
        ("none", lambda w: w.search(trip_types=[]), Refused(INVALID, "trip_types")),
        ("two", lambda w: w.search(trip_types=["EXCLUSIVE", "SHARED"]), Refused(INVALID, "trip_types")),
        ("the same twice", lambda w: w.search(trip_types=["EXCLUSIVE", "EXCLUSIVE"]), Refused(INVALID, "trip_types")),
        ("UNKNOWN_TRIP_TYPE", lambda w: w.search(trip_types=["UNKNOWN_TRIP_TYPE"]), Refused(INVALID, "trip_types")),
        ("one that the vehicle does not support", lambda w: w.drive() and w.share(), []),
        ("it is in the match", lambda w: w.drive() and meters(w, "trip_type").name, "EXCLUSIVE"),
    ],
    "SearchVehiclesRequest.vehicle_types": [
        ("none", lambda w: w.search(vehicle_types=[]), Refused(MISSING, "vehicle_types")),
        ("UNKNOWN", lambda w: w.search(vehicle_types=[{"category": "AUTO"}, {"category": "UNKNOWN"}]),
        Refused(INVALID, "vehicle_types")), ("another", lambda w: w.drive() and w.search(vehicle_types=[{"category": "TAXI"}]),
        []), ("one of two", lambda w: w.drive() and len(w.search(vehicle_types=[{"category": "TAXI"}, {"category": "AUTO"}])), 1),
    ],
    "SearchVehiclesRequest.dropoff_point": [
        ("none for SHARED", lambda w: w.share(dropoff_point=None), Refused(MISSING, "dropoff_point")),
        ("none for EXCLUSIVE", lambda w: w.search(), []),
    ],
    "SearchVehiclesRequest.maximum_staleness": [
        ("five minutes", lambda w: (w.drive(), wait(w, 299), len(w.search()))[2], 1),
        ("more than five minutes", lambda w: (w.drive(), wait(w, 301), len(w.search()))[2], 0),
        ("longer", lambda w: (w.drive(), wait(w, 301), len(w.search(maximum_staleness={"seconds": 600})))[2], 1),
        ("shorter", lambda w: (w.drive(), wait(w, 61), len(w.search(maximum_staleness={"seconds": 60})))[2], 0),
        ("a stationary vehicle that reports",
         lambda w: (w.drive(), wait(w, 301), w.report(last_location={"location": HERE}), len(w.search()))[3], 1),
    ],
    "SearchVehiclesRequest.filter": [
        ("a text", lambda w: w.with_attributes().searched(filter='attributes.a = "1"'), ["a", "ab"]),
    ],
    "SearchVehiclesRequest.order_by": [
        ("none", lambda w: w.search(order_by=None), Refused(MISSING, "order_by")),
        ("DROPOFF_POINT_ETA without a drop-off point", lambda w: w.search(order_by="DROPOFF_POINT_ETA"),
         Refused(INVALID, "order_by")),
        ("the nearest first", lambda w: distances(w, 25.08, 25.06, 25.0478).search(order_by="PICKUP_POINT_ETA"), ["v2", "v1", "v0"]),
        (
            "it is in the match",
            lambda w: w.drive() and (meters(w, "ordered_by").name, meters(w, "requested_ordered_by").name),
            ("PICKUP_POINT_DISTANCE",) * 2,
        ),
    ],
    "SearchVehiclesRequest.include_back_to_back": [
        ("true", lambda w: w.search(include_back_to_back=True), Refused("METHOD_UNIMPLEMENTED", "include_back_to_back")),
    ],
    "SearchVehiclesRequest.current_trips_present": [
        ("none for SHARED", lambda w: w.share(current_trips_present=None), Refused(MISSING, "current_trips_present")),
        ("NONE with a trip", lambda w: w.assign("trip-1") and w.search(current_trips_present="NONE"), []),
        ("NONE without a trip", lambda w: w.drive() and w.search(current_trips_present="NONE"), ["vehicle-1"]),
        ("ANY with a trip", lambda w: w.assign("trip-1") and w.search(current_trips_present="ANY"), ["vehicle-1"]),
        ("ANY for SHARED", lambda w: w.assign("trip-1", trip_type="SHARED") and w.share(), ["vehicle-1"]),
    ],
    "VehicleState.OFFLINE": [
        ("OFFLINE", lambda w: w.drive(vehicle_state="OFFLINE") and w.search(), []),
        ("without a location", lambda w: create(w) and w.search(), []),
    ],
    "VehicleMatch.vehicle_match_type": [
        ("no trip", lambda w: w.drive() and meters(w, "vehicle_match_type").name, "EXCLUSIVE"),
    ],
    "VehicleMatch.vehicle_pickup_eta": [
        *((field, lambda w, field=field: w.drive(point=place(25.0568)) and abs(meters(w, field) - 1001) < 3, True)
        for field in ("vehicle_pickup_distance_meters", "vehicle_pickup_straight_line_distance_meters")),
    ],
    "VehicleMatch.vehicle_dropoff_eta": [
        ("without a drop-off point", lambda w: w.drive() and {"vehicle_dropoff_eta",
         "vehicle_pickup_to_dropoff_distance_meters"} & set_fields(matches(w)["vehicle-1"]), set()),
        ("with one", lambda w: w.drive() and 4_900 < meters(w, "vehicle_pickup_to_dropoff_distance_meters",
         dropoff_point=DROPOFF) < 5_200, True),
        ("after the pickup", lambda w: w.drive() and (lambda m: m.vehicle_dropoff_eta > m.vehicle_pickup_eta)(matches(w,
         dropoff_point=DROPOFF)["vehicle-1"]), True),
    ],
}

CHECKS: list[Check] = checks(ROWS | SEARCHES)
