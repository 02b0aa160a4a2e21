"""tokend serve from nothing to a token; test_faults.py has what it refuses to start with."""

import json
import shlex
import socket
import subprocess

from production import tool


def test_from_nothing_to_a_token(site, serve):
    assert site.tokend("check").stdout == "Configuration is valid.\n"
    explained = site.tokend("explain", "--caller", "backend", "--kind", "driver", "--id", "v-1")
    assert explained.stdout == "allowed\n  backend-any: allows the request\n"

    service = serve(site)
    url = f"http://127.0.0.1:{service.port}/token/driver/v-1"
    curl = f"curl -sS --fail -H 'Authorization: Bearer {site.key}' {url}"
    token = json.loads(subprocess.run(shlex.split(curl), capture_output=True, check=True, timeout=60).stdout)["token"]
    keys = f"http://127.0.0.1:{service.admin}/.well-known/jwks.json"
    verify = ["verify", "--jwks", keys, "--kind", "driver", "--id"]
    assert tool("tokenctl", *verify, "v-1", input=token).returncode == 0
    assert tool("tokenctl", *verify, "v-2", input=token, check=False).returncode == 1

    assert service.stop() == 0
    assert [line.get("event", "decision") for line in site.trail()] == ["started", "decision", "stopped"]


def test_port_in_use_is_reported(site):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        # The option goes before the environment.
        refusal = site.tokend("serve", "--listen", f"127.0.0.1:{port}", environment={"TOKEND_LISTEN": "0.0.0.0:0"})
    assert refusal.returncode != 0 and f"127.0.0.1:{port}: address already in use" in refusal.stderr
