"""Identity providers that say themselves where their keys are: read strictly, and named where they fail."""

import json

import pytest

from production import until
from provider import DOCUMENT, Provider

PATH = "/token/driver/v-1"


@pytest.fixture
def site(plentiful):
    return plentiful


@pytest.fixture
def provider(tmp_path):
    provider = Provider(tmp_path, path="/tenant", algorithms=["RS256", "ES256"])
    yield provider
    provider.stop()


def errors(service):
    """Why keys could not be had, as the log says it."""
    lines = [json.loads(line) for line in service.read_log().splitlines()]
    return [line["metadata"]["error"] for line in lines if line["message"] == "Fetching the issuer's keys failed."]


def test_issuer_and_audience_are_enough(site, serve, provider):
    site.discover(provider, caFile=str(provider.authority.certificate))
    service = serve(site)
    until(lambda: "[+]issuer app ok" in service.readyz()[1], "the provider's keys")
    assert service.request(PATH, bearer=provider.token("ES256")).status == 200
    assert service.request(PATH, bearer=provider.token("RS256")).status == 200
    assert provider.requests == [f"/tenant{DOCUMENT}", "/tenant/keys"], "once for all"
    assert service.request(PATH, bearer=provider.token("ES256", aud="another")).status == 401


@pytest.mark.parametrize(
    ("changes", "settings", "error"),
    [
        ({"issuer": "https://localhost/other"}, {}, "names another issuer"),
        ({"issuer": None}, {}, "names another issuer"),
        ({"issuer": ["{name}"]}, {}, "names another issuer"),
        ({"issuer": "{name}/"}, {}, "names another issuer"),
        ({"jwks_uri": None}, {}, "has no jwks_uri"),
        ({"jwks_uri": "http://localhost/keys"}, {}, "must begin with https://"),
        ({"jwks_uri": "https://169.254.169.254/keys"}, {}, "no user, password or IP address"),
        ({"jwks_uri": "https://user@localhost/keys"}, {}, "no user, password or IP address"),
        ({"jwks_uri": "file:///etc/passwd"}, {}, "must begin with https://"),
        ({"id_token_signing_alg_values_supported": ["HS256", "none"]}, {}, "none of the algorithms that are allowed"),
        ({"id_token_signing_alg_values_supported": "RS256"}, {}, "none of the algorithms that are allowed"),
        ({}, {"algorithms": ["EdDSA"]}, "none of the algorithms that are allowed: EdDSA"),
        ({}, {"caFile": None}, "certificate not trusted"),
    ],
)
def test_what_a_provider_may_not_say_is_refused_and_named(site, serve, provider, changes, settings, error):
    def named(value):
        return [value[0].format(name=provider.name)] if isinstance(value, list) and "{" in value[0] else (
            value.format(name=provider.name) if isinstance(value, str) else value
        )  # fmt: skip

    provider.describe(**{name: named(value) for name, value in changes.items()})
    site.discover(provider, **({"caFile": str(provider.authority.certificate)} | settings))
    service = serve(site)
    until(lambda: errors(service), "the reason")
    assert error in errors(service)[0]
    assert service.readyz()[0] == 503 and "[-]issuer app failed" in service.readyz()[1]
    expected = 401 if settings.get("algorithms") else 503
    assert service.request(PATH, bearer=provider.token()).status == expected
    assert service.request(PATH, key=site.key).status == 200


@pytest.mark.parametrize(
    ("page", "error"),
    [
        ({"content": b"[]"}, "not a JSON object"),
        ({"content": b'{"issuer": "a", "issuer": "b"}'}, "not a JSON object"),
        ({"content": b" " * 300_000}, "larger than 256 KiB"),
        ({"content": b"", "status": 302, "Location": "https://localhost:1/"}, "status 302"),
        ({"content": b"", "status": 404}, "status 404"),
    ],
)
def test_document_is_bounded_and_read_strictly(site, serve, provider, page, error):
    provider.page(f"/tenant{DOCUMENT}", **page)
    site.discover(provider, caFile=str(provider.authority.certificate))
    service = serve(site)
    until(lambda: errors(service), "the reason")
    assert error in errors(service)[0]
    assert len(provider.requests) == 1
