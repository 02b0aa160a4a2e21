"""`tokenctl doctor --live` against the emulator: what an operator reads for each mistake at Google."""

import json
import os
import re
import subprocess

import pytest

from conftest import TOKENS_BUILD
from kinds import NAMES, PRIVILEGED, ROLES


def account(kind):
    return f"{kind.replace('_', '-')}@development.invalid"


@pytest.fixture(scope="module")
def configuration(tmp_path_factory):
    """A service with a key of its own for each kind."""
    folder = tmp_path_factory.mktemp("doctor")
    for kind in NAMES:
        command = [TOKENS_BUILD / "tokenctl", "keys", "new", f"{kind}.json", "--email", account(kind)]
        subprocess.run(command, check=True, capture_output=True, cwd=folder, timeout=60)
    (folder / "api-keys").touch(0o600)
    file = folder / "tokend.yaml"
    file.write_text(
        json.dumps(
            {
                "version": 1,
                "service": {"listen": "127.0.0.1:0"},
                "admin": {"listen": "127.0.0.1:0"},
                "kinds": {
                    kind: {"serviceAccount": f"{kind}.json"} | ({"privileged": True} if kind in PRIVILEGED else {})
                    for kind in NAMES
                },
                "callers": {"backend": {"apiKeys": {"file": "api-keys"}}},
                "grants": {
                    "apps": {"callers": ["backend"], "kinds": sorted(set(NAMES) - PRIVILEGED), "ids": "any"},
                    "backends": {"callers": ["backend"], "kinds": sorted(PRIVILEGED), "ids": "any", "privileged": True},
                },
                "audit": {"file": "audit.jsonl"},
            }
        )
    )
    file.chmod(0o600)
    return file


@pytest.fixture
def fleet_engine(emulator, configuration):
    """The emulator, which knows the accounts' keys and gives each account its kind's role."""
    accounts = {}
    for kind, role in ROLES.items():
        command = [TOKENS_BUILD / "tokenctl", "keys", "check", f"{kind}.json", "--output", "jwks"]
        checked = subprocess.run(
            command, check=True, capture_output=True, cwd=configuration.parent, timeout=60, text=True
        )
        accounts[account(kind)] = {"role": role, "keys": [json.loads(checked.stdout)["keys"][0]]}
    emulator.control("PUT", "keys", {"accounts": accounts})
    return emulator


def findings(emulator, configuration):
    """The lines about each kind that Fleet Engine's response gave."""
    command = [
        TOKENS_BUILD / "tokenctl", "doctor", "--config", configuration, "--live", "--yes", "--project", "demo-fleet",
        "--fleet-engine", f"http://{emulator.rest}", "--output", "json",
    ]  # fmt: skip
    result = subprocess.run(
        command, capture_output=True, text=True, timeout=120, env=os.environ, cwd=configuration.parent
    )
    report = json.loads(result.stdout)
    found = [f for f in report["findings"] if "Fleet Engine " in f["message"] and "rejects its tokens" not in f["message"]]
    return {re.match(r"kinds\.(\w+)", f["subject"])[1]: (f["level"], f["message"]) for f in found}


def test_each_kind_with_its_role_is_accepted(fleet_engine, configuration):
    found = findings(fleet_engine, configuration)
    assert {kind: level for kind, (level, _) in found.items()} == dict.fromkeys(NAMES, "ok")
    assert fleet_engine.control("GET", "state")["trips"] == []
