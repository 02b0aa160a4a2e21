"""Which kind of token may call which method: the whole table.

What is expected is written down here from Google's documentation, and computed from nothing: a role's IAM permissions, the
claims of each kind, the table of trusted and untrusted drivers, and the validation scripts of Google's Java library.
"""

import pytest
from apis import METHODS, PROVIDER, Client
from conftest import Emulator
from fleet import HERE, SEARCH, TASK, TRIP, VEHICLE, name, place, refused, stop

YES, ROLE, CLAIM = "yes", "ROLE_FORBIDS", "CLAIM_MISMATCH"

# Kinds as tokend names them, with the ID that the token is for. "server" and "delivery_server" have the roles of backends
# whose claims matter, "admin" and "delivery_admin" those that ignore claims. The batch is a token for the tasks named in it.
KINDS = [
    "consumer", "driver", "server", "admin", "fleet_reader", "delivery_driver", "trusted_delivery_driver", "delivery_consumer",
    "delivery_task", "delivery_server", "delivery_admin", "batch",
]
IDS = {
    "consumer": "trip-1", "driver": "vehicle-1", "delivery_driver": "van-1", "trusted_delivery_driver": "van-1",
    "delivery_consumer": "parcel-1", "delivery_task": "task-1",
}
ONDEMAND = {"server", "admin"}
DELIVERY = {"delivery_server", "delivery_admin"}


def update(kind, id, fields):
    return {"name": name(f"{kind}s", id), kind: fields, "update_mask": {"paths": list(fields)}}


def change(kind, collection, id, fields):
    return {kind: {"name": name(collection, id), **fields}, "update_mask": {"paths": list(fields)}}


# Each call with the kinds that may make it about what their token is for, and those whose role forbids it. The claims of all
# others keep them out. Last: the kinds that may make it about another resource as well.
READING = DELIVERY | {"fleet_reader"}
CALLS = {
    # trips.create, vehicles.create: servers alone.
    "create_trip": (lambda id: {"parent": PROVIDER, "trip_id": f"trip-{id}", "trip": TRIP}, ONDEMAND, set(), ONDEMAND),
    "create_vehicle": (
        lambda id: {"parent": PROVIDER, "vehicle_id": f"vehicle-{id}", "vehicle": VEHICLE}, ONDEMAND, set(), ONDEMAND,
    ),
    # trips.get: consumers, drivers (whose claim names no trip), servers.
    "get_trip": (lambda id: {"name": name("trips", f"trip-{id}")}, ONDEMAND | {"consumer"}, {"driver"}, ONDEMAND),
    # trips.search: drivers for their vehicle, servers. Never consumers.
    "search_trips": (lambda id: {"parent": PROVIDER, "vehicle_id": f"vehicle-{id}"}, ONDEMAND | {"driver"}, set(), ONDEMAND),
    "search_trips of all": (lambda id: {"parent": PROVIDER}, ONDEMAND, {"driver"}, ONDEMAND),
    # trips.update: drivers (whose claim names no trip); trips.updateState: servers alone.
    "update_trip": (
        lambda id: update("trip", f"trip-{id}", {"dropoff_point": TRIP["dropoff_point"]}), ONDEMAND, {"driver"}, ONDEMAND,
    ),
    "update_trip of status": (lambda id: update("trip", f"trip-{id}", {"trip_status": "COMPLETE"}), ONDEMAND, set(), ONDEMAND),
    "delete_trip": (lambda id: {"name": name("trips", f"trip-{id}")}, ONDEMAND, set(), ONDEMAND),
    # vehicles.get: consumers (whose claim names no vehicle), drivers, servers.
    "get_vehicle": (lambda id: {"name": name("vehicles", f"vehicle-{id}")}, ONDEMAND | {"driver"}, {"consumer"}, ONDEMAND),
    # vehicles.updateLocation: drivers and servers, for what a device reports; vehicles.update: servers.
    "update_vehicle": (
        lambda id: update("vehicle", f"vehicle-{id}", {"vehicle_state": "OFFLINE", "last_location": {"location": HERE}}),
        ONDEMAND | {"driver"}, set(), ONDEMAND,
    ),
    "update_vehicle of capacity": (
        lambda id: update("vehicle", f"vehicle-{id}", {"maximum_capacity": 2}), ONDEMAND, set(), ONDEMAND,
    ),
    "delete_vehicle": (lambda id: {"name": name("vehicles", f"vehicle-{id}")}, ONDEMAND, set(), ONDEMAND),
    # vehicles.list: servers; vehicles.search: consumers and servers.
    "list_vehicles": (lambda id: {"parent": PROVIDER, "vehicle_type_categories": ["AUTO"]}, ONDEMAND, set(), ONDEMAND),
    "search_vehicles": (lambda id: SEARCH | {"trip_id": f"trip-{id}"}, ONDEMAND | {"consumer"}, set(), ONDEMAND),
    # Creating vehicles and tasks, assigning and ordering: trusted drivers and servers.
    "create_delivery_vehicle": (
        lambda id: {"parent": PROVIDER, "delivery_vehicle_id": f"van-{id}", "delivery_vehicle": {}},
        DELIVERY | {"trusted_delivery_driver"}, {"batch"}, DELIVERY,
    ),
    "get_delivery_vehicle": (
        lambda id: {"name": name("deliveryVehicles", f"van-{id}")}, READING | {"delivery_driver", "trusted_delivery_driver"},
        {"batch"}, READING,
    ),
    "list_delivery_vehicles": (lambda id: {"parent": PROVIDER}, READING, {"batch"}, READING),
    "update_delivery_vehicle": (
        lambda id: change("delivery_vehicle", "deliveryVehicles", f"van-{id}", {"last_location": {"location": HERE}}),
        DELIVERY | {"delivery_driver", "trusted_delivery_driver"}, {"batch"}, DELIVERY,
    ),
    "update_delivery_vehicle of a stop's state": (
        lambda id: change("delivery_vehicle", "deliveryVehicles", f"van-{id}",
        {"remaining_vehicle_journey_segments": [stop(f"task-{id}", state="ARRIVED")]}),
        DELIVERY | {"delivery_driver", "trusted_delivery_driver"}, {"batch"}, DELIVERY,
    ),
    "update_delivery_vehicle of stops": (
        lambda id: change("delivery_vehicle", "deliveryVehicles", f"van-{id}",
        {"remaining_vehicle_journey_segments": [stop(f"task-{id}"), stop(point={"point": place(25.1)})]}),
        DELIVERY | {"trusted_delivery_driver"}, {"batch"}, DELIVERY,
    ),
    "delete_delivery_vehicle": (lambda id: {"name": name("deliveryVehicles", f"van-{id}")}, DELIVERY, {"batch"}, DELIVERY),
    "create_task": (
        lambda id: {"parent": PROVIDER, "task_id": f"task-{id}", "task": TASK}, DELIVERY | {"batch"}, {"trusted_delivery_driver"},
        DELIVERY,
    ),
    "batch_create_tasks": (
        lambda id: {"parent": PROVIDER, "requests": [{"task_id": f"task-{id}", "task": TASK}]}, DELIVERY | {"batch"},
        {"trusted_delivery_driver"}, DELIVERY,
    ),
    # A driver's claim grants access to the tasks of the driver's vehicle, a recipient's the tasks with the tracking ID.
    "get_task": (
        lambda id: {"name": name("tasks", f"task-{id}")},
        READING | {"delivery_driver", "trusted_delivery_driver", "delivery_consumer", "delivery_task"}, {"batch"}, READING,
    ),
    "update_task": (
        lambda id: change("task", "tasks", f"task-{id}", {"task_outcome": "SUCCEEDED"}),
        DELIVERY | {"delivery_driver", "trusted_delivery_driver"}, {"batch"}, DELIVERY,
    ),
    "update_task of its view": (
        lambda id: change("task", "tasks", f"task-{id}", {"task_tracking_view_config": {}}),
        DELIVERY | {"trusted_delivery_driver"}, {"batch"}, DELIVERY,
    ),
    "list_tasks": (lambda id: {"parent": PROVIDER}, READING, {"batch"}, READING),
    "delete_task": (lambda id: {"name": name("tasks", f"task-{id}")}, DELIVERY, {"batch"}, DELIVERY),
    "get_task_tracking_info": (
        lambda id: {"name": name("taskTrackingInfo", f"parcel-{id}")}, READING | {"delivery_consumer", "delivery_task"},
        {"batch"}, READING,
    ),
}


def expected(call, kind, id):
    """What a kind's token must get for a call about its own resource, 1, or another's, 2."""
    _, own, claims_forbid, every = CALLS[call]
    if kind in every or (id == 1 and kind in own):
        return YES
    return CLAIM if kind in own or kind in claims_forbid else ROLE


@pytest.fixture(scope="module")
def tokens(tokend):
    """A token of each kind, which all tests have in common."""
    kinds = {"admin": "server", "delivery_admin": "delivery_server"}
    tokens = {kind: tokend.token(kinds.get(kind, kind), IDS.get(kind)) for kind in KINDS if kind != "batch"}
    return tokens | {"batch": tokend.batch_token("task-1")}


@pytest.fixture(scope="module")
def administrators(tmp_path_factory, tokend, keys):
    """An emulator that knows tokend's servers as administrators."""
    program = Emulator(tmp_path_factory.mktemp("administrators"), "--keys", keys)
    yield program
    program.stop()


@pytest.fixture(scope="module")
def clients(running_emulator, administrators, tokens):
    """A client of each kind, with the emulator that knows the kind's role."""
    engines = {kind: administrators if kind.endswith("admin") else running_emulator for kind in KINDS}
    clients = {kind: Client(engines[kind], tokens[kind]) for kind in KINDS}
    yield clients
    for client in clients.values():
        client.close()


def create_resources(server, delivery, call):
    """Creates two of everything but what a call creates: what the tokens are for, and another's."""
    for id in ("1", "2"):
        if call != "create_trip":
            server.create_trip(parent=PROVIDER, trip_id=f"trip-{id}", trip=TRIP)
        if call != "create_vehicle":
            server.create_vehicle(parent=PROVIDER, vehicle_id=f"vehicle-{id}", vehicle=VEHICLE)
        if call != "create_delivery_vehicle":
            delivery.create_delivery_vehicle(parent=PROVIDER, delivery_vehicle_id=f"van-{id}", delivery_vehicle={})
        if call not in ("create_task", "batch_create_tasks"):
            delivery.create_task(parent=PROVIDER, task_id=f"task-{id}", task=TASK | {"tracking_id": f"parcel-{id}"})
        # A vehicle or a task that has the other cannot be deleted.
        if not call.startswith(("create", "batch", "delete")):
            stops = {"remaining_vehicle_journey_segments": [stop(f"task-{id}")]}
            delivery.update_delivery_vehicle(**change("delivery_vehicle", "deliveryVehicles", f"van-{id}", stops))


@pytest.fixture(scope="module")
def prepare(running_emulator, administrators, clients):
    """Prepares the resources for a call. They are created again for another call, and after one that was permitted."""
    prepared = {}

    def prepare(kind, call, is_permitted):
        engine, server = (administrators, "admin") if kind.endswith("admin") else (running_emulator, "server")
        if prepared.get(engine) != call:
            engine.control("POST", "reset")
            create_resources(clients[server], clients[f"delivery_{server}"], call)
        prepared[engine] = None if is_permitted else call

    return prepare


@pytest.mark.parametrize("id", [1, 2], ids=["own", "another's"])
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("call", CALLS)
def test_permission(call, kind, id, clients, prepare):
    wanted = expected(call, kind, id)
    prepare(kind, call, wanted == YES)
    method, request = getattr(clients[kind], call.partition(" ")[0]), CALLS[call][0](id)
    if wanted == YES:
        method(**request)
    else:
        with refused(wanted):
            method(**request)


def test_the_table_has_each_method():
    delivery = {
        "create_delivery_vehicle", "get_delivery_vehicle", "update_delivery_vehicle", "list_delivery_vehicles",
        "delete_delivery_vehicle", "create_task", "batch_create_tasks", "get_task", "update_task", "list_tasks", "delete_task",
        "get_task_tracking_info",
    }
    assert {call.partition(" ")[0] for call in CALLS} == set(METHODS) | delivery
