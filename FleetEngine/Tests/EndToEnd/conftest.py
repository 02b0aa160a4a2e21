"""The emulator and tokend, started as a user starts them.

Tokens come from tokend. Google's own client libraries from PyPI, unchanged, are the clients.
"""

import os
import pathlib
import re
import subprocess
import sys

import pytest
import requests

from apis import PROVIDER, Client

ROOT = pathlib.Path(__file__).parents[3]
sys.path.append(str(ROOT / "Tests" / "EndToEnd"))

from build import BUILD as TOKENS_BUILD  # noqa: E402
from production import until  # noqa: E402

# pytest finds its hooks here.
from skips import pytest_make_collect_report, pytest_runtest_makereport  # noqa: E402, F401

BUILD = pathlib.Path(os.environ.get("FLEET_ENGINE_EMULATOR_BUILD", ROOT / "FleetEngine/.build/debug"))

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
        """A new token of a kind, such as `consumer`, for one resource: a reused one may be minutes old."""
        path = "/".join(part for part in (kind, id) if part)
        return requests.get(f"{self.url}/token/{path}", headers={"Fleet-Token-Reuse": "no"}, timeout=30).json()["token"]

    def batch_token(self, *tasks):
        return requests.post(f"{self.url}/token/delivery_server", json={"taskIds": tasks}, timeout=30).json()["token"]


class Emulator(Program):
    def __init__(self, folder, *arguments):
        super().__init__(folder, "fleet-engine-emulator", "--port", 0, *arguments)
        self.address = re.search(r"FLEET_ENGINE_EMULATOR_HOST=(\S+)", self.banner).group(1)

    def advance(self, seconds):
        """Moves the clock, and returns the emulator's time."""
        return self.control("POST", "clock:advance", {"seconds": seconds})["now"]

    def control(self, verb, path, body=None, status=200):
        """The response of the control API, which has this status."""
        response = requests.request(verb, f"http://{self.address}/_emulator/{path}", json=body, timeout=30)
        assert response.status_code == status, response.text
        return response.json()

    def request(self, verb, path, token=None, headers=(), timeout=30, **options):
        """A request over REST of a path below the provider, or of one that begins with `/`."""
        url = f"http://{self.address}{path if path.startswith('/') else f'/v1/{PROVIDER}/{path}'}"
        headers = dict(headers) | ({"Authorization": f"Bearer {token}"} if token else {})
        return requests.request(verb, url, headers=headers, timeout=timeout, **options)


@pytest.fixture(scope="session")
def keys(tmp_path_factory):
    return tmp_path_factory.mktemp("site") / "keys"


@pytest.fixture(scope="session")
def tokend(tmp_path_factory, keys):
    program = Tokend(tmp_path_factory.mktemp("tokend"), keys)
    # It makes the keys of all its accounts for this.
    requests.get(f"{program.url}/.well-known/jwks.json", timeout=60)
    yield program
    program.stop()


@pytest.fixture(scope="session")
def running_emulator(tmp_path_factory, tokend, keys):
    """One emulator for all tests, which knows tokend's keys by their folder."""
    roles = [f"--role={kind}@development.invalid={role}" for kind, role in ROLES.items()]
    program = Emulator(tmp_path_factory.mktemp("emulator"), "--keys", keys, *roles)
    yield program
    program.stop()


@pytest.fixture
def emulator(running_emulator):
    """The emulator, as it is after its start."""
    running_emulator.control("POST", "reset")
    return running_emulator


@pytest.fixture
def api(emulator):
    """Makes a client with a token."""
    clients = []

    def client(token):
        clients.append(Client(emulator, token))
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
