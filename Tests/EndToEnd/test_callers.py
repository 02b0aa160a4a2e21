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
    return serve_for_module(site)


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
    """RefusedCallerTests has the whole response, and other credentials."""
    response = service.request(PATH)
    assert (response.status, response.reason) == (401, "UNAUTHENTICATED")
    assert response.headers.get_all("WWW-Authenticate") == ['Bearer realm="fleet-token"']
    assert "no_credentials" in [line.get("metadata", {}).get("reason") for line in service.logged(response)]
    line = service.audited(response)
    assert (line["decision"], line["rule"], line["method"], line["caller"]) == ("deny", "UNAUTHENTICATED", "none", "")
    assert "tokenSha256" not in line


# Tokens of an issuer


def test_token_of_an_issuer_is_accepted(service, issuer):
    response = service.request(PATH, bearer=issuer.token(sub="user 1"))
    assert_minted(service, response, "jwt", "app", "user 1")


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


def test_address_behind_proxies_is_the_last_that_no_proxy_has(site, serve):
    site.configuration["service"]["trustedProxies"] = ["127.0.0.0/8", "10.0.0.0/8"]
    service = serve(site)
    # The client may have made up what stands left of it.
    response = service.request(PATH, ("X-Forwarded-For", "1.1.1.1, 203.0.113.9, 10.1.2.3"), key=site.key)
    assert service.audited(response)["address"] == "203.0.113.9"


def test_caller_past_its_limit_is_told_when_to_retry(site, serve):
    site.configuration["limits"] = {"perClient": {"perMinute": 1, "burst": 1}}
    second = site.api_key("second")
    service = serve(site)
    assert service.request(PATH, key=site.key).status == 200
    refusal = service.request(PATH, key=site.key)
    assert (refusal.status, refusal.reason) == (429, "RATE_LIMITED")
    assert 1 <= int(refusal.headers["Retry-After"]) <= 60
    # Another key of the same caller has a bucket of its own.
    assert service.request(PATH, key=second).status == 200
