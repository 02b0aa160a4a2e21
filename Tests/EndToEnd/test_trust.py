"""Files that decide who may have what are believed only where no other user can change them."""

import grp
import os
import pathlib
import subprocess
import tempfile

import pytest

import secrecy
from issuer import Issuer
from production import tool
from sites import Site

needs_root = pytest.mark.skipif(os.geteuid() != 0, reason="only root can give a file to another user")


def assert_says(site, *hints):
    """Check and serve say so, and refuse; a live check says it too."""
    for command in ["check", "serve"]:
        refusal = site.tokend(command)
        assert refusal.returncode == 1
        for hint in hints:
            assert hint in refusal.stderr
    live = site.check_live()
    assert live.returncode == 1
    failures = [line for line in live.stdout.splitlines() if line.startswith("FAIL")]
    for hint in hints:
        assert any(hint in line for line in failures), live.stdout


@pytest.mark.parametrize("name, mode, bits", [("api-keys", 0o664, "g-w"), ("tokend.yaml", 0o666, "go-w")])
def test_file_that_others_may_write_is_refused(site, name, mode, bits):
    site.write()
    path = site.folder / name
    path.chmod(mode)
    assert_says(site, f"{path} is writable by", f"(mode {mode:o})", f"Run: chmod {bits} {path}")
    # No access depends on an explanation.
    assert site.tokend("explain", "--caller", "backend", "--kind", "driver", "--id", "v-1").returncode == 0
    # The command that it names helps.
    subprocess.run(["chmod", bits, path], check=True)
    assert site.tokend("check").returncode == 0


def test_key_file_that_others_may_write_is_not_loaded(site, serve):
    """The last good state keeps serving, and says why."""
    service = serve(site)
    # A line in the file of API keys that opens the service for another caller.
    key, keys = site.api_key("other", file="others"), site.folder / "api-keys"
    line = (site.folder / "others").read_text()
    keys.chmod(0o666)
    service.await_reload("failed")
    good = keys.read_text()
    keys.write_text(good + line)
    service.reload("failed")
    assert service.request("/token/driver/v-1", key=site.key).status == 200
    assert service.request("/token/driver/v-1", key=key).status == 401
    assert f"{keys} is writable by everyone (mode 666)" in service.readyz()[1]
    keys.write_text(good)
    keys.chmod(0o600)
    service.reload()
    assert "[+]reload ok" in service.readyz()[1]

    # A folder in which anybody can put another file in its place.
    site.folder.chmod(0o777)
    service.reload("failed")
    assert f"{site.folder} is writable by everyone (mode 777)" in service.readyz()[1]
    site.folder.chmod(0o700)
    service.reload()


def test_issuers_keys_stay_when_others_may_write_their_file(site, serve):
    issuer = Issuer("https://id.example", algorithms=["ES256"])
    site.trust(issuer)
    service = serve(site)
    assert service.request("/token/driver/v-1", bearer=issuer.token()).status == 200
    (site.folder / "keys.json").chmod(0o666)
    service.await_reload("failed")
    assert service.request("/token/driver/v-1", bearer=issuer.token()).status == 200


# The layout of the VM guide, looked at and changed by root


USER = "daemon"


@pytest.fixture
def guide(accounts):
    """What the VM guide makes in /etc/tokend: all of it root's, for the service's group to read."""
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name) / "tokend"
        folder.parent.chmod(0o755)
        folder.mkdir()
        site = Site(folder, accounts)
        site.configuration["audit"] = {}
        site.configuration["kinds"]["driver"] = {"serviceAccount": "keys/driver.json"}
        (folder / "keys").mkdir()
        (folder / "driver.json").rename(folder / "keys" / "driver.json")
        site.write()
        for path in [folder, *folder.rglob("*")]:
            os.chown(path, 0, grp.getgrnam(USER).gr_gid)
            path.chmod(0o750 if path.is_dir() else 0o640)
        yield site
        secrecy.search()


def as_user(name, *arguments):
    return tool(name, *arguments, check=False, cwd="/", user=USER, group=USER, extra_groups=[])


@needs_root
def test_check_as_the_service(guide):
    path = guide.folder / "tokend.yaml"
    check = as_user("tokend", "check", path)
    assert (check.returncode, check.stdout, check.stderr) == (0, "Configuration is valid.\n", "")
    live = as_user("tokend", "check", "--live", path)
    assert live.returncode == 0, live.stdout
    assert f"(mode 640, owner root, group {USER})" in live.stdout
    # A file that the service cannot read is found.
    (guide.folder / "keys" / "driver.json").chmod(0o600)
    check = as_user("tokend", "check", path)
    assert check.returncode == 1 and "permission denied" in check.stderr
    # The advice for a file that is open to all is one with which the service still reads it.
    (guide.folder / "keys" / "driver.json").chmod(0o644)
    check = as_user("tokend", "check", path)
    assert check.returncode == 1 and "Run: chmod 640" in check.stderr
