"""The layout of the VM guide, root's files that the service's group may read, looked at and changed by root."""

import grp
import json
import os
import pathlib
import subprocess
import tempfile
import time

import pytest

import secrecy
from production import Site, tool

USER = "daemon"

pytestmark = pytest.mark.skipif(os.geteuid() != 0, reason="only root can hand files over")


@pytest.fixture
def layout(accounts):
    """A site as the guide makes it; the commands run in another folder."""
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name) / "tokend"
        pathlib.Path(name).chmod(0o755)
        folder.mkdir()
        site = Site(folder, accounts)
        site.configuration["audit"] = {}
        site.configuration["kinds"]["driver"] = {
            "serviceAccount": "keys/driver.json", "next": {"serviceAccount": "keys/driver-next.json"},
            "previous": {"serviceAccount": "keys/driver-previous.json"},
        }
        (folder / "keys").mkdir()
        (folder / "driver.json").rename(folder / "keys" / "driver.json")
        site.write()
        hand_over(folder)
        yield site
        secrecy.search()


def hand_over(folder):
    group = grp.getgrnam(USER).gr_gid
    for path in [folder, *folder.rglob("*")]:
        os.chown(path, 0, group)
        path.chmod(0o750 if path.is_dir() else 0o640)


def stage(site):
    """Puts a next key there, as the guide's install does."""
    site.folder.joinpath("keys/driver-next.json").unlink(missing_ok=True)
    path = site.folder / "next.json"
    tool("tokenctl", "keys", "new", path, "--email", "driver@fleet.example")
    options = ["-m", "0640", "-g", USER]
    subprocess.run(["install", *options, path, site.folder / "keys" / "driver-next.json"], check=True)
    path.unlink()


def key_id(site, name):
    return json.loads((site.folder / "keys" / name).read_text())["private_key_id"]


def promote(site, *arguments):
    path = site.folder / "tokend.yaml"
    return tool("tokenctl", "keys", "promote", "--config", path, "--kind", "driver", *arguments, check=False, cwd="/")


def test_previous_key_whose_tokens_may_live_is_kept(layout):
    stage(layout)
    first = key_id(layout, "driver.json")
    # A key that was made long ago; moving its file does not change this time.
    made = time.time() - 86400
    os.utime(layout.folder / "keys" / "driver.json", (made, made))
    assert promote(layout).returncode == 0
    stage(layout)
    second, third = key_id(layout, "driver.json"), key_id(layout, "driver-next.json")
    refusal = promote(layout)
    assert refusal.returncode == 1 and "may live for another 61 minutes" in refusal.stderr, refusal.stderr
    assert key_id(layout, "driver-previous.json") == first and key_id(layout, "driver.json") == second
    assert promote(layout, "--discard-previous").returncode == 0
    assert (key_id(layout, "driver-previous.json"), key_id(layout, "driver.json")) == (second, third)


def test_root_checks_as_the_service(layout):
    path = layout.folder / "tokend.yaml"
    check = tool("tokend", "check", path, check=False, cwd="/")
    assert (check.returncode, check.stdout) == (0, "Configuration is valid.\n"), check.stderr
    assert f"Checking as {USER}" in check.stderr
    assert tool("tokend", "check", path, "--as", USER, cwd="/").stderr == ""
    doctor = tool("tokenctl", "doctor", path, check=False, cwd="/")
    assert doctor.returncode == 0, doctor.stdout
    assert f"(mode 640, owner root, group {USER})" in doctor.stdout
    # A file that the service cannot read is found, although root can.
    (layout.folder / "keys" / "driver.json").chmod(0o600)
    check = tool("tokend", "check", path, check=False, cwd="/")
    assert check.returncode == 1 and "permission denied" in check.stderr
    # The advice for a file that is open to all is one with which the service still reads it.
    (layout.folder / "keys" / "driver.json").chmod(0o644)
    check = tool("tokend", "check", path, check=False, cwd="/")
    assert check.returncode == 1 and "Run: chmod 640" in check.stderr
    unknown = tool("tokend", "check", path, "--as", "no-such-user", check=False)
    assert unknown.returncode == 64 and "There is no user no-such-user" in unknown.stderr
