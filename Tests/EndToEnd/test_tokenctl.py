"""What all commands of tokenctl have in common."""

import json
import os
import subprocess

import pytest

from proxy import Proxy
from servers import raw, reply
from tokenctl import MAXIMUM_TOKEN, NOW, token


def test_key_that_is_not_on_the_disk_is_an_error(tokenctl):
    """A library in front of the system's says that the disk did not take it."""
    tokenctl.write("disk.c", "#include <errno.h>\nint fsync(int file) { (void)file; errno = EIO; return -1; }\n")
    subprocess.run(["cc", "-shared", "-fPIC", "-o", "disk.so", "disk.c"], cwd=tokenctl.folder, check=True)
    environment = os.environ | {"LD_PRELOAD": str(tokenctl.folder / "disk.so")}
    outcome = tokenctl("keys", "new", "new.json", env=environment)
    assert outcome.returncode == 1 and "Cannot write new.json" in outcome.stderr, outcome.stderr
    assert not list(tokenctl.folder.glob("new.json*"))


TOKEN = "eyJhbGciOiJSUzI1NiIsInR5cCI6IkpXVCJ9.eyJpc3MiOiJhQGIifQ.c2lnbmF0dXJlLW9mLXRoZS10b2tlbg"


@pytest.mark.parametrize(
    "arguments",
    [
        ["inspect", TOKEN],
        ["fetch", "--header-file", f"X-API-Key: ftk_testkey00001_{'c2lnbmF0dXJl' * 4}"],
    ],
    ids=["token", "API key"],
)
def test_secret_on_the_command_line_is_refused_and_not_repeated(tokenctl, arguments):
    outcome = tokenctl(*arguments)
    assert outcome.returncode == 64
    assert outcome.stdout == ""
    assert "on the command line is seen by every user" in outcome.stderr
    assert "eyJ" not in outcome.stderr
    assert "c2lnbmF0dXJl" not in outcome.stderr


def test_largest_token_is_read_and_no_larger_one(tokenctl):
    bare = token(claims='{"x":""}')
    # Each character of padding takes four thirds of one in the token.
    filling = (MAXIMUM_TOKEN - len(bare)) // 4 * 3
    largest = token(claims=f'{{"x":"{"a" * filling}"}}')
    assert MAXIMUM_TOKEN - 4 <= len(largest) <= MAXIMUM_TOKEN
    assert tokenctl("inspect", input=largest + "\r\n").returncode == 0
    outcome = tokenctl("inspect", input=token(claims=f'{{"x":"{"a" * (filling + 6)}"}}'))
    assert outcome.returncode == 1
    assert outcome.stderr == "Error: The token is larger than 16 KiB.\n"


# Key sets


@pytest.fixture
def verify(tokenctl):
    """Verifies a token with a key set from a server that responds so; gives the outcome."""
    servers = []

    def verify(response):
        servers.append(Proxy("http://localhost"))
        servers[-1].scripts["jwks.json"] = response
        return tokenctl("verify", "--jwks", f"{servers[-1].url}/jwks.json", "--at", str(NOW), input=token())

    yield verify
    for server in servers:
        server.stop()


@pytest.mark.parametrize("size, status", [(256 * 1024, 0), (256 * 1024 + 1, 2)])
def test_key_set_is_fetched_over_loopback_and_256_kib_are_read_of_it(tokenctl, verify, size, status):
    padded = json.dumps(tokenctl.key_set()).ljust(size).encode()
    outcome = verify(reply(200, padded))
    assert outcome.returncode == status
    assert outcome.stderr == "" if status == 0 else "larger than 256 KiB" in outcome.stderr
    # The same for a response that does not say how long it is.
    assert verify(raw(b"HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n" + padded)).returncode == status

