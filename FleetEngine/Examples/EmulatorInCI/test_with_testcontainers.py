"""Tests of an app's backend in Python, with the Fleet Engine emulator in a container.

    pip install testcontainers pytest google-maps-fleetengine pyjwt[crypto]
    pytest test_with_testcontainers.py
"""

import json
import os
import time
import urllib.request

import grpc
import jwt
import pytest
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import rsa
from google.api_core.exceptions import NotFound
from google.maps import fleetengine_v1
from google.maps.fleetengine_v1.services.trip_service.transports import TripServiceGrpcTransport
from testcontainers.core.container import DockerContainer
from testcontainers.core.wait_strategies import HttpWaitStrategy

IMAGE = os.environ.get("FLEET_ENGINE_EMULATOR_IMAGE", "fleet-engine-emulator:0.1.0")
REST, GRPC, CONTROL = 9190, 9191, 9192
ACCOUNT = "backend@demo-fleet.iam.gserviceaccount.com"


class Emulator:
    """The addresses of a running emulator, and its control plane."""

    def __init__(self, container):
        def address(port):
            return f"{container.get_container_host_ip()}:{container.get_exposed_port(port)}"

        self.rest, self.grpc, self.control = address(REST), address(GRPC), address(CONTROL)

    def put(self, path, body):
        """Changes the emulator, such as its faults."""
        request = urllib.request.Request(
            f"http://{self.control}/_emulator/{path}", json.dumps(body).encode(), method="PUT"
        )
        urllib.request.urlopen(request).close()

    def reset(self):
        request = urllib.request.Request(f"http://{self.control}/_emulator/reset", method="POST")
        urllib.request.urlopen(request).close()


@pytest.fixture(scope="session")
def running():
    """One container for all tests."""
    ready = HttpWaitStrategy(CONTROL, "/_emulator/ready").for_status_code(200)
    with DockerContainer(IMAGE).with_exposed_ports(REST, GRPC, CONTROL).waiting_for(ready) as container:
        yield Emulator(container)


@pytest.fixture(scope="session")
def key():
    """The key of the backend's service account; only its public half leaves the test."""
    return rsa.generate_private_key(public_exponent=65537, key_size=2048)


@pytest.fixture
def emulator(running, key):
    """The emulator as it is after its start, with the key of the backend."""
    running.reset()
    public = jwt.algorithms.RSAAlgorithm.to_jwk(key.public_key(), as_dict=True) | {"kid": "key-1"}
    running.put("keys", {"accounts": {ACCOUNT: {"role": "serviceSuperUser", "keys": [public]}}})
    return running


@pytest.fixture
def token(key):
    """What the backend signs."""
    now = int(time.time())
    claims = {
        "iss": ACCOUNT, "sub": ACCOUNT, "aud": "https://fleetengine.googleapis.com/", "iat": now, "exp": now + 3300,
        "authorization": {"tripid": "*", "vehicleid": "*"},
    }  # fmt: skip
    pem = key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    return jwt.encode(claims, pem, "RS256", {"kid": "key-1"})


@pytest.fixture
def trips(emulator, token):
    """Google's own client, pointed at the emulator."""
    channel = grpc.insecure_channel(emulator.grpc)
    client = fleetengine_v1.TripServiceClient(transport=TripServiceGrpcTransport(channel=channel))
    client.metadata = [("authorization", f"Bearer {token}")]
    return client


def test_trip_is_created(trips):
    place = {"point": {"latitude": 25.0478, "longitude": 121.517}}
    trips.create_trip(
        {
            "parent": "providers/demo-fleet", "trip_id": "trip-1",
            "trip": {"trip_type": "EXCLUSIVE", "pickup_point": place, "number_of_passengers": 1},
        },
        metadata=trips.metadata,
    )  # fmt: skip
    name = "providers/demo-fleet/trips/trip-1"
    assert trips.get_trip({"name": name}, metadata=trips.metadata).trip_status.name == "NEW"


def test_next_test_begins_with_nothing(trips):
    with pytest.raises(NotFound):
        trips.get_trip({"name": "providers/demo-fleet/trips/trip-1"}, metadata=trips.metadata)


def test_backend_survives_an_outage(emulator, trips):
    emulator.put("faults", {"faults": [{"error": {"code": "UNAVAILABLE"}, "times": 1}]})
    # Google's library tries again by itself.
    with pytest.raises(NotFound):
        trips.get_trip({"name": "providers/demo-fleet/trips/trip-1"}, metadata=trips.metadata)
