"""Keys whose file an operator deletes are refused at once, although the reload fails: RevocationTests has the other cases."""

import re

import pytest

from production import replace

PATH = "/token/driver/v-1"


@pytest.fixture
def site(plentiful):
    return plentiful


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
