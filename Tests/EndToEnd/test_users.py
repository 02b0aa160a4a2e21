"""What a user meets who is not root: the programs run as another one, since root may read and write everything."""

import os
import pathlib
import tempfile

import pytest

import secrecy
from build import BUILD
from deployment import run
from production import Production, Site

USER = 65532

pytestmark = pytest.mark.skipif(os.geteuid() != 0, reason="only root can become another user")


@pytest.fixture
def folder():
    """One that the other user reaches: pytest's own are closed to all but root."""
    with tempfile.TemporaryDirectory() as name:
        path = pathlib.Path(name)
        path.chmod(0o755)
        yield path
        # While what was written there is still there.
        secrecy.search()


def as_other(*command, folder):
    return run(*command, cwd=folder, user=USER, group=USER, extra_groups=[])


def give_away(folder):
    """Makes everything in a folder the other user's."""
    for path in [folder, *folder.rglob("*")]:
        os.chown(path, USER, USER)


def test_a_key_that_cannot_be_read_is_named(folder, accounts):
    site = Site(folder, accounts)
    configuration = site.write()
    give_away(folder)
    (folder / "driver.json").chmod(0)
    result = as_other(BUILD / "tokend", "check", "--config", configuration, folder=folder)
    assert result.returncode == 1 and "driver.json" in result.stderr and "permission denied" in result.stderr


def test_a_folder_that_cannot_be_written_is_named(folder):
    keys = folder / "keys"
    keys.mkdir()
    give_away(folder)
    keys.chmod(0o500)
    command = [BUILD / "tokend", "dev", "--port", "0", "--admin-port", "0", "--keys", keys]
    result = as_other(*command, folder=folder)
    assert result.returncode == 1 and str(keys) in result.stderr


def test_a_trail_that_cannot_be_written_is_named(folder, accounts):
    site = Site(folder, accounts)
    site.configuration["audit"]["file"] = "trail/audit.jsonl"
    configuration = site.write()
    give_away(folder)
    (folder / "trail").mkdir()
    result = as_other(BUILD / "tokend", "check", "--config", configuration, folder=folder)
    assert result.returncode == 1 and "trail/audit.jsonl" in result.stderr


def test_the_service_runs_as_another_user(folder, accounts):
    site = Site(folder, accounts)
    site.write()
    give_away(folder)
    service = Production(site, user=USER)
    try:
        assert os.stat(f"/proc/{service.process.pid}").st_uid == USER
        assert service.ask("/token/driver/vehicle-1", key=site.key).status == 200
        assert service.stop() == 0
    finally:
        service.process.kill()
    assert [line["decision"] for line in site.audit()] == ["allow"]
    assert os.stat(folder / "audit.jsonl").st_uid == USER
