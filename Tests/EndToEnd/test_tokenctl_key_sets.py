"""`tokenctl verify --jwks URL`: key sets that are fetched."""

import json

import pytest

from proxy import Proxy, raw, reply
from tokenctl import NOW, token


@pytest.fixture
def verify(tokenctl):
    """Verifies a token with a key set from a server that answers so; gives the outcome and the server's URL."""
    servers = []

    def verify(answer):
        servers.append(Proxy("http://localhost"))
        servers[-1].scripts["jwks.json"] = answer
        url = f"{servers[-1].url}/jwks.json"
        return tokenctl("verify", "--jwks", url, "--at", str(NOW), input=token()), url

    yield verify
    for server in servers:
        server.close()


def test_key_set_is_fetched_over_loopback(tokenctl, verify):
    outcome, _ = verify(reply(200, json.dumps(tokenctl.key_set()).encode()))
    assert (outcome.returncode, outcome.stderr) == (0, "")


@pytest.mark.parametrize("size, status", [(256 * 1024, 0), (256 * 1024 + 1, 6)])
def test_256_kib_are_read_and_no_more(tokenctl, verify, size, status):
    padded = json.dumps(tokenctl.key_set()).ljust(size).encode()
    outcome, _ = verify(reply(200, padded))
    assert outcome.returncode == status
    assert ("larger than 256 KiB" in outcome.stderr) == (status == 6)
    # The same for a response that does not say how long it is.
    assert verify(raw(b"HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n" + padded))[0].returncode == status
