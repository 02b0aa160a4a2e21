"""`tokenctl doctor --live` against the emulator: what an operator reads of each kind's account."""

import json
import re

import pytest

from kinds import NAMES, ROLES
from production import KINDS, Site, tool


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    """A service with a key of its own for each kind."""
    accounts = tmp_path_factory.mktemp("accounts")
    for kind in KINDS:
        tool("tokenctl", "keys", "new", accounts / f"{kind}.json", "--email", f"{kind}@fleet.example")
    site = Site(tmp_path_factory.mktemp("doctor"), accounts)
    site.offer(NAMES)
    return site


@pytest.fixture
def fleet_engine(emulator, site):
    """The emulator, which knows the accounts' keys and gives each account its kind's role."""
    accounts = {}
    for kind, role in ROLES.items():
        checked = tool("tokenctl", "keys", "check", site.folder / f"{kind}.json", "--output", "jwks")
        accounts[f"{kind}@fleet.example"] = {"role": role, "keys": json.loads(checked.stdout)["keys"][:1]}
    emulator.control("PUT", "keys", {"accounts": accounts})
    return emulator


def test_each_kind_with_its_role_is_accepted(fleet_engine, site):
    address = f"http://{fleet_engine.rest}"
    result = site.doctor("--live", "--yes", "--project", "demo-fleet", "--fleet-engine", address, "--output", "json")
    findings = [item for item in json.loads(result.stdout)["findings"] if "Fleet Engine " in item["message"]]
    # Google is asked as well, and is away.
    found = [item for item in findings if "rejects its tokens" not in item["message"]]
    levels = {re.match(r"kinds\.(\w+)", item["subject"])[1]: item["level"] for item in found}
    assert levels == dict.fromkeys(NAMES, "ok")
    assert fleet_engine.control("GET", "state")["trips"] == []
