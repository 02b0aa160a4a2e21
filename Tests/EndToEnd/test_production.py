"""tokend serve from nothing to a token; test_faults.py has what it refuses to start with."""

import json
import re
import shlex
import socket
import subprocess

from production import PLENTY, tool


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


def test_metrics_have_no_series_for_each_id(site, serve):
    site.configuration["limits"] = PLENTY
    service = serve(site)

    def series():
        return {line.rsplit(" ", 1)[0] for line in service.metrics().splitlines() if not line.startswith("#")}

    def request(text):
        for path in [f"/token/driver/{text}", f"/{text}", f"/token/{text}/v-1", f"/token/driver/v-1?{text}=1"]:
            service.request(path, ("User-Agent", text), ("Origin", f"https://{text}.example"), key=site.key)
            service.request(path, ("Authorization", f"Bearer {text}"))
        service.request(f"/token/driver/{text}", method=text.upper())

    request("first")
    # The scrape itself is counted once it has been answered.
    service.metrics()
    before = series()
    for number in range(20):
        request(f"other{number}")
    assert series() == before
    assert not re.search("first|other", "".join(before).replace("_other", "").replace("_OTHER", ""))
