"""Identity providers that say themselves where their keys are: DiscoveryDocumentTests has what they may say."""

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
    ("description", "settings", "error"),
    [
        ({"issuer": "https://localhost/other"}, {}, "names another issuer"),
        ({}, {"caFile": None}, "certificate not trusted"),
    ],
)
def test_provider_whose_description_cannot_be_used_is_named(site, serve, provider, description, settings, error):
    provider.describe(**description)
    site.discover(provider, **({"caFile": str(provider.authority.certificate)} | settings))
    service = serve(site)
    until(lambda: errors(service), "the reason")
    assert error in errors(service)[0]
    assert service.readyz()[0] == 503 and "[-]issuer app failed" in service.readyz()[1]
    assert service.request(PATH, bearer=provider.token()).status == 503
    assert service.request(PATH, key=site.key).status == 200
