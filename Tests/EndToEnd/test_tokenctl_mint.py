"""`tokenctl mint`; PyJWT verifies what it writes."""

import json
import stat

import jwt
import pytest

from tokenctl import KINDS, key, pem

AUDIENCE = "https://fleetengine.googleapis.com/"
ACCOUNT = ["--service-account", "account.json"]


def claims(token):
    return jwt.decode(token, key().public_key(), algorithms=["RS256"], audience=AUDIENCE)


def test_the_token_is_written_alone(tokenctl):
    outcome = tokenctl("mint", "--kind", "consumer", "--id", "trip-1", *ACCOUNT)
    assert outcome.returncode == 0
    assert outcome.stderr == ""
    assert jwt.get_unverified_header(outcome.stdout) == {"alg": "RS256", "typ": "JWT", "kid": "key-1"}
    content = claims(outcome.stdout)
    assert content["iss"] == "a@b.example"
    assert content["authorization"] == {"tripid": "trip-1"}
    assert content["exp"] - content["iat"] == 3600


def test_a_terminal_gets_a_whole_line(tokenctl):
    outcome = tokenctl.shell(
        "script -qec 'tokenctl mint --kind consumer --id trip-1 --service-account account.json' /dev/null | od -An -c | tail -n 2"
    )
    # The terminal writes a line feed as carriage return and line feed.
    assert outcome.stdout.split()[-2:] == ["\\r", "\\n"]
    outcome = tokenctl.shell(
        "script -qec 'tokenctl mint --kind consumer --id trip-1 --service-account account.json' /dev/null"
    )
    assert claims(outcome.stdout.rstrip("\r\n"))["authorization"] == {"tripid": "trip-1"}


def test_json_is_the_response_of_the_service(tokenctl):
    outcome = tokenctl("mint", "--kind", "driver", "--id", "v", "--lifetime", "600", *ACCOUNT, "-o", "json")
    body = json.loads(outcome.stdout)
    assert list(body) == [
        "token", "jwt", "expiresInSeconds", "creationTimestamp", "expirationTimestamp", "creation_timestamp_ms",
        "expiration_timestamp_ms",
    ]  # fmt: skip
    assert body["expiresInSeconds"] == 600
    assert body["token"] == body["jwt"]


def test_header_for_curl(tokenctl):
    outcome = tokenctl("mint", "--kind", "server", *ACCOUNT, "--output", "header")
    assert outcome.stdout.startswith("Authorization: Bearer ")
    assert outcome.stdout.endswith("\n")
    claims(outcome.stdout.removeprefix("Authorization: Bearer ").removesuffix("\n"))


def test_claims(tokenctl):
    outcome = tokenctl(
        "mint", "--kind", "delivery_server", "--task-id", "a", "--task-id", "b", *ACCOUNT, "-o", "claims"
    )  # fmt: skip
    issued = json.loads(outcome.stdout)["iat"]
    assert isinstance(issued, int)
    content = {"iss": "a@b.example", "sub": "a@b.example", "aud": AUDIENCE, "iat": issued, "exp": issued + 3600}
    assert outcome.stdout == json.dumps({**content, "authorization": {"taskids": ["a", "b"]}}, indent=2) + "\n"


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_is_verified_by_verify(tokenctl, kind):
    scope = f"--kind {kind.upper()}" + (" --id id-1" if KINDS[kind] else "")
    outcome = tokenctl.shell(
        f"tokenctl mint {scope} --service-account account.json | tokenctl verify {scope} --key account.json"
    )
    assert outcome.returncode == 0, outcome.stderr
    assert outcome.stdout.startswith("Valid: gives access to ")


def test_development_key_is_created_on_first_use(tokenctl):
    first = tokenctl("mint", "--kind", "driver", "--id", "v")
    assert first.stderr == (
        "Created the folder keys for development keys.\n"
        "Signed with a development key from keys: Google rejects this token.\n"
    )
    assert stat.S_IMODE((tokenctl.folder / "keys/driver.json").stat().st_mode) == 0o600
    second = tokenctl("mint", "--kind", "driver", "--id", "v", "--keys", "keys")
    assert jwt.get_unverified_header(first.stdout) == jwt.get_unverified_header(second.stdout)
    other = tokenctl("mint", "--kind", "driver", "--id", "v", "--keys", "other")
    assert jwt.get_unverified_header(first.stdout) != jwt.get_unverified_header(other.stdout)


REFUSED = [
    (["--id", "x"], "Missing expected argument '--kind <kind>'"),
    (["--kind", "unknown"], "'unknown' is invalid for '--kind <kind>'"),
    (["--kind", "consumer"], "Use --id."),
    (["--kind", "consumer"], "tripId"),
    (["--kind", "consumer", "--id", ""], "Use --id."),
    (["--kind", "consumer", "--id", "*"], "An ID is not valid."),
    (["--kind", "consumer", "--id", "a/b"], "An ID is not valid."),
    (["--kind", "consumer", "--id", "a\x1b[31m"], "An ID is not valid."),
    (["--kind", "consumer", "--id", "x", "--task-id", "t"], "has no task ID"),
    (["--kind", "server", "--id", "x"], "Omit the ID"),
    (["--kind", "trusted_delivery_driver", "--id", "x", "--task-id", "a", "--task-id", "b"], "at most one task"),
    (["--kind", "delivery_server", "--task-id", "a", "--task-id", "a"], "has a duplicate"),
    (["--kind", "consumer", "--id", "x", "--lifetime", "599"], "600 to 3540 seconds"),
    (["--kind", "consumer", "--id", "x", "--lifetime", "3541"], "600 to 3540 seconds"),
    (["--kind", "consumer", "--id", "x", "--lifetime", "1h"], "600 to 3540 seconds"),
    (["--kind", "consumer", "--id", "x", "-o", "yaml"], "'token', 'json', 'header' or 'claims'"),
    (["--kind", "consumer", "--id", "x", "--keys", "keys"], "either --service-account or --keys"),
    (["--kind", "consumer", "--id", "x", "--unknown"], "Unknown option '--unknown'"),
    (["--kind", "consumer", "--id", "x", "more"], "Unexpected argument 'more'"),
]


@pytest.mark.parametrize("arguments, message", REFUSED)
def test_wrong_usage_is_refused(tokenctl, arguments, message):
    outcome = tokenctl("mint", *ACCOUNT, *arguments)
    assert outcome.returncode == 64
    assert outcome.stdout == ""
    assert outcome.stderr.startswith("Error: ")
    assert message in outcome.stderr
    assert "\x1b" not in outcome.stderr


def test_problem_of_the_account_is_named(tokenctl):
    def mint(option, value):
        outcome = tokenctl("mint", "--kind", "consumer", "--id", "x", option, value)
        assert outcome.stdout == ""
        return outcome.returncode, outcome.stderr

    tokenctl.write("empty.json", "{}")
    status, errors = mint("--service-account", "empty.json")
    assert status == 3
    assert errors.startswith("Error: empty.json: private_key is missing")
    tokenctl.write("key.pem", pem())
    assert mint("--service-account", "key.pem") == (
        3,
        "Error: key.pem: a PEM file contains no account. Use the service account's JSON key.\n",
    )
    assert mint("--service-account", "missing.json") == (1, "Error: Cannot read missing.json: no such file or folder.\n")
    status, errors = mint("--keys", "account.json")
    assert status == 1
    assert errors.startswith("Error: Cannot ")
