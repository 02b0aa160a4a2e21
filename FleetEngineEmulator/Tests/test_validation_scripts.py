"""What each role may do and may not, as the validation scripts of Google's Java library assert it: one test each.

Tokens come from tokend, but for the two kinds that it does not mint: the fleet reader's for trips, which the test signs.
"""

import time
import uuid

import jwt
import pytest
from cryptography.hazmat.primitives.asymmetric import rsa
from google.api_core.exceptions import Forbidden

from apis import PROVIDER
from fleet import (
    SEARCH,
    create_delivery_vehicle,
    create_task,
    create_trip,
    create_vehicle,
    name,
    update_task,
    update_trip,
    update_vehicle,
)

EVERYTHING = {claim: "*" for claim in ("tripid", "vehicleid", "deliveryvehicleid", "taskid", "trackingid")}


@pytest.fixture
def forbidden(emulator):
    """Calls a method that must be refused for lack of permission, and not for anything else."""

    def call(method, /, *arguments, **fields):
        with pytest.raises(Forbidden):
            method(*arguments, **fields)
        assert emulator.last_rule in ("CLAIM_MISMATCH", "ROLE_FORBIDS")

    return call


@pytest.fixture(scope="module")
def reader_key():
    return rsa.generate_private_key(public_exponent=65537, key_size=2048)


@pytest.fixture
def fleet_reader(api, emulator, reader_key):
    """A client with a fleet reader's token for everything."""
    account = "reader@demo-fleet.iam.gserviceaccount.com"
    jwk = jwt.algorithms.RSAAlgorithm.to_jwk(reader_key.public_key(), as_dict=True) | {"kid": "reader-1"}
    emulator.control("PUT", "keys", {"accounts": {account: {"role": "fleetReader", "keys": [jwk]}}})
    now = int(time.time())
    claims = {"iss": account, "sub": account, "aud": "https://fleetengine.googleapis.com/"}
    claims |= {"iat": now, "exp": now + 3000, "authorization": EVERYTHING}
    return api(jwt.encode(claims, reader_key, "RS256", {"kid": "reader-1"}))


def test_server(server):
    create_vehicle(server)
    server.get_vehicle(name=name("vehicles", "vehicle-1"))
    create_trip(server)
    server.get_trip(name=name("trips", "trip-1"))
    server.search_vehicles(**SEARCH)
    assert update_trip(server, trip_status="COMPLETE").trip_status.name == "COMPLETE"
    assert update_vehicle(server, vehicle_state="OFFLINE").vehicle_state.name == "OFFLINE"


def test_consumer(api, tokend, server, forbidden):
    create_trip(server)
    consumer = api(tokend.token("consumer", "trip-1"))
    assert consumer.get_trip(name=name("trips", "trip-1")).name.endswith("/trip-1")
    consumer.search_vehicles(**SEARCH, trip_id="trip-1")
    # It is not said whether a trip exists that the token is not for.
    forbidden(consumer.get_trip, name=name("trips", str(uuid.uuid4())))
    forbidden(create_trip, consumer)


def test_consumer_fleet_reader(fleet_reader, server):
    create_trip(server)
    assert fleet_reader.get_trip(name=name("trips", "trip-1")).name.endswith("/trip-1")
    fleet_reader.search_vehicles(**SEARCH, trip_id="trip-1")


def test_driver(api, tokend, server, forbidden):
    create_vehicle(server)
    driver = api(tokend.token("driver", "vehicle-1"))
    driver.get_vehicle(name=name("vehicles", "vehicle-1"))
    assert update_vehicle(driver, vehicle_state="OFFLINE").vehicle_state.name == "OFFLINE"
    forbidden(driver.get_vehicle, name=name("vehicles", str(uuid.uuid4())))
    forbidden(create_vehicle, driver)


def test_delivery_server(delivery_server):
    create_delivery_vehicle(delivery_server)
    delivery_server.get_delivery_vehicle(name=name("deliveryVehicles", "van-1"))
    create_task(delivery_server)
    update_task(delivery_server, task_outcome="SUCCEEDED")


def test_delivery_consumer(api, tokend, delivery_server, forbidden):
    create_task(delivery_server)
    consumer = api(tokend.token("delivery_consumer", "parcel-1"))
    assert consumer.get_task_tracking_info(name=name("taskTrackingInfo", "parcel-1")).tracking_id == "parcel-1"
    other = api(tokend.token("delivery_consumer", "parcel-2"))
    forbidden(other.get_task_tracking_info, name=name("taskTrackingInfo", "parcel-1"))


def test_delivery_consumer_fleet_reader(fleet_reader, delivery_server):
    create_task(delivery_server)
    fleet_reader.get_task_tracking_info(name=name("taskTrackingInfo", "parcel-1"))


def test_delivery_fleet_reader(api, tokend, delivery_server):
    create_task(delivery_server)
    reader = api(tokend.token("fleet_reader"))
    reader.get_task_tracking_info(name=name("taskTrackingInfo", "parcel-1"))


def test_delivery_driver_fleet_reader(fleet_reader, delivery_server):
    create_delivery_vehicle(delivery_server)
    fleet_reader.get_delivery_vehicle(name=name("deliveryVehicles", "van-1"))


def test_untrusted_driver(api, tokend, delivery_server, forbidden):
    create_delivery_vehicle(delivery_server)
    driver = api(tokend.token("delivery_driver", "van-1"))
    driver.get_delivery_vehicle(name=name("deliveryVehicles", "van-1"))
    forbidden(driver.get_delivery_vehicle, name=name("deliveryVehicles", str(uuid.uuid4())))
    forbidden(create_delivery_vehicle, driver)


def test_trusted_driver(api, tokend, forbidden):
    driver = api(tokend.token("trusted_delivery_driver", "van-1"))
    create_delivery_vehicle(driver)
    driver.get_delivery_vehicle(name=name("deliveryVehicles", "van-1"))
    forbidden(driver.get_delivery_vehicle, name=name("deliveryVehicles", str(uuid.uuid4())))


def test_reader_may_not_write(fleet_reader, forbidden):
    forbidden(create_trip, fleet_reader)
    forbidden(create_vehicle, fleet_reader)
    forbidden(create_task, fleet_reader)
    forbidden(fleet_reader.create_delivery_vehicle, parent=PROVIDER, delivery_vehicle_id="van", delivery_vehicle={})
