"""Tests of an app's backend in Python, with the Fleet Engine emulator in a container.

In a checkout of Fleet Token: docker build -f FleetEngine/Dockerfile -t fleet-engine-emulator .

    pip install testcontainers pytest requests pyjwt[crypto]
    pytest test_with_testcontainers.py
"""

import json
import os
import time

import jwt
import pytest
import requests
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import rsa
from testcontainers.core.container import DockerContainer
from testcontainers.core.wait_strategies import HttpWaitStrategy

IMAGE = "fleet-engine-emulator"
ACCOUNT = "backend@demo-fleet.iam.gserviceaccount.com"
PORT = 9190


@pytest.fixture(scope="session")
def key():
    """The key of the backend's service account, in PEM."""
    key = rsa.generate_private_key(public_exponent=65537, key_size=2048)
    encoding, private = serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8
    return key.private_bytes(encoding, private, serialization.NoEncryption()).decode()


@pytest.fixture(scope="session")
def address(key, tmp_path_factory):
    """One container for all tests, which knows the backend's key."""
    folder = tmp_path_factory.mktemp("keys")
    account = {"client_email": ACCOUNT, "private_key_id": "key-1", "private_key": key}
    (folder / "backend.json").write_text(json.dumps(account))
    container = (
        DockerContainer(IMAGE)
        .with_exposed_ports(PORT)
        .with_volume_mapping(str(folder), "/keys")
        # Only its owner can read the folder.
        .with_kwargs(user=os.getuid())
        .with_command(f"--account /keys/backend.json --role {ACCOUNT}=serviceSuperUser")
        .waiting_for(HttpWaitStrategy(PORT, "/").for_status_code(200))
    )
    with container:
        yield f"http://{container.get_container_host_ip()}:{container.get_exposed_port(PORT)}"


@pytest.fixture
def call(address, key):
    """Calls the API with a token that the backend signs; the emulator is as it is after its start."""
    requests.post(f"{address}/_emulator/reset", timeout=30).raise_for_status()
    now = int(time.time())
    claims = {
        "iss": ACCOUNT, "sub": ACCOUNT, "aud": "https://fleetengine.googleapis.com/", "iat": now, "exp": now + 3300,
        "authorization": {"tripid": "*", "vehicleid": "*"},
    }  # fmt: skip
    headers = {"Authorization": f"Bearer {jwt.encode(claims, key, 'RS256', {'kid': 'key-1'})}"}

    def call(method, path, **options):
        url = f"{address}/v1/providers/demo-fleet/{path}"
        return requests.request(method, url, headers=headers, timeout=30, **options)

    return call


def test_trip_is_created(call):
    trip = {"tripType": "EXCLUSIVE", "pickupPoint": {"point": {"latitude": 25.0478, "longitude": 121.517}}}
    assert call("POST", "trips?tripId=trip-1", json=trip).json()["tripStatus"] == "NEW"
    assert call("GET", "trips/trip-1").json()["numberOfPassengers"] == 1


def test_next_test_begins_with_nothing(call):
    assert call("GET", "trips/trip-1").status_code == 404


def test_outage_is_injected(address, call):
    faults = {"faults": [{"error": {"code": "UNAVAILABLE"}, "times": 1}]}
    requests.put(f"{address}/_emulator/faults", json=faults, timeout=30).raise_for_status()
    assert call("GET", "trips/trip-1").status_code == 503
    assert call("GET", "trips/trip-1").status_code == 404
