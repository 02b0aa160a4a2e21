"""What an operator takes away is gone at once, also where another mistake keeps the rest of a reload from taking effect."""

import json
import re

import pytest

from issuer import Issuer
from production import replace

PATH = "/token/driver/v-1"


@pytest.fixture
def site(plentiful):
    return plentiful


def test_emptied_key_file_revokes_all_keys(site, serve):
    service = serve(site)
    assert service.request(PATH, key=site.key).status == 200
    replace(site.folder / "api-keys", "# none\n")
    service.reload()
    assert service.request(PATH, key=site.key).status == 401
    hint = "callers.backend.apiKeys.file: api-keys has no keys, so all requests of this caller are refused."
    assert hint in service.read_log()
    check = site.tokend("check")
    assert check.returncode == 0 and "api-keys has no keys" in check.stderr
    new = site.api_key("new")
    service.reload()
    assert service.request(PATH, key=new).status == 200


def test_key_file_that_is_gone_revokes_all_keys_and_is_an_error(site, serve):
    service = serve(site)
    path = site.folder / "api-keys"
    content = path.read_text()
    path.unlink()
    service.reload("failed")
    assert service.request(PATH, key=site.key).status == 401
    status, lines = service.readyz()
    # Other callers are served. The alert FleetTokenReloadFailed counts the failed reload.
    assert status == 200
    assert re.search(r"^\[-\]reload failed: .*api-keys: no such file or folder", lines, re.M), lines
    assert "A credential was revoked. callers.backend: the API key" in service.read_log()
    replace(path, content)
    service.reload()
    assert service.request(PATH, key=site.key).status == 200
    assert "[+]reload ok" in service.readyz()[1]


def spoil_configuration(service):
    """A mistake that keeps the rest of a reload from taking effect."""
    path = service.site.folder / "tokend.yaml"
    replace(path, path.read_text().replace('"grants"', '"grant"'))
    service.reload("failed")


def test_key_is_revoked_while_the_configuration_is_wrong(site, serve):
    other = site.api_key("other")
    service = serve(site)
    assert service.request(PATH, key=other).status == 200
    spoil_configuration(service)
    assert service.request(PATH, key=other).status == 200
    path = site.folder / "api-keys"
    lines = path.read_text().splitlines(True)
    replace(path, "".join(line for line in lines if not line.startswith(other.split("_")[1])))
    service.reload("failed")
    assert (service.request(PATH, key=other).status, service.request(PATH, key=site.key).status) == (401, 200)
    # A line that is wrong is a mistake: no other key goes.
    replace(path, "nonsense\n")
    service.reload("failed")
    assert service.request(PATH, key=site.key).status == 200


@pytest.mark.parametrize("is_gone", [False, True], ids=["emptied", "gone"])
def test_issuers_keys_are_taken_away_while_the_configuration_is_wrong(site, serve, is_gone):
    issuer = Issuer("https://id.example", algorithms=["ES256"])
    keys = site.folder / "keys.json"
    site.trust(issuer)
    service = serve(site)
    token = issuer.token()
    assert service.request(PATH, bearer=token).status == 200
    spoil_configuration(service)
    assert service.request(PATH, bearer=token).status == 200
    if is_gone:
        keys.unlink()
    else:
        replace(keys, json.dumps({"keys": []}))
    service.reload("failed")
    # Where keys may be there and cannot be read, callers may come again.
    assert service.request(PATH, bearer=token).status == (503 if is_gone else 401)
    assert service.request(PATH, key=site.key).status == 200


def test_last_grant_is_taken_away(site, serve):
    service = serve(site)
    assert service.request(PATH, key=site.key).status == 200
    site.configuration["grants"] = {}
    site.write()
    service.reload()
    assert service.request(PATH, key=site.key).status == 403
    assert "grants: is empty, so every request is denied." in service.read_log()
    # At a start it is a mistake.
    check = site.tokend("check")
    assert check.returncode == 1 and "grants: must not be empty" in check.stderr
