"""Files that decide who may have what are believed only where no other user can change them."""

import os
import pathlib
import shlex
import subprocess
import tempfile

import pytest

from build import BUILD
from deployment import run
from production import Site, tool, until

SERVICE, STRANGER = 65532, 1000
needs_root = pytest.mark.skipif(os.geteuid() != 0, reason="only root can give a file to another user")


def stranger(site):
    """A line in the file of API keys that opens the service for another caller."""
    return site.api_key("stranger", file="others")


def assert_says(site, *hints):
    """Check, serve and doctor say so, and the first two refuse."""
    for command in ["check", "serve"]:
        refusal = site.tokend(command)
        assert refusal.returncode == 1
        for hint in hints:
            assert hint in refusal.stderr
    doctor = tool("tokenctl", "doctor", "--config", site.write(), check=False, cwd=site.folder)
    assert doctor.returncode == 1
    failures = [line for line in doctor.stdout.splitlines() if line.startswith("FAIL")]
    for hint in hints:
        assert any(hint in line for line in failures), doctor.stdout


def add_everything(site):
    """Names a file of each sort in the configuration."""
    site.secret_file("hmac")
    site.secret_file("webhook-secret")
    site.configuration["audit"]["idHmacKeyFile"] = "hmac"
    site.configuration["webhooks"] = {"table": {"url": "http://127.0.0.1:1/", "secretFile": "webhook-secret"}}
    site.configuration["grants"]["asks"] = {"callers": ["backend"], "kinds": ["driver"], "ids": {"webhook": "table"}}


@pytest.mark.parametrize("mode, bits", [(0o666, "go-w"), (0o664, "g-w"), (0o646, "o-w")])
@pytest.mark.parametrize("name", ["api-keys", "tokend.yaml"])
@pytest.mark.threat("S4")
def test_file_that_others_may_write_is_refused(site, name, mode, bits):
    site.write()
    path = site.folder / name
    path.chmod(mode)
    assert_says(site, f"{path} is writable by", f"(mode {mode:o})", f"Run: chmod {bits} {path}")
    # The command that it names helps.
    subprocess.run(["chmod", bits, path], check=True)
    assert site.tokend("check").returncode == 0


@pytest.mark.parametrize("name", ["driver.json", "hmac", "webhook-secret"])
@pytest.mark.threat("S4")
def test_secret_that_others_may_write_is_refused(site, name):
    add_everything(site)
    assert site.tokend("check").returncode == 0
    (site.folder / name).chmod(0o622)
    assert_says(site, f"{site.folder / name} is writable by everyone (mode 622)")


@pytest.mark.threat("S4")
def test_folder_that_others_may_write_is_one_problem(site):
    folder = site.folder / "callers"
    folder.mkdir()
    for name in ["api-keys", "driver.json"]:
        (site.folder / name).rename(folder / name)
    site.configuration["callers"]["backend"]["apiKeys"]["file"] = "callers/api-keys"
    site.configuration["kinds"]["driver"]["serviceAccount"] = "callers/driver.json"
    folder.chmod(0o775)
    assert_says(site, f"{folder} is writable by its group (mode 775)", f"Run: chmod g-w {folder}")
    assert site.tokend("check").stderr.count(str(folder)) == 2
    folder.chmod(0o1777)
    assert site.tokend("check").returncode == 0
    folder.chmod(0o755)
    assert site.tokend("check").returncode == 0


@pytest.mark.threat("S4")
def test_strangers_line_does_not_open_the_service(site, serve):
    """The last good state keeps serving, and says why."""
    service = serve(site)
    key, keys = stranger(site), site.folder / "api-keys"
    line = (site.folder / "others").read_text()
    keys.chmod(0o666)
    service.await_reload("failed")
    good = keys.read_text()
    keys.write_text(good + line)
    service.reload("failed")
    assert service.ask("/token/driver/v-1", key=site.key).status == 200
    assert service.ask("/token/driver/v-1", key=key).status == 401
    assert f"{keys} is writable by everyone (mode 666)" in service.readyz()[1]
    keys.write_text(good)
    keys.chmod(0o600)
    service.await_reload()
    assert "[+]reload ok" in service.readyz()[1]

    # A folder in which anybody can put another file in its place.
    site.folder.chmod(0o777)
    service.hang_up()
    until(lambda: f"{site.folder} is writable by everyone (mode 777)" in service.readyz()[1], "the failed reload")
    site.folder.chmod(0o700)
    loaded = service.reloads()
    service.hang_up()
    service.await_reload("loaded", loaded)


@needs_root
@pytest.mark.parametrize(
    "name, command",
    [
        ("api-keys", "chown root:65532 {0} && chmod 640 {0}"),
        ("tokend.yaml", "chown root {0}"),
        (".", "chown 65532 {0}"),
        ("link", "chown -h 65532 {0}"),
    ],
)
@pytest.mark.threat("S4")
def test_strangers_file_is_refused(accounts, name, command):
    with layout(accounts) as site:
        path = site.folder / name
        if name == "link":
            (site.folder / "api-keys").rename(site.folder / "keys")
            (site.folder / "api-keys").symlink_to("keys")
            path = site.folder / "api-keys"
        elif name == ".":
            path = site.folder
            os.chown(path.parent, SERVICE, SERVICE)
        os.chown(path, STRANGER, -1, follow_symlinks=False)
        refusal = check(site)
        assert refusal.returncode == 1 and f"{path} belongs to user 1000" in refusal.stderr
        assert f"Run: {command.format(path)}" in refusal.stderr
        subprocess.run(command.format(shlex.quote(str(path))), shell=True, check=True)
        mended = check(site)
        assert mended.returncode == 0, mended.stderr


@needs_root
def test_volume_of_kubernetes_is_taken_although_its_folder_looks_open(accounts):
    """The kubelet makes a ConfigMap's folder with mode 0777, and mounts it so that nobody can write to it."""
    with layout(accounts) as site:
        folder = site.folder
        steps = [
            f"mount -t tmpfs -o mode=0777 tmpfs {folder.parent}/volume", f"cp -a {folder}/. {folder.parent}/volume",
            f"chown root:{SERVICE} {folder.parent}/volume && chmod 0777 {folder.parent}/volume",
            *(f"mount -o remount,{mode} {folder.parent}/volume && (({program(folder.parent / 'volume')}) && echo 0 || echo 1)"
            for mode in ("rw", "ro")),
        ]  # fmt: skip
        (folder.parent / "volume").mkdir()
        site.write()
        result = run("unshare", "--mount", "sh", "-ec", "\n".join(steps))
        if "unshare" in result.stderr or "mount:" in result.stderr:
            pytest.skip("a volume needs the right to mount one")
        assert "volume is writable by everyone (mode 777)" in result.stderr
        assert result.stdout.split() == ["1", "Configuration", "is", "valid.", "0"], result.stderr


class layout(tempfile.TemporaryDirectory):
    """What docs/guides/vm.md makes in /etc/tokend: all of it root's, the secrets for the service's group to read."""

    def __init__(self, accounts):
        super().__init__()
        self.accounts = accounts

    def __enter__(self):
        folder = pathlib.Path(super().__enter__())
        folder.chmod(0o755)
        (folder / "etc").mkdir()
        site = Site(folder / "etc", self.accounts)
        site.configuration["audit"] = {}
        site.write()
        for path in [site.folder, *site.folder.iterdir()]:
            os.chown(path, 0, SERVICE)
            path.chmod(0o750 if path.is_dir() else 0o640)
        (site.folder / "tokend.yaml").chmod(0o644)
        return site


def program(folder):
    return (
        f"cd {folder} && setpriv --reuid={SERVICE} --regid={SERVICE} --clear-groups "
        f"{BUILD / 'tokend'} check --config tokend.yaml"
    )


def check(site):
    """What the service's user finds."""
    options = {"cwd": site.folder, "user": SERVICE, "group": SERVICE, "extra_groups": []}
    return run(BUILD / "tokend", "check", "--config", site.write(), **options)
