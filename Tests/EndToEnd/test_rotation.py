"""Keys replaced while tokend mints: by the tool, by the time, and by each way in which files change."""

import contextlib
import datetime
import itertools
import json
import os
import subprocess
import time

import jwt
import pytest

from build import BUILD
from good_caller import Repeated
from production import replace, tool, until


PATH = "/token/driver/v-1"
AUDIENCE = "https://fleetengine.googleapis.com/"
NAMES = ["driver.json", "driver-next.json", "driver-previous.json"]
CURRENT, NEXT, PREVIOUS = NAMES


@pytest.fixture(scope="session")
def keys(tmp_path_factory):
    folder = tmp_path_factory.mktemp("keys")
    for number in range(4):
        tool("tokenctl", "keys", "new", folder / f"{number}.json", "--email", "driver@fleet.example")
    return sorted(folder.iterdir())


def key_id(path):
    return json.loads(path.read_text())["private_key_id"]


@pytest.fixture
def ring(plentiful, keys):
    """A site whose drivers' tokens have a ring of keys, of which the current one is there."""
    return with_ring(plentiful, keys)


def with_ring(site, keys):
    site.configuration["kinds"]["driver"] = {
        "serviceAccount": CURRENT, "next": {"serviceAccount": NEXT}, "previous": {"serviceAccount": PREVIOUS},
    }  # fmt: skip
    put(keys[0], site.folder / CURRENT)
    return site


def put(source, destination):
    """Puts a copy of a file in place of another, at one moment."""
    replace(destination, source.read_bytes())


def promote(site, *arguments):
    command = ["keys", "promote", "--config", site.write().name, "--kind", "driver", *arguments]
    return tool("tokenctl", *command, check=False, cwd=site.folder)


def signing_key(service):
    return jwt.get_unverified_header(service.ask(PATH, key=service.site.key).token)["kid"]


def published(service):
    return [key.key_id for key in service.key_set().keys]


def states(service):
    lines = [line for line in service.metrics().splitlines() if line.startswith("fleet_token_key_info{")]
    assert all(line.endswith(" 1") for line in lines)
    labels = [dict(pair.split("=", 1) for pair in line[line.index("{") + 1 : -3].split(",")) for line in lines]
    return {row["state"].strip('"'): row["kid"].strip('"') for row in labels if row["kind"] == '"driver"'}


def test_promotion_by_the_tool(ring, keys, serve):
    old, new = key_id(keys[0]), key_id(keys[1])
    service = serve(ring)
    before = service.ask(PATH, key=ring.key).token
    assert (published(service), states(service)) == ([old], {"current": old})

    put(keys[1], ring.folder / NEXT)
    until(lambda: published(service) == [old, new], "the next key to be published")
    assert signing_key(service) == old
    assert states(service) == {"current": old, "next": new}

    dry = promote(ring, "--dry-run")
    assert (dry.returncode, sorted(path.name for path in ring.folder.glob("driver*"))) == (0, [NEXT, CURRENT])
    promotion = promote(ring)
    assert promotion.returncode == 0
    assert f"the key {new} would sign; the key {old} would only be published" in dry.stdout
    assert f"{NEXT} would become {CURRENT}" in dry.stdout and f"{NEXT} becomes {CURRENT}" in promotion.stdout
    assert f"the key {new} signs; the key {old} is only published" in promotion.stdout
    service.hang_up()
    until(lambda: signing_key(service) == new, "the new key to sign")
    assert sorted(published(service)) == sorted([old, new])
    assert states(service) == {"current": new, "previous": old}
    # What was signed before verifies as well.
    jwt.decode(before, service.key_set()[old].key, ["RS256"], audience=AUDIENCE)
    assert [(ring.folder / name).exists() for name in NAMES] == [True, False, True]
    assert all((ring.folder / name).stat().st_mode & 0o777 == 0o600 for name in [CURRENT, PREVIOUS])

    (ring.folder / PREVIOUS).unlink()
    service.hang_up()
    until(lambda: published(service) == [new], "the previous key to be withdrawn")
    assert states(service) == {"current": new}
    assert service.reloads("failed") == 0


def test_promotion_by_the_time(ring, keys, serve):
    old, new = key_id(keys[0]), key_id(keys[1])
    put(keys[1], ring.folder / NEXT)
    start = int(time.time()) + 6
    moment = datetime.datetime.fromtimestamp(start, datetime.timezone.utc)
    ring.configuration["kinds"]["driver"]["next"]["from"] = moment.isoformat()
    service = serve(ring)
    assert published(service) == [old, new]
    minted = []

    def mint():
        token = service.ask(PATH, key=ring.key).token
        kid = jwt.get_unverified_header(token)["kid"]
        claims = jwt.decode(token, service.key_set()[kid].key, ["RS256"], audience=AUDIENCE)
        # Tokens are issued a minute ago, for clocks that are late.
        minted.append((claims["iat"] + 60, kid))
        return kid == new

    until(mint, "the next key to sign")
    assert {kid for _, kid in minted} == {old, new}
    assert all((kid == new) == (second >= start) for second, kid in minted)
    until(lambda: states(service) == {"current": new, "previous": old}, "the metric")
    # Nothing was read anew for that.
    assert service.reloads() == 0

    service.reload()
    assert "kinds.driver.next.from: has passed" in service.read_log()


def without_previous(site, keys):
    del site.configuration["kinds"]["driver"]["previous"]


def as_a_mounted_secret(site, keys):
    (site.folder / "..data").mkdir()
    (site.folder / CURRENT).rename(site.folder / "..data" / CURRENT)
    (site.folder / CURRENT).symlink_to(f"..data/{CURRENT}")


def on_another_disk(site, keys):
    (site.folder / "disk").mkdir()
    if subprocess.run(["mount", "-t", "tmpfs", "tmpfs", site.folder / "disk"], check=False).returncode != 0:
        pytest.skip("another disk needs the right to mount one")
    put(keys[1], site.folder / "disk" / NEXT)
    site.configuration["kinds"]["driver"]["next"] = {"serviceAccount": f"disk/{NEXT}"}


def of_another_account(site, keys):
    (site.folder / NEXT).unlink()
    tool("tokenctl", "keys", "new", site.folder / NEXT, "--email", "another@fleet.example")


# Why keys cannot be moved, and what the tool says to that.
OBSTACLES = {
    "no-next-file": (lambda site, keys: (site.folder / NEXT).unlink(), f"{NEXT} is missing"),
    "no-previous": (without_previous, "requires next and previous"),
    "mounted-secret": (as_a_mounted_secret, "is a symbolic link, as in a mounted Secret"),
    "another-disk": (on_another_disk, "are not on the same file system"),
    "another-account": (of_another_account, "a key of another account, another@fleet.example"),
    "half-written": (lambda site, keys: (site.folder / NEXT).write_text("{"), NEXT),
    "readable-by-others": (lambda site, keys: (site.folder / NEXT).chmod(0o644), f"chmod 600 {NEXT}"),
    "same-key": (lambda site, keys: put(keys[0], site.folder / NEXT), "contains the current key"),
}


@pytest.mark.parametrize("hinder, hint", OBSTACLES.values(), ids=OBSTACLES)
def test_what_cannot_be_promoted_stays_as_it_is(ring, keys, hinder, hint):
    put(keys[1], ring.folder / NEXT)
    hinder(ring, keys)
    try:
        before = {path: path.read_bytes() for path in ring.folder.rglob("*.json")}
        refusal = promote(ring)
        assert refusal.returncode == 1 and hint in refusal.stderr, refusal.stderr
        assert {path: path.read_bytes() for path in ring.folder.rglob("*.json")} == before
    finally:
        if (ring.folder / "disk").is_mount():
            subprocess.run(["umount", ring.folder / "disk"], check=True)


def test_promotion_that_was_cut_off_is_completed_by_another(ring, keys):
    put(keys[1], ring.folder / NEXT)
    os.link(ring.folder / CURRENT, ring.folder / PREVIOUS)
    assert promote(ring).returncode == 0
    assert key_id(ring.folder / CURRENT) == key_id(keys[1])
    assert key_id(ring.folder / PREVIOUS) == key_id(keys[0])
    assert sorted(path.name for path in ring.folder.glob("driver*")) == sorted([CURRENT, PREVIOUS])


class Renames:
    """The next key is put there at one moment, and the tool promotes it."""

    def __init__(self, site, keys):
        self.site = site

    def stage(self, key):
        put(key, self.site.folder / NEXT)

    def promote(self):
        # A rotation each few seconds replaces keys whose tokens still live.
        assert promote(self.site, "--discard-previous").returncode == 0


class LinkSwaps:
    """A Secret's folder as Kubernetes keeps it: links to links, and only the one in the middle changes."""

    def __init__(self, site, keys):
        self.folder, self.versions = site.folder, itertools.count()
        self.keys = {CURRENT: keys[0]}
        (self.folder / CURRENT).unlink()
        self.swap()
        for name in NAMES:
            (self.folder / name).symlink_to(f"..data/{name}")

    def swap(self):
        version = self.folder / f"..version-{next(self.versions)}"
        version.mkdir()
        for name, key in self.keys.items():
            put(key, version / name)
        link = self.folder / "..data_tmp"
        link.symlink_to(version.name)
        link.rename(self.folder / "..data")

    def stage(self, key):
        self.keys[NEXT] = key
        self.swap()

    def promote(self):
        self.keys = {CURRENT: self.keys[NEXT], PREVIOUS: self.keys[CURRENT]}
        self.swap()


def minter(service, number, signers):
    """Mints over one connection, and verifies each token with the key that its header names."""
    connection = service.connect()
    keys, counter = {}, itertools.count()

    def mint():
        id = f"v-{number}-{next(counter)}"
        answer = service.ask(f"/token/driver/{id}", key=service.key, connection=connection)
        assert answer.status == 200, answer.body
        token = answer.token
        kid = jwt.get_unverified_header(token)["kid"]
        if kid not in keys:
            keys[kid] = service.key_set()[kid].key
        assert jwt.decode(token, keys[kid], ["RS256"], audience=AUDIENCE)["authorization"] == {"vehicleid": id}
        signers.add(kid)

    return mint


@pytest.mark.parametrize("way", [Renames, LinkSwaps])
def test_s5_minting_goes_on_through_rotations(ring, keys, serve, way):
    """Rotations, and hundreds of tokens, for each way of changing files."""
    files = way(ring, keys)
    service = serve(ring)
    signers, rotations = set(), 0
    with contextlib.ExitStack() as stack:
        clients = [stack.enter_context(Repeated(minter(service, number, signers))) for number in range(4)]
        while rotations < 2 or sum(len(client.results) for client in clients) < 300:
            key = keys[(rotations + 1) % len(keys)]
            files.stage(key)
            if rotations:
                # The first time, the service notices the change by itself.
                service.hang_up()
            until(lambda key=key: key_id(key) in published(service), "the next key to be published")
            files.promote()
            if rotations:
                service.hang_up()
            until(lambda key=key: signing_key(service) == key_id(key), "the next key to sign")
            rotations += 1
    assert len(signers) >= 3
    assert service.reloads("failed") == 0
    assert not ring.missing_lines()


def test_two_promotions_at_once_lose_no_key(ring, keys):
    """One moves the files; the other finds out that they have moved, and moves nothing."""
    config = ring.write().name
    command = [BUILD / "tokenctl", "keys", "promote", "--config", config, "--kind", "driver", "--discard-previous"]
    for number in range(3):
        current, new = keys[number], keys[number + 1]
        put(current, ring.folder / CURRENT)
        put(new, ring.folder / NEXT)
        (ring.folder / PREVIOUS).unlink(missing_ok=True)
        pair = [subprocess.Popen(command, cwd=ring.folder, stdout=-1, stderr=-1, text=True) for _ in range(2)]
        outputs = [process.communicate(timeout=120)[1] for process in pair]
        assert sorted(process.returncode for process in pair) == [0, 1], outputs
        assert key_id(ring.folder / CURRENT) == key_id(new)
        assert key_id(ring.folder / PREVIOUS) == key_id(current)
        assert not (ring.folder / NEXT).exists()
        assert list(ring.folder.glob("*.tmp")) == []
