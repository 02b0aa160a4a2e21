"""Who may have what from tokend serve: claims, lists, patterns, webhooks, privileges; and the response."""

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
  origins: ["https://ops.example"]
kinds:
  consumer: {serviceAccount: consumer.json}
  driver: {serviceAccount: driver.json}
  delivery_consumer: {serviceAccount: delivery_consumer.json}
  server: {serviceAccount: server.json}
grants:
  own-vehicle: {callers: [app], claims: {role: driver}, kinds: [driver], ids: "{claims.fleet.vehicles}"}
  own-trips: {callers: [app], kinds: [consumer], ids: {webhook: trips}}
  fleet: {callers: [backend], kinds: [driver], ids: [v-1, v-2]}
  trips: {callers: [backend], kinds: [consumer], ids: {pattern: ["ride-*", "trip-???45"]}}
  parcels: {callers: [backend], kinds: [delivery_consumer], ids: any}
  everything: {callers: [backend], kinds: [server], ids: any}
  reader: {callers: [reader], kinds: [delivery_consumer], ids: any}
webhooks:
  trips: {url: WEBHOOK, claims: [sub, role, absent], secretFile: webhook-secret}
limits:
  perUser: {perMinute: 100000, burst: 100000}
  perClient: {perMinute: 100000, burst: 100000}
"""


@pytest.fixture(scope="module")
def service(make_site, serve_for_module, issuer, webhook):
    site = make_site()
    site.trust(issuer)
    site.secret = site.secret_file("webhook-secret")
    site.configuration |= yaml.safe_load(CONFIGURATION.replace("WEBHOOK", webhook.url)) | {
        "callers": site.configuration["callers"] | {"reader": {"apiKeys": {"file": "reader-keys"}}}
    }
    site.configuration["callers"]["backend"]["admin"] = True
    site.reader = site.api_key("reader", file="reader-keys")
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


def assert_denied(service, response, reason="ID_NOT_GRANTED"):
    assert (response.status, response.reason) == (403, reason)
    line = service.audited(response)
    assert (line["decision"], line["rule"]) == ("deny", reason)
    assert "tokenSha256" not in line
    # It names neither grants, nor claims, nor webhooks, nor what the webhook said.
    for name in [*service.site.configuration["grants"], *service.site.configuration["webhooks"], "claim", "allow"]:
        assert name not in response.json["error"]["message"].split()


def driver(issuer, vehicles, **claims):
    return issuer.token(fleet={"vehicles": vehicles}, **{"role": "driver"} | claims)


@pytest.mark.parametrize("vehicles", ["v-1", ["v-1"], ["v-0", "v-1", "v-2"]])
def test_claim_names_the_ids(service, issuer, vehicles):
    response = service.request("/token/driver/v-1", bearer=driver(issuer, vehicles))
    assert_granted(service, response, "own-vehicle", vehicleid="v-1")


@pytest.mark.parametrize("vehicles", ["v-2", ["v-1", "*"]], ids=ascii)
def test_claim_without_this_id_is_refused(service, issuer, vehicles):
    assert_denied(service, service.request("/token/driver/v-1", bearer=driver(issuer, vehicles)))


@pytest.mark.parametrize("id", ["*", "%2A"])
def test_invalid_id_is_refused_with_400(service, issuer, id):
    token = driver(issuer, [id, "*"])
    response = service.request(f"/token/driver/{id}", bearer=token)
    assert response.status == 400 and "\"token\":" not in response.body.decode()


def test_claim_condition_decides(service, issuer):
    response = service.request("/token/driver/v-1", bearer=driver(issuer, "v-1", role="rider"))
    assert_denied(service, response, "KIND_NOT_GRANTED")
    response = service.request("/token/driver/v-1", bearer=driver(issuer, "v-1", role=["rider", "driver"]))
    assert_granted(service, response, "own-vehicle", vehicleid="v-1")


def test_list_grants_its_ids_and_no_others(service):
    key = service.site.key
    assert_granted(service, service.request("/token/driver/v-2", key=key), "fleet", vehicleid="v-2")
    assert_denied(service, service.request("/token/driver/v-22", key=key))


def test_pattern_matches_whole_ids(service):
    key = service.site.key
    assert_granted(service, service.request("/token/consumer/trip-12345", key=key), "trips", tripid="trip-12345")
    assert_denied(service, service.request("/token/consumer/trip-123456", key=key))


def test_any_grants_each_id_and_no_wildcard(service):
    key = service.site.key
    assert_granted(service, service.request("/token/delivery_consumer/p-1", key=key), "parcels", trackingid="p-1")
    assert service.request("/token/delivery_consumer/*", key=key).status == 400
    assert service.request("/token/delivery_consumer/", key=key).status == 400


def test_post_is_decided_as_get_is(service):
    for id, status in [("v-1", 200), ("v-3", 403)]:
        body = json.dumps({"kind": "driver", "vehicleId": id}).encode()
        assert service.request("/token", key=service.site.key, method="POST", body=body).status == status


def test_privileged_kind_needs_an_admin(service, issuer):
    response = service.request("/token/server", key=service.site.key)
    assert_granted(service, response, "everything", tripid="*", vehicleid="*")
    assert_denied(service, service.request("/token/server", key=service.site.reader), "KIND_NOT_GRANTED")
    assert_denied(service, service.request("/token/server", bearer=driver(issuer, "*", admin=True)), "KIND_NOT_GRANTED")


# Webhooks


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


# The response


def test_only_configured_origins_read_responses(service):
    good = service.request("/token/driver/v-1", ("Origin", "https://ops.example"), key=service.site.key)
    assert good.headers.get_all("Access-Control-Allow-Origin") == ["https://ops.example"]
    assert "Origin" in good.headers["Vary"]
    assert good.headers["Access-Control-Allow-Credentials"] is None
    for origin in ["https://evil.example", "https://ops.example.evil.example", "http://ops.example", "null", "*"]:
        for response in [
            service.request("/token/driver/v-1", ("Origin", origin), key=service.site.key),
            service.request("/token/driver/v-1", ("Origin", origin)),
            service.request("/token/driver/v-1", ("Origin", origin), method="OPTIONS"),
        ]:
            assert not [name for name in response.headers if name.lower().startswith("access-control-")]
    preflight = service.request("/token/driver/v-1", ("Origin", "https://ops.example"), method="OPTIONS")
    assert preflight.status == 204 and "Authorization" in preflight.headers["Access-Control-Allow-Headers"]


def test_no_response_is_cached(service):
    for path, key in [("/token/driver/v-1", service.site.key), ("/token/driver/v-9", service.site.key), ("/", None)]:
        response = service.request(path, key=key)
        assert response.headers.get_all("Cache-Control") == ["no-store"] and response.headers["Date"]
