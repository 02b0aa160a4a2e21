"""Who may ask tokend serve: API keys and an issuer's tokens, over real connections."""

import re

import pytest

from issuer import Issuer
from production import PLENTY

PATH = "/token/driver/v-1"


@pytest.fixture(scope="module")
def issuer():
    return Issuer("https://id.example", algorithms=["ES256"])


@pytest.fixture(scope="module")
def service(make_site, serve_for_module, issuer):
    site = make_site()
    site.trust(issuer)
    site.configuration["limits"] = PLENTY
    site.rotated = site.api_key("rotated")
    site.expired = site.api_key("expired", "--not-after", "2099-01-01T00:00:00Z")
    keys = site.folder / "api-keys"
    assert "2099-" in keys.read_text()
    keys.write_text(keys.read_text().replace("2099-", "2020-"))
    return serve_for_module(site)


CHALLENGES = {
    "UNAUTHENTICATED": 'Bearer realm="fleet-token"', "INVALID_CREDENTIALS": 'Bearer realm="fleet-token", error="invalid_token"',
    "MULTIPLE_CREDENTIALS": 'Bearer realm="fleet-token", error="invalid_request"',
}


def assert_refused(service, response, code, reason, why):
    """An AIP-193 body that says what to do, a challenge, a line in the log that says why, one in the audit."""
    assert response.status == code
    error = response.json["error"]
    assert set(response.json) == {"error"} and set(error) == {"code", "status", "message", "details"}
    (details,) = error["details"]
    request = response.headers["X-Request-Id"]
    assert error["code"] == code
    assert error["status"] == {400: "INVALID_ARGUMENT", 401: "UNAUTHENTICATED"}[code]
    assert details == {
        "@type": "type.googleapis.com/google.rpc.ErrorInfo", "reason": reason, "domain": "fleet-token",
        "metadata": {"requestId": request},
    }
    assert response.headers.get_all("WWW-Authenticate") == [CHALLENGES[reason]]
    assert response.headers["Content-Type"] == "application/json"
    assert response.headers["Cache-Control"] == "no-store"
    assert why in [line.get("metadata", {}).get("reason") for line in service.logged(response)]
    line = service.audited(response)
    assert (line["decision"], line["rule"], line["method"], line["caller"]) == ("deny", reason, "none", "")
    assert "tokenSha256" not in line


def assert_invalid(service, response, why):
    assert_refused(service, response, 401, "INVALID_CREDENTIALS", why)
    # Whatever was wrong, the body is the same.
    assert response.json["error"]["message"] == "Authentication failed. Get new credentials, then try again."


def assert_minted(service, response, method, caller, subject):
    assert response.status == 200
    assert list(response.json) == [
        "token", "jwt", "expiresInSeconds", "creationTimestamp", "expirationTimestamp", "creation_timestamp_ms",
        "expiration_timestamp_ms",
    ]  # fmt: skip
    line = service.audited(response)
    assert (line["method"], line["caller"], line["subject"]) == (method, caller, subject)


# API keys


def test_api_key_in_either_field(service):
    key = service.site.key
    subject = key.split("_")[1]
    for response in [
        service.request(PATH, key=key), service.request(PATH, bearer=key), service.request(PATH, ("authorization", f"bEARER  {key}")),
        service.request(PATH, ("Authorization", f"Bearer {service.site.rotated}")),
    ]:
        assert response.status == 200
    assert_minted(service, service.request(PATH, key=key), "api_key", "backend", subject)


def test_request_without_credentials_gets_401(service):
    assert_refused(service, service.request(PATH), 401, "UNAUTHENTICATED", "no_credentials")


def test_expired_api_key_is_refused(service):
    assert_invalid(service, service.request(PATH, key=service.site.expired), "expired_api_key")


WRONG_KEYS = {
    "other-secret": (lambda key: key[:-1] + ("a" if key[-1] != "a" else "b"), "unknown_api_key"),
    "longer": (lambda key: key + "a", "malformed_api_key"),
}


@pytest.mark.parametrize("change, why", WRONG_KEYS.values(), ids=WRONG_KEYS)
def test_invalid_api_key_is_refused(service, change, why):
    key = change(service.site.key)
    assert_invalid(service, service.request(PATH, key=key), why)
    response = service.request(PATH, bearer=key)
    assert (response.status, response.reason) == (401, "INVALID_CREDENTIALS")


# Tokens of an issuer


def test_token_of_an_issuer_is_accepted(service, issuer):
    response = service.request(PATH, bearer=issuer.token(sub="user 1"))
    assert_minted(service, response, "jwt", "app", "user 1")


def test_token_minted_here_is_no_credential(service):
    minted = service.request(PATH, key=service.site.key).token
    assert_invalid(service, service.request(PATH, bearer=minted), "own_token")


def test_control_characters_stay_out_of_log_and_audit(service, issuer):
    subject = 'u\r\n{"v":1}\x1b[31m\x00\u2028'
    response = service.request(PATH, ("User-Agent", '"},{'), bearer=issuer.token(sub=subject))
    assert_minted(service, response, "jwt", "app", subject)
    hostile = "a\r\n\x1b[2J\u0085\u202eb"
    for claims in ({"iss": hostile}, {"headers": {"kid": hostile}}, {"sub": hostile, "aud": hostile}):
        assert service.request(PATH, bearer=issuer.token(**claims)).status == 401
    raw = (service.site.folder / "audit.jsonl").read_text() + service.read_log()
    assert not re.search("[\x00-\x09\x0b-\x1f\x7f-\x9f\u2028\u202e]", raw)
    for field in ["a b", "a" * 65, "a/b", ""]:
        given = service.request(PATH, ("X-Request-Id", field), key=service.site.key)
        assert given.headers["X-Request-Id"] not in ("", field)
    # Whoever is not a trusted proxy could forge another request's ID.
    given = service.request(PATH, ("X-Request-Id", "proxy-1"), key=service.site.key)
    assert given.headers["X-Request-Id"] != "proxy-1"


def test_request_id_of_a_trusted_proxy_is_kept_if_it_is_one(site, serve):
    site.configuration["service"]["trustedProxies"] = ["127.0.0.1"]
    service = serve(site)
    for field in ["proxy-1", "a", "a" * 64, "A.b_c-9"]:
        assert service.request(PATH, ("X-Request-Id", field), key=site.key).headers["X-Request-Id"] == field
    for field in ["a b", "a" * 65, "a/b", 'a"', ""]:
        assert service.request(PATH, ("X-Request-Id", field), key=site.key).headers["X-Request-Id"] not in ("", field)

