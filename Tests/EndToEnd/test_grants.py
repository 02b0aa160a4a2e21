"""Who may have what from tokend serve: GrantedRequestTests has the other grants."""

import hashlib
import hmac
import json
import time

import jwt
import pytest
import yaml

from issuer import Issuer
from webhook import DENY, Webhook


@pytest.fixture(scope="module")
def issuer():
    return Issuer("https://id.example", algorithms=["ES256"])


@pytest.fixture(scope="module")
def webhook():
    webhook = Webhook({"denied": DENY})
    yield webhook
    webhook.stop()


CONFIGURATION = """
service:
  listen: 127.0.0.1:0
  drain: 0s
  requestTimeout: 15s
kinds:
  consumer: {serviceAccount: consumer.json}
  driver: {serviceAccount: driver.json}
grants:
  own-trips: {callers: [app], kinds: [consumer], ids: {webhook: trips}}
  fleet: {callers: [backend], kinds: [driver], ids: [v-1, v-2]}
webhooks:
  trips: {url: WEBHOOK, claims: [sub, role, absent], secretFile: webhook-secret}
"""


@pytest.fixture(scope="module")
def service(make_site, serve_for_module, issuer, webhook):
    site = make_site()
    site.trust(issuer)
    site.secret = site.secret_file("webhook-secret")
    site.configuration |= yaml.safe_load(CONFIGURATION.replace("WEBHOOK", webhook.url))
    return serve_for_module(site)


def assert_granted(service, response, rule, **authorization):
    assert response.status == 200
    claims = jwt.decode(response.token, options={"verify_signature": False})
    assert claims["authorization"] == authorization
    line = service.audited(response)
    assert (line["decision"], line["rule"]) == ("allow", rule)
    assert line["tokenSha256"] == hashlib.sha256(response.token.encode()).hexdigest()
    assert line["keyId"] == jwt.get_unverified_header(response.token)["kid"]
    assert line["expiresAt"] == claims["exp"]


def assert_denied(service, response):
    assert (response.status, response.reason) == (403, "ID_NOT_GRANTED")
    line = service.audited(response)
    assert (line["decision"], line["rule"]) == ("deny", "ID_NOT_GRANTED")
    assert "tokenSha256" not in line
    # It names neither grants, nor claims, nor webhooks, nor what the webhook said.
    for name in [*service.site.configuration["grants"], *service.site.configuration["webhooks"], "claim", "allow"]:
        assert name not in response.json["error"]["message"].split()


def test_list_grants_its_ids_and_no_others(service):
    key = service.site.key
    assert_granted(service, service.request("/token/driver/v-2", key=key), "fleet", vehicleid="v-2")
    assert_denied(service, service.request("/token/driver/v-22", key=key))


def test_webhook_decides(service, issuer, webhook):
    token = issuer.token(sub="u-7", role="rider", phone="555")
    before = len(webhook.questions)
    response = service.request("/token/consumer/trip-7", bearer=token)
    assert_granted(service, response, "own-trips", tripid="trip-7")
    assert_denied(service, service.request("/token/consumer/denied", bearer=token))

    path, headers, body = webhook.questions[before]
    assert path == "/authorize" and headers["X-Request-Id"] == response.headers["X-Request-Id"]
    assert json.loads(body) == {
        "caller": {"method": "jwt", "name": "app", "subject": "u-7", "claims": {"sub": "u-7", "role": "rider"}},
        "kind": "consumer", "ids": ["trip-7"],
    }
    timestamp = headers["Fleet-Token-Timestamp"]
    assert abs(int(timestamp) - time.time()) < 60
    code = hmac.new(service.site.secret.encode(), f"{timestamp}.".encode() + body, hashlib.sha256).hexdigest()
    assert headers["Fleet-Token-Signature"] == f"v1={code}"
    # Never what the caller proved itself with.
    assert headers["Authorization"] is None and headers["X-API-Key"] is None
    assert token.split(".")[2] not in str(headers) + body.decode()
