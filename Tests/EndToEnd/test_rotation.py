"""Signing keys replaced while tokend mints, by each way in which files change."""

import contextlib
import itertools
import json

import jwt
import pytest
from cryptography.hazmat.primitives.serialization import load_pem_private_key

from good_caller import Repeated
from production import replace, tool, until


PATH = "/token/driver/v-1"
AUDIENCE = "https://fleetengine.googleapis.com/"
NAME = "driver.json"


@pytest.fixture(scope="session")
def keys(tmp_path_factory):
    folder = tmp_path_factory.mktemp("keys")
    for number in range(4):
        tool("tokenctl", "keys", "new", folder / f"{number}.json", "--email", "driver@fleet.example")
    return sorted(folder.iterdir())


def key_id(path):
    return json.loads(path.read_text())["private_key_id"]


def public_key(path):
    return load_pem_private_key(json.loads(path.read_text())["private_key"].encode(), None).public_key()


@pytest.fixture
def rotating(plentiful, keys):
    """A site that signs drivers' tokens with the first key."""
    put(keys[0], plentiful.folder / NAME)
    return plentiful


def put(source, destination):
    """Puts a copy of a file in place of another, at one moment."""
    replace(destination, source.read_bytes())


def signing_key(service):
    return jwt.get_unverified_header(service.request(PATH, ("Fleet-Token-Reuse", "no"), key=service.site.key).token)["kid"]


def published(service):
    return [key.key_id for key in service.key_set().keys]


def shown(service):
    lines = [line for line in service.metrics().splitlines() if line.startswith("fleet_token_key_info{")]
    assert all(line.endswith(" 1") for line in lines)
    labels = [dict(pair.split("=", 1) for pair in line[line.index("{") + 1 : -3].split(",")) for line in lines]
    return [row["kid"].strip('"') for row in labels if row["kind"] == '"driver"']


def test_a_key_that_replaces_the_file_signs_from_then_on(rotating, keys, serve):
    old, new = key_id(keys[0]), key_id(keys[1])
    service = serve(rotating)
    before = service.request(PATH, key=rotating.key).token
    assert (published(service), shown(service)) == ([old], [old])
    put(keys[1], rotating.folder / NAME)
    service.hang_up()
    until(lambda: signing_key(service) == new, "the new key to sign")
    assert published(service) == [new]
    until(lambda: shown(service) == [new], "the metric")
    assert service.reloads("failed") == 0
    assert "Signing key changed." in service.read_log()
    # Google accepts what was signed before: the key exists there until it is deleted.
    jwt.decode(before, public_key(keys[0]), ["RS256"], audience=AUDIENCE)


class Renames:
    """The new key is moved into the place of the old one."""

    def __init__(self, site, keys):
        self.path = site.folder / NAME

    def rotate(self, key):
        put(key, self.path)


class LinkSwaps:
    """A Secret's folder as Kubernetes keeps it: links to links, and only the one in the middle changes."""

    def __init__(self, site, keys):
        self.folder, self.versions = site.folder, itertools.count()
        (self.folder / NAME).unlink()
        self.rotate(keys[0])
        (self.folder / NAME).symlink_to(f"..data/{NAME}")

    def rotate(self, key):
        version = self.folder / f"..version-{next(self.versions)}"
        version.mkdir()
        put(key, version / NAME)
        link = self.folder / "..data_tmp"
        link.symlink_to(version.name)
        link.rename(self.folder / "..data")


def minter(service, number, keys, signers):
    """Mints over one connection, and verifies each token with the key that its header names."""
    connection = service.connect()
    known, counter = {key_id(key): public_key(key) for key in keys}, itertools.count()

    def mint():
        id = f"v-{number}-{next(counter)}"
        response = service.request(f"/token/driver/{id}", key=service.key, connection=connection)
        assert response.status == 200, response.body
        token = response.token
        kid = jwt.get_unverified_header(token)["kid"]
        assert jwt.decode(token, known[kid], ["RS256"], audience=AUDIENCE)["authorization"] == {"vehicleid": id}
        signers.add(kid)

    return mint


@pytest.mark.parametrize("way", [Renames, LinkSwaps])
def test_minting_goes_on_through_rotations(rotating, keys, serve, way):
    """Rotations, and hundreds of tokens, for each way of changing files."""
    files = way(rotating, keys)
    service = serve(rotating)
    signers, rotations = set(), 0
    with contextlib.ExitStack() as stack:
        clients = [stack.enter_context(Repeated(minter(service, number, keys, signers))) for number in range(4)]
        while rotations < 2 or sum(len(client.results) for client in clients) < 300:
            key = keys[(rotations + 1) % len(keys)]
            files.rotate(key)
            if rotations:
                # The first time, the service notices the change by itself.
                service.hang_up()
            until(lambda key=key: signing_key(service) == key_id(key), "the new key to sign")
            rotations += 1
    assert len(signers) >= 3
    assert service.reloads("failed") == 0
    assert not rotating.missing_lines()
