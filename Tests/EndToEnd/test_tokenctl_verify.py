"""`tokenctl verify` with keys and key sets in files."""

import json

import pytest
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from tokenctl import AT, key, pem, token

KEY = ["--key", "account.json"]


def test_valid_token_is_described(tokenctl):
    outcome = tokenctl("verify", *KEY, *AT, input=token())
    assert outcome.returncode == 0
    assert outcome.stderr == ""
    assert outcome.stdout == (
        "Valid: gives access to the trip trip-1, expires in 59 minutes (2026-11-20 23:47:10 UTC).\n"
    )


def test_token_in_a_file(tokenctl):
    tokenctl.write("token", token())
    assert tokenctl("verify", "token", *KEY, *AT).returncode == 0
    assert tokenctl("verify", "missing", *KEY, *AT).returncode == 1


def test_any_form_of_key(tokenctl):
    tokenctl.write("private.pem", pem())
    tokenctl.write("public.pem", key().public_key().public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo))
    tokenctl.write("jwks.json", json.dumps(tokenctl.key_set()))
    for name in ["account.json", "private.pem", "public.pem"]:
        assert tokenctl("verify", "--key", name, *AT, input=token()).returncode == 0, name
    assert tokenctl("verify", "--jwks", "jwks.json", *AT, input=token()).returncode == 0


def test_all_that_fails_is_listed_and_the_gravest_is_the_status(tokenctl):
    assert tokenctl("keys", "new", "other.json").returncode == 0
    outcome = tokenctl(
        *["verify", "--key", "other.json", "--at", "1795300000", "--kind", "driver", "--id", "v"],
        input=token(header='{"alg":"RS256","typ":"JWT"}'),
    )
    assert outcome.returncode == 3
    assert outcome.stdout == ""
    assert outcome.stderr == (
        "Not valid:\n"
        "  signature: The signature is invalid for this key.\n"
        "  claims: The header has no kid; Fleet Engine requires it.\n"
        "  claims: It expired 22 hours ago. Request a new token.\n"
        "  scope: The token gives access to the trip trip-1 instead of the vehicle v.\n"
    )


SCOPE = ["--kind", "consumer", "--id"]


@pytest.mark.parametrize(
    "status, arguments, content",
    [
        (2, AT, lambda: "no token"),
        (2, AT, lambda: token(claims="no JSON")),
        (3, AT, lambda: token()[:-8] + "AAAAAAAA"),
        (0, ["--at", "2026-11-20T23:47:09Z"], token),
        (4, ["--at", "2026-11-20T23:47:10Z"], token),
        (4, ["--at", "2026-11-20T22:37:00+01:00"], token),
        (4, AT, lambda: token(authorization="{}")),
        (0, [*AT, *SCOPE, "trip-1"], token),
        (5, [*AT, *SCOPE, "trip-2"], token),
    ],
)
def test_each_stage_has_a_status(tokenctl, status, arguments, content):
    assert tokenctl("verify", *KEY, *arguments, input=content()).returncode == status


def test_the_scope_is_compared(tokenctl):
    batch = token(authorization='{"taskids":["a","b"]}')
    tasks = ["--kind", "delivery_server", "--task-id", "b", "--task-id", "a"]
    for status, arguments, text in [
        (0, tasks, batch),
        (5, [*tasks, "--task-id", "c"], batch),
        (5, ["--kind", "delivery_server"], batch),
        (0, [*SCOPE, "Fähre"], token(authorization='{"tripid":"Fähre"}')),
    ]:
        assert tokenctl("verify", *KEY, *AT, *arguments, input=text).returncode == status


@pytest.mark.parametrize(
    "arguments, message",
    [
        ([], "either --key or --jwks"),
        ([*KEY, "--jwks", "jwks.json"], "either --key or --jwks"),
        ([*KEY, "--id", "x"], "require --kind"),
        ([*KEY, "--task-id", "x"], "require --kind"),
        ([*KEY, "--kind", "consumer"], "Use --id"),
        ([*KEY, "--at", "yesterday"], "RFC 3339"),
        (["--key", "missing.pem"], "Cannot read missing.pem"),
        (["--jwks", "missing.json"], "Cannot read missing.json"),
        (["--jwks", "http://example.com/"], "use https"),
        (["--jwks", "https://user:secret@example.com/"], "user name or password"),
        (["--jwks", "ftp://localhost/"], "Use https"),
    ],
)
def test_wrong_usage_is_refused(tokenctl, arguments, message):
    outcome = tokenctl("verify", *arguments, input=token())
    assert outcome.returncode == (1 if message.startswith("Cannot read") else 64)
    assert outcome.stdout == ""
    assert outcome.stderr.startswith("Error: ")
    assert message in outcome.stderr
    assert "secret" not in outcome.stderr


@pytest.mark.parametrize("text", ["{", "{}", '{"keys":{}}', '{"keys":[1]}', "<html>"])
def test_bad_key_set_is_refused(tokenctl, text):
    tokenctl.write("jwks.json", text)
    outcome = tokenctl("verify", "--jwks", "jwks.json", input=token())
    assert outcome.returncode == 3
    assert outcome.stderr.startswith("Error: jwks.json: ")


def test_key_set_without_the_key_is_refused(tokenctl):
    tokenctl.write("jwks.json", '{"keys":[]}')
    outcome = tokenctl("verify", "--jwks", "jwks.json", *AT, input=token())
    assert outcome.returncode == 3
    assert "signature: The key named in the token's header is not in the key set." in outcome.stderr


def test_bad_key_is_refused(tokenctl):
    tokenctl.write("key.pem", "no key")
    outcome = tokenctl("verify", "--key", "key.pem", input=token())
    assert outcome.returncode == 3
    assert outcome.stderr == "Error: key.pem: This is not PEM: it has no -----BEGIN line.\n"
