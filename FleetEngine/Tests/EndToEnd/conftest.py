"""The emulator and tokend, started as a user starts them, and the two ways to call the API.

Tokens come from tokend. Google's own client libraries from PyPI, unchanged, are the clients.
"""

import os
import pathlib
import re
import subprocess
import sys

import pytest
import requests

from apis import PROVIDER, Grpc, Rest

ROOT = pathlib.Path(__file__).parents[2]
sys.path.append(str(ROOT / "Tests" / "EndToEnd"))

from build import BUILD as TOKENS_BUILD  # noqa: E402
from production import until  # noqa: E402

# pytest finds its hooks here.
from skips import pytest_make_collect_report, pytest_runtest_makereport  # noqa: E402, F401

BUILD = pathlib.Path(os.environ.get("FLEET_ENGINE_EMULATOR_BUILD", ROOT / "FleetEngineEmulator/.build/debug"))

# tokend's servers are administrators, whose claims don't matter; here they are the servers of Google's scripts.
ROLES = {"server": "serviceSuperUser", "delivery_server": "deliverySuperUser"}


class Program:
    """A program that prints where it listens."""

    def __init__(self, folder, name, *arguments):
        self.output, self.log = folder / f"{name}.out", folder / f"{name}.err"
        with self.output.open("wb") as output, self.log.open("wb") as log:
            program = (TOKENS_BUILD if name == "tokend" else BUILD) / name
            self.process = subprocess.Popen([program, *map(str, arguments)], stdout=output, stderr=log)
        until(lambda: "Control-C" in self.banner or self.process.poll() is not None, "the banner", 60)
        assert self.process.poll() is None, self.log.read_text()

    @property
    def banner(self):
        return self.output.read_text()

    def stop(self):
        self.process.terminate()
        assert self.process.wait(60) == 0, self.log.read_text()


class Tokend(Program):
    def __init__(self, folder, keys):
        super().__init__(folder, "tokend", "dev", "--port", 0, "--admin-port", 0, "--keys", keys)
        self.url = re.search(r"http://\S+", self.banner).group()

    def token(self, kind, id=None):
        """A token of a kind, such as `consumer`, for one resource."""
        path = "/".join(part for part in (kind, id) if part)
        return requests.get(f"{self.url}/token/{path}", timeout=30).json()["token"]

    def batch_token(self, *tasks):
        return requests.post(f"{self.url}/token/delivery_server", json={"taskIds": tasks}, timeout=30).json()["token"]


class Emulator(Program):
    def __init__(self, folder, *arguments):
        super().__init__(
            folder, "fleet-engine-emulator", "--port", 0, "--grpc-port", 0, "--control-port", 0, *arguments
        )
        self.rest = re.search(r"FLEET_ENGINE_EMULATOR_HOST=(\S+)", self.banner).group(1)
        self.grpc = re.search(r"gRPC is at (\S+)\. ", self.banner).group(1)
        self.url = re.search(r"(http://\S+/_emulator)/", self.banner).group(1)
        self.control_address = self.url.split("/")[2]

    def control(self, verb, path, body=None, status=200):
        """What the control plane answers, with this status."""
        answer = requests.request(verb, f"{self.url}/{path}", json=body, timeout=30)
        assert answer.status_code == status, answer.text
        return answer.json()

    def request(self, verb, path, token=None, headers=(), timeout=30, **options):
        """A request over REST of a path below the provider, or of one that begins with `/`."""
        url = f"http://{self.rest}{path if path.startswith('/') else f'/v1/{PROVIDER}/{path}'}"
        headers = dict(headers) | ({"Authorization": f"Bearer {token}"} if token else {})
        return requests.request(verb, url, headers=headers, timeout=timeout, **options)

    @property
    def last_rule(self):
        """The rule that refused the last request; None if it was answered."""
        return self.control("GET", "requests?limit=1")["requests"][0].get("rule")


@pytest.fixture(scope="session")
def keys(tmp_path_factory):
    return tmp_path_factory.mktemp("site") / "keys"


@pytest.fixture(scope="session")
def tokend(tmp_path_factory, keys):
    program = Tokend(tmp_path_factory.mktemp("tokend"), keys)
    yield program
    program.stop()


@pytest.fixture(scope="session")
def running_emulator(tmp_path_factory, tokend):
    """One emulator for all tests, which knows tokend's keys by its key set."""
    roles = [f"--role={kind}@development.invalid={role}" for kind, role in ROLES.items()]
    jwks = f"{tokend.url}/.well-known/jwks.json"
    program = Emulator(tmp_path_factory.mktemp("emulator"), "--jwks", jwks, *roles)
    yield program
    program.stop()


@pytest.fixture
def emulator(running_emulator):
    """The emulator, as it is after its start."""
    running_emulator.control("POST", "reset")
    return running_emulator


@pytest.fixture(params=[Grpc, Rest])
def api(request, emulator):
    """Makes a client with a token, on each transport in turn."""
    clients = []

    def client(token):
        clients.append(request.param(emulator, token))
        return clients[-1]

    yield client
    for client_ in clients:
        client_.close()


@pytest.fixture
def server(api, tokend):
    """A client with the token of a backend for trips."""
    return api(tokend.token("server"))


@pytest.fixture
def delivery_server(api, tokend):
    """A client with the token of a backend for deliveries."""
    return api(tokend.token("delivery_server"))
