"""The parts of which the checks of `test_documented.py` and its tables are made."""

import dataclasses
from collections.abc import Callable
from typing import Any

import fleet
from apis import PROVIDER
from fleet import DROPOFF, HERE, PICKUP, SEARCH, SEGMENT, name

# What the tables of documented_trips.py, documented_vehicles.py and documented_deliveries.py are written with.
__all__ = [
    "DROPOFF", "FORBIDDEN", "HERE", "IMMUTABLE", "INVALID", "MANAGED", "MISSING", "PICKUP", "PROVIDER", "SEGMENT",
    "attribute_rules", "Check", "checks", "ids", "location_rules", "name", "off",
    "place", "Refused", "set_fields", "text_rules", "up", "wait", "waypoint",
]


@dataclasses.dataclass(frozen=True)
class Refused:
    """A refusal by a rule, whose error names a field; an empty field for a rule about the whole resource."""

    rule: str
    field: str = ""


@dataclasses.dataclass(frozen=True)
class Check:
    """A call and what must come back; the row is the message or field that says so."""

    row: str
    case: str
    call: Callable[["World"], Any]
    expected: Any

    def __str__(self):
        return f"{self.row}: {self.case}".replace("::", ":")


def checks(rows):
    """The checks of a table: {row: [(case, call, expected)]}."""
    return [Check(row, *case) for row, cases in rows.items() for case in cases]


INVALID, MISSING, FORBIDDEN, IMMUTABLE, MANAGED = (
    "FIELD_INVALID", "FIELD_MISSING", "FIELD_FORBIDDEN", "FIELD_IMMUTABLE", "MASK_FIELD_OUTPUT_ONLY",
)

BAD_IDS = ["", "a" * 65, "a/b", "a:b", "a?b", "a,b", "a#b", "e\u0301", "ö" * 65]
GOOD_IDS = ["a" * 64, "ö" * 64, "車両-1", "a b", "é", "*"]


def ids(create, field):
    for id in BAD_IDS:
        yield (f"{id!r} is refused", lambda w, id=id: create(w, id), Refused("ID_INVALID", field))
    for id in GOOD_IDS:
        yield (f"{id!r} is accepted", lambda w, id=id: create(w, id).name.rpartition("/")[2], id)


def attribute_rules(change, field):
    """The checks of attributes, which four messages share; `change` sends a list of them."""

    def many(count):
        return [{"key": str(number), "string_value": ""} for number in range(count)]

    twice = [{"key": "a", "string_value": "1"}, {"key": "b", "string_value": "1"}, {"key": "a", "string_value": "2"}]
    yield ("a key that occurs twice", lambda w: change(w, twice), Refused(INVALID, f"{field}[2].key"))
    yield ("an empty key", lambda w: change(w, [{"key": "", "string_value": "1"}]), Refused(INVALID, f"{field}[0].key"))
    colon = [{"key": "a:b", "string_value": "1"}]
    yield ("a colon in a key", lambda w: change(w, colon), Refused(INVALID, f"{field}[0].key"))
    for value in ["string_value", "value"]:
        long = [{"key": "k" * 100, value: "v" * 156}]
        yield (f"257 characters in {value}", lambda w, long=long: change(w, long), Refused(INVALID, f"{field}[0]"))
        short = [{"key": "k" * 100, value: "v" * 155}]
        yield (f"256 characters in {value}", lambda w, short=short: len(change(w, short)), 1)
    yield ("101 attributes", lambda w: change(w, many(101)), Refused(INVALID, field))
    yield ("100 attributes", lambda w: len(change(w, many(100))), 100)


def text_rules(change, field):
    """The checks of the two fields for an attribute's text."""

    def sent(*values):
        return lambda w: [(a.value, a.string_value) for a in change(w, [{"key": "k", **value} for value in values])]

    yield ("different texts", sent({"value": "1", "string_value": "2"}), Refused(INVALID, f"{field}[0].string_value"))
    yield ("the same text twice", sent({"value": "1", "string_value": "1"}), [("1", "1")])
    yield ("value alone", sent({"value": "1"}), [("1", "1")])
    yield ("string_value alone", sent({"string_value": "1"}), [("1", "1")])
    yield ("a Boolean", sent({"bool_value": True}), [("true", "")])
    yield ("a number", sent({"number_value": 2.5}), [("2.5", "")])


def location_rules(report, field):
    """The checks of a reported location, which both APIs share."""
    yield (
        "Fleet Engine's sensor", lambda w: report(w, location=HERE, location_sensor="FLEET_ENGINE_LOCATION"),
        Refused("LOCATION_SENSOR_RESERVED", f"{field}.location_sensor"),
    )
    for heading, is_valid in ((-1, False), (0, True), (359, True), (360, False)):
        expected = heading if is_valid else Refused(INVALID, f"{field}.heading")
        yield (f"heading {heading}", lambda w, heading=heading: report(w, location=HERE, heading=heading).heading, expected)
    for point in ({"latitude": 90.1, "longitude": 0}, {"latitude": 0, "longitude": -180.1}):
        yield (f"{list(point.values())}", lambda w, point=point: report(w, location=point), Refused(INVALID, f"{field}.location"))
    yield (
        "the server's time is its own", lambda w: report(w, location=HERE,
        server_time={"seconds": 1}).server_time.timestamp() > 1e9, True,
    )


def set_fields(message):
    return {descriptor.name for descriptor, _ in type(message).pb(message).ListFields()}


def wait(w, seconds):
    w.emulator.control("POST", "clock:advance", {"seconds": seconds})


@dataclasses.dataclass
class World:
    """The emulator with two backends, one for trips and one for deliveries, and what checks begin with."""

    emulator: Any
    s: Any
    d: Any
    api: Any
    tokend: Any

    # Trips and vehicles.

    def trip(self, id="trip-1"):
        return self.s.get_trip(name=name("trips", id))

    def vehicle(self, id="vehicle-1"):
        return self.s.get_vehicle(name=name("vehicles", id))

    def drive(self, id="vehicle-1", point=HERE, **fields):
        return fleet.create_vehicle(self.s, id, last_location={"location": point}, **fields)

    def assign(self, *trips, vehicle="vehicle-1", trip_type="EXCLUSIVE", **fields):
        self.drive(vehicle, supported_trip_types=["EXCLUSIVE", "SHARED"], **fields)
        for trip in trips:
            fleet.create_trip(self.s, trip, vehicle_id=vehicle, trip_type=trip_type)
        return self.vehicle(vehicle)

    def update(self, id="trip-1", **fields):
        return fleet.update_trip(self.s, id, **fields)

    def report(self, id="vehicle-1", **fields):
        return fleet.update_vehicle(self.s, id, **fields)

    def search(self, **change):
        """The IDs of the vehicles that a search finds."""
        found = self.s.search_vehicles(**(SEARCH | change)).matches
        return [match.vehicle.name.rpartition("/")[2] for match in found]

    def share(self, **change):
        """What a search for a shared trip finds."""
        shared = {"trip_types": ["SHARED"], "dropoff_point": DROPOFF, "current_trips_present": "ANY"}
        return self.search(**(shared | change))

    def listed(self, **request):
        request = {"parent": PROVIDER, "vehicle_type_categories": ["AUTO"]} | request
        return [vehicle.name.rpartition("/")[2] for vehicle in self.s.list_vehicles(**request).vehicles]

    def with_attributes(self):
        """Creates three vehicles: one with a and b, one with a, one with b."""
        for id, keys in (("ab", "ab"), ("a", "a"), ("b", "b")):
            self.drive(id, attributes=[{"key": key, "string_value": "1"} for key in keys])
        return self

    def searched(self, **change):
        return sorted(self.search(**change))

    # Deliveries.

    def van(self, id="van-1", **fields):
        return fleet.create_delivery_vehicle(self.d, id, **({"last_location": {"location": HERE}} | fields))

    def get_van(self, id="van-1"):
        return self.d.get_delivery_vehicle(name=name("deliveryVehicles", id))

    def move(self, id="van-1", **fields):
        return fleet.update_delivery_vehicle(self.d, id, **fields)

    def stops(self, *stops, id="van-1"):
        return self.move(id, remaining_vehicle_journey_segments=list(stops))

    def task(self, id="task-1", **fields):
        return fleet.create_task(self.d, id, **fields)

    def get_task(self, id="task-1"):
        return self.d.get_task(name=name("tasks", id))

    def change(self, id="task-1", **fields):
        return fleet.update_task(self.d, id, **fields)

    def route(self):
        """A van on its way to task-1 at the pickup point, and then to task-2."""
        self.van()
        self.task()
        self.task("task-2", tracking_id="parcel-2", planned_location=DROPOFF, task_duration={"seconds": 90})
        self.stops(fleet.stop("task-1"), fleet.stop("task-2", point=DROPOFF))
        return self

    def tracked(self, id="parcel-2"):
        return self.d.get_task_tracking_info(name=name("taskTrackingInfo", id))

    def tasks(self, filter=""):
        return "".join(task.name[-1] for task in self.d.list_tasks(parent=PROVIDER, filter=filter))


def place(latitude, longitude=121.517):
    return {"latitude": latitude, "longitude": longitude}


def waypoint(trip, type, point):
    return {"trip_id": trip, "waypoint_type": type, "location": point}


def up(trip, **extra):
    return waypoint(trip, "PICKUP_WAYPOINT_TYPE", PICKUP) | extra


def off(trip):
    return waypoint(trip, "DROP_OFF_WAYPOINT_TYPE", DROPOFF)
