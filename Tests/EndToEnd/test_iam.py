"""Signing at Google: `tokend serve` against a stand-in for Google that checks what it is sent."""

import json

import pytest

import google
from google import Google, status
from production import PLENTY, until
from servers import hang, hang_up

ACCOUNT = "consumer@my-project.iam.gserviceaccount.com"
SIGN = {"iam": ACCOUNT}


@pytest.fixture
def fake(monkeypatch):
    """The stand-in; what it was sent must have been right."""
    fake = Google(ACCOUNT)
    monkeypatch.setenv("TOKEND_GOOGLE_EMULATOR_HOST", fake.host)
    yield fake
    fake.stop()
    assert fake.complaints == []


@pytest.fixture
def service(site, serve, fake):
    """Starts a service whose consumer tokens are signed at Google, and its driver tokens with a file."""

    def start(**settings):
        site.configuration["kinds"] = {"driver": {"serviceAccount": "driver.json"}, "consumer": SIGN | settings}
        site.configuration["grants"]["backend-any"]["kinds"] = ["driver", "consumer"]
        site.configuration["limits"] = PLENTY
        site.configuration["service"]["requestTimeout"] = "60s"
        return serve(site)

    yield start
    # Before the fixture that looks for secrets in all that was written.
    site.secrets |= fake.tokens


def consume(production, trip="trip-1"):
    return production.request(f"/token/consumer/{trip}", key=production.site.key)


def drive(production):
    return production.request("/token/driver/v-1", key=production.site.key)


def test_tokens_verify_with_googles_keys(service, fake):
    production = service()
    for trip in ["trip-1", "trip-2", "trip-3"]:
        response = consume(production, trip)
        assert response.status == 200
        claims = fake.verify(response.token, ACCOUNT)
        assert claims["sub"] == ACCOUNT
        assert claims["authorization"] == {"tripid": trip}
        assert production.audited(response)["keyId"] in fake.accounts[ACCOUNT]
    assert drive(production).status == 200
    # One signature more: the service tries its keys before it serves.
    assert (fake.requests.count("metadata"), fake.requests.count("keys"), fake.requests.count("sign_jwt")) == (1, 1, 4)
    assert 'signer="iam"' in production.metrics()


def other_payload(handler):
    (key_id, key), *_ = handler.server.accounts[ACCOUNT].items()
    payload = json.loads(json.loads(handler.sent)["payload"]) | {"authorization": {"tripid": "*"}}
    handler.send(200, {"keyId": key_id, "signedJwt": Google.sign(json.dumps(payload).encode(), key_id, key)})


def wrong_signature(handler):
    key_id = next(iter(handler.server.accounts[ACCOUNT]))
    key = google.rsa.generate_private_key(public_exponent=65537, key_size=2048)
    payload = json.loads(handler.sent)["payload"].encode()
    handler.send(200, {"keyId": key_id, "signedJwt": Google.sign(payload, key_id, key)})


# What Google does, the caller's status, and what the operator reads.
FAULTS = {
    "hang-up": ("sign_jwt", hang_up, 503, "No response from iamcredentials.googleapis.com"),
    "hang": ("sign_jwt", hang, 503, "at Google timed out after"),
    "other-payload": ("sign_jwt", other_payload, 500, "does not match the request"),
    "wrong-signature": ("sign_jwt", wrong_signature, 500, "does not match the request"),
    "keys-of-nobody": ("keys", status(404), 503, "not found: Google publishes no keys"),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_failure_at_google_affects_no_other_kind(service, fake, fault):
    endpoint, response, code, text = FAULTS[fault]
    # What is kept once it was had must be away from the start; then the service isn't ready, and serves the others.
    is_kept = endpoint != "sign_jwt"
    if is_kept:
        fake.standing[endpoint] = response
    production = service()
    fake.standing[endpoint] = response
    refusal = consume(production)
    assert refusal.status == code
    if code == 503:
        assert refusal.reason == "SIGNER_UNAVAILABLE"
        assert int(refusal.headers["Retry-After"]) >= 1
    assert "my-project" not in refusal.body.decode()
    assert production.audited(refusal)["decision"] == "error"
    assert text in production.read_log()
    assert drive(production).status == 200
    # Ready all the same: the other kind is signed with a local key.
    assert production.readyz()[0] == 200
    if is_kept:
        assert "[-]keys failed: consumer cannot be signed now" in production.readyz()[1]
    fake.standing.clear()
    # The service remembers for longer than a test waits that an account has no keys.
    if not is_kept:
        until(lambda: consume(production).status == 200, "a token")
        until(lambda: production.readyz()[0] == 200, "readiness")


def test_a_key_that_signs_wrongly_once_google_is_back_is_not_ready(service, fake):
    fake.standing["sign_jwt"] = hang_up
    production = service()
    fake.standing["sign_jwt"] = wrong_signature
    # A key that counted as ready would not be tested again.
    until(lambda: production.read_log().count("A key failed the signing test.") > 1, "the second test that fails", 60)
    assert "[-]keys failed: consumer cannot be signed now" in production.readyz()[1]
    fake.standing.clear()
    until(lambda: "[+]keys ok" in production.readyz()[1], "the key to be ready", 60)
