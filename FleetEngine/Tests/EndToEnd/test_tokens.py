"""Every fault of a token: the documented error at the client, and the rule that it names."""

import json
import time

import pytest
from cryptography.hazmat.primitives.asymmetric import rsa
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from google.api_core.exceptions import Forbidden, Unauthorized
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies

from apis import reason
from conftest import Emulator
from fleet import create_trip, get_trip, refused
from tokens import account, altered, sign, unsigned

TRIP = {"tripid": "trip-1"}
UNREGISTERED = rsa.generate_private_key(public_exponent=65537, key_size=2048)


# Name: how to make it from tokend's consumer account and a token of tokend's, the error, and the rule.
WRONG = {
    "no token": (lambda a, t: None, Forbidden, "TOKEN_MISSING"),
    "not a token": (lambda a, t: "abc", Unauthorized, "TOKEN_MALFORMED"),
    "three empty parts": (lambda a, t: "..", Unauthorized, "TOKEN_MALFORMED"),
    "padding": (lambda a, t: t + "=", Unauthorized, "TOKEN_MALFORMED"),
    "alg none": (lambda a, t: unsigned(t), Unauthorized, "TOKEN_ALGORITHM"),
    "alg RS384": (lambda a, t: sign(a, TRIP, algorithm="RS384"), Unauthorized, "TOKEN_ALGORITHM"),
    "alg PS256": (lambda a, t: sign(a, TRIP, algorithm="PS256"), Unauthorized, "TOKEN_ALGORITHM"),
    "alg HS256": (lambda a, t: sign(a, TRIP, algorithm="HS256", key="x" * 32), Unauthorized, "TOKEN_ALGORITHM"),
    "critical header": (lambda a, t: sign(a, TRIP, {"crit": ["x"]}), Unauthorized, "TOKEN_MALFORMED"),
    "a key of its own": (lambda a, t: sign(a, TRIP, {"jwk": {"kty": "RSA"}}), Unauthorized, "TOKEN_MALFORMED"),
    "other typ": (lambda a, t: sign(a, TRIP, {"typ": "at+jwt"}), Unauthorized, "TOKEN_MALFORMED"),
    "unknown account": (
        lambda a, t: sign(a, TRIP, iss="stranger@example.com", sub="stranger@example.com"), Unauthorized, "ISSUER_UNKNOWN",
    ),
    "no issuer": (lambda a, t: sign(a, TRIP, iss=None), Unauthorized, "ISSUER_UNKNOWN"),
    "unknown key": (lambda a, t: sign(a, TRIP, {"kid": "other"}), Unauthorized, "KEY_UNKNOWN"),
    "other subject": (lambda a, t: sign(a, TRIP, sub="driver@development.invalid"), Unauthorized, "SUBJECT_MISMATCH"),
    "audience without slash": (
        lambda a, t: sign(a, TRIP, aud="https://fleetengine.googleapis.com"), Unauthorized, "AUDIENCE_WRONG",
    ),
    "no audience": (lambda a, t: sign(a, TRIP, aud=None), Unauthorized, "AUDIENCE_WRONG"),
    "another audience beside": (
        lambda a, t: sign(a, TRIP, aud=["https://fleetengine.googleapis.com/", "x"]), Unauthorized, "AUDIENCE_WRONG",
    ),
    "no expiry": (lambda a, t: sign(a, TRIP, exp=None), Unauthorized, "TIMES_MISSING"),
    "fractional time": (lambda a, t: sign(a, TRIP, iat=time.time() + 0.5), Unauthorized, "TIMES_MISSING"),
    "altered signature": (lambda a, t: altered(t), Unauthorized, "SIGNATURE_INVALID"),
    "unregistered key": (lambda a, t: sign(a, TRIP, key=UNREGISTERED), Unauthorized, "SIGNATURE_INVALID"),
    "expired": (lambda a, t: sign(a, TRIP, iat=int(time.time()) - 3600, exp=int(time.time()) - 1), Unauthorized, "EXPIRED"),
    "of the future": (
        lambda a, t: sign(a, TRIP, iat=int(time.time()) + 660, exp=int(time.time()) + 3000), Unauthorized, "ISSUED_IN_FUTURE",
    ),
    "valid for too long": (lambda a, t: sign(a, TRIP, exp=int(time.time()) + 3700), Unauthorized, "EXPIRES_TOO_LATE"),
    "without claims": (lambda a, t: sign(a, None), Forbidden, "CLAIMS_MISSING"),
    "no claim": (lambda a, t: sign(a, {}), Unauthorized, "ID_MISSING"),
    "claims of others": (lambda a, t: sign(a, {"TripId": "trip-1", "trips": "*"}), Unauthorized, "ID_MISSING"),
    "a list of trips": (lambda a, t: sign(a, {"tripid": ["trip-1"]}), Unauthorized, "ID_MISSING"),
    "other trip": (lambda a, t: sign(a, {"tripid": "trip-2"}), Forbidden, "CLAIM_MISMATCH"),
    "other claim": (lambda a, t: sign(a, {"vehicleid": "trip-1"}), Forbidden, "CLAIM_MISMATCH"),
    "trip in another case": (lambda a, t: sign(a, {"tripid": "TRIP-1"}), Forbidden, "CLAIM_MISMATCH"),
}


@pytest.mark.parametrize("wrong", WRONG)
def test_wrong_token(api, tokend, keys, server, wrong):
    make, error, rule = WRONG[wrong]
    create_trip(server)
    token = make(account(keys, "consumer"), tokend.token("consumer", "trip-1"))
    with pytest.raises(error) as refusal:
        get_trip(api(token))
    assert refusal.value.reason == rule


def test_token_without_claims_has_googles_message(emulator, keys):
    response = emulator.request("GET", "trips/trip-1", sign(account(keys, "consumer"), None))
    assert (response.status_code, response.json()["error"]["message"]) == (403, "JWT does not contain any scopes.")


RIGHT = {
    "tokend's": lambda a, t: t, "wildcard": lambda a, t: sign(a, {"tripid": "*"}), "audience in a list": lambda a,
    t: sign(a, TRIP, aud=["https://fleetengine.googleapis.com/"]), "clock nine minutes ahead": lambda a,
    t: sign(a, TRIP, iat=int(time.time()) + 540), "unknown claims beside": lambda a, t: sign(a, TRIP | {"other": "x"}),
}


@pytest.mark.parametrize("right", RIGHT)
def test_right_token(api, tokend, keys, server, right):
    create_trip(server)
    token = RIGHT[right](account(keys, "consumer"), tokend.token("consumer", "trip-1"))
    assert get_trip(api(token)).name.endswith("/trip-1")


def test_claim_in_another_normal_form_is_another_trip(api, keys, server):
    create_trip(server, "\u00e9")
    with refused("CLAIM_MISMATCH"):
        get_trip(api(sign(account(keys, "consumer"), {"tripid": "e\u0301"})), "\u00e9")


def test_account_of_another_project_is_refused(tmp_path, tokend):
    email = "consumer@demo-other.iam.gserviceaccount.com"
    pem = UNREGISTERED.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()).decode()
    key = {"client_email": email, "private_key": pem, "private_key_id": "k"}
    (tmp_path / "consumer.json").write_text(json.dumps(key))
    other = Emulator(tmp_path, "--account", tmp_path / "consumer.json")
    try:
        response = other.request("GET", "trips/trip-1", sign(key, TRIP))
        assert (response.status_code, reason(response)) == (403, "PROVIDER_FOREIGN")
    finally:
        other.stop()


def test_clock_of_the_emulator_decides(api, tokend, emulator, server):
    create_trip(server)
    consumer = api(tokend.token("consumer", "trip-1"))
    get_trip(consumer)
    # Google refuses tokens that expire more than an hour ahead of its clock, and tokend's are dated back a minute.
    emulator.advance(-50)
    get_trip(consumer)
    emulator.advance(-20)
    with refused("EXPIRES_TOO_LATE"):
        get_trip(consumer)
    emulator.advance(3670)
    with refused("EXPIRED"):
        get_trip(consumer)


def test_another_scheme(emulator):
    response = emulator.request("GET", "trips/trip-1", headers={"Authorization": "Basic eDp5"})
    assert (response.status_code, reason(response)) == (401, "TOKEN_SCHEME")


@pytest.fixture(scope="module")
def consumer_token(tokend):
    return tokend.token("consumer", "trip-1")


@settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))
@given(position=strategies.integers(0, 10_000), character=strategies.characters(codec="ascii"))
def test_no_altered_token_is_accepted(consumer_token, emulator, position, character):
    token = consumer_token
    position %= len(token)
    changed = token[:position] + character + token[position + 1 :]
    if changed == token or character < " " or character == "\x7f":
        return
    response = emulator.request("GET", "trips/trip-1", changed)
    assert response.status_code == 401, (changed, response.text)
