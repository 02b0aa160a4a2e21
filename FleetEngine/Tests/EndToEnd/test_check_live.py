"""`tokend check --live` against the emulator: what an operator reads of each kind's account."""

import json
import re

import pytest

from conftest import Emulator
from kinds import NAMES, ROLES
from production import KINDS, tool
from sites import Site
from tokens import account, sign


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    """A service with a key of its own for each kind."""
    accounts = tmp_path_factory.mktemp("accounts")
    for kind in KINDS:
        tool("tokenctl", "keys", "new", accounts / f"{kind}.json", "--email", f"{kind}@fleet.example")
    site = Site(tmp_path_factory.mktemp("check"), accounts)
    site.offer(NAMES)
    return site


@pytest.fixture
def fleet_engine(tmp_path, site):
    """An emulator that knows the accounts' keys and gives each account its kind's role."""
    options = [
        option
        for kind, role in ROLES.items()
        for option in ("--account", site.folder / f"{kind}.json", "--role", f"{kind}@fleet.example={role}")
    ]
    program = Emulator(tmp_path, *options)
    yield program
    program.stop()


def test_each_kind_with_its_role_is_accepted(fleet_engine, site, monkeypatch):
    monkeypatch.setenv("TOKEND_GOOGLE_EMULATOR_HOST", fleet_engine.address)
    result = site.check_live("--project", "demo-fleet", "--output", "json")
    findings = [item for item in json.loads(result.stdout)["findings"] if "Fleet Engine " in item["message"]]
    # The accounts are not Google's.
    found = [item for item in findings if "rejects its tokens" not in item["message"]]
    levels = {re.match(r"kinds\.(\w+)", item["subject"])[1]: item["level"] for item in found}
    assert levels == dict.fromkeys(NAMES, "ok")
    # It has created nothing.
    server = sign(account(site.folder, "server"), {"tripid": "*"})
    assert fleet_engine.request("POST", "trips:search", server, json={}).json() == {}
