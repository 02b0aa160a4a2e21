"""The image archive, unpacked: who it runs as, what it contains, and that it answers with a token, read-only."""

import json
import pathlib
import re
import shutil
import signal
import subprocess

import pytest

from deployment import ROOT, run
from distribution import BASE, DIST, SHIP, ImageArchive, only
from production import exchange, until

import dependencies


@pytest.fixture(scope="module")
def image():
    folder = BASE.parent / "image"
    run("rm", "-rf", folder)
    folder.mkdir()
    yield ImageArchive(only("tokend-*.docker.tar"), folder)
    run("rm", "-rf", folder)


def test_it_is_described(image):
    configuration = image.configuration["config"]
    assert configuration["User"] == "65532:65532"
    assert configuration["Entrypoint"] == ["/usr/local/bin/tokend"]
    assert configuration["Cmd"] == ["serve", "--config", "/etc/tokend/tokend.yaml"]
    assert set(configuration["ExposedPorts"]) == {"8080/tcp", "9090/tcp"}
    # Docker and Podman run it; Kubernetes has its own probes.
    assert configuration["Healthcheck"]["Test"][1:] == ["/usr/local/bin/tokend", "healthcheck", "--admin", "127.0.0.1:9090"]
    labels = configuration["Labels"]
    assert labels["org.opencontainers.image.version"] == dependencies.product_version()
    assert labels["org.opencontainers.image.revision"] == run("git", "-C", ROOT, "rev-parse", "HEAD").stdout.strip()


def test_it_contains_the_program_and_its_licenses(image):
    assert (image.root / "usr/local/bin/tokend").read_bytes() == (SHIP / "tokend").read_bytes()
    notices = image.root / "usr/share/doc/tokend/THIRD-PARTY-NOTICES"
    assert notices.read_text() == (DIST / "THIRD-PARTY-NOTICES").read_text()
    assert (image.root / "usr/share/doc/tokend/LICENSE").read_text() == (ROOT / "LICENSE").read_text()
    assert (image.root / "usr/share/doc/libssl3/copyright").exists()


def test_it_contains_one_program_and_nothing_else_that_runs(image):
    files = [path for path in image.root.rglob("*") if path.is_file() and not path.is_symlink()]
    runs = {str(path.relative_to(image.root)) for path in files if path.stat().st_mode & 0o111}
    assert {name for name in runs if not re.search(r"\.so(\.\d+)*$", name)} == {"usr/local/bin/tokend"}
    # No SUID or SGID, nothing that another user can write to but /tmp.
    for path in image.root.rglob("*"):
        mode = path.lstat().st_mode
        assert not mode & 0o6000, path
        assert path.is_symlink() or path == image.root / "tmp" or not mode & 0o002, path
    assert not [path for folder in ("etc/tokend", "keys", "root", "home") for path in (image.root / folder).rglob("*")]


def test_scanners_find_its_packages(image):
    packages = {path.name for path in (image.root / "var/lib/dpkg/status.d").iterdir()}
    assert {"libc6", "libssl3", "ca-certificates", "base-files"} <= packages and not packages & {"apt", "bash", "dpkg", "perl-base"}
    assert (image.root / "etc/ssl/certs/ca-certificates.crt").stat().st_size > 100_000


def test_it_answers_with_a_token_read_only_and_without_root(image, site, tmp_path):
    site.configuration["audit"] = {}
    site.write()
    for path in (site.folder, *site.folder.iterdir()):
        shutil.chown(path, 65532, 65532)
    (image.root / "etc/tokend").mkdir(exist_ok=True)
    configuration = image.configuration["config"]
    command = [*configuration["Entrypoint"], *configuration["Cmd"]]
    script = """
        mount --bind "$1" "$1"; mount --bind "$2" "$1/etc/tokend"
        mount -t proc proc "$1/proc"; mount -o remount,bind,ro "$1"; mount -o remount,bind,ro "$1/etc/tokend"
        root=$1 user=$3; shift 3
        exec env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin chroot --userspec="$user" --groups= "$root" "$@"
    """
    log = tmp_path / "log"
    with log.open("w") as error:
        process = subprocess.Popen(
            ["unshare", "--mount", "sh", "-euc", script, "sh", image.root, site.folder, configuration["User"], *command],
            stdout=subprocess.DEVNULL, stderr=error,
        )  # fmt: skip
    try:
        until(lambda: "The service is listening." in log.read_text() or process.poll() is not None, "the service", 60)
        assert process.poll() is None, log.read_text()
        (line,) = [line for line in log.read_text().splitlines() if "The service is listening." in line]
        port = json.loads(line)["metadata"]["address"].rpartition(":")[2]
        answer = exchange(int(port), "/token/driver/vehicle-1", [("X-API-Key", site.key)])
        assert answer.status == 200 and answer.token.startswith("ey")
        assert "Uid:\t65532\t65532" in pathlib.Path(f"/proc/{process.pid}/status").read_text()
    finally:
        process.send_signal(signal.SIGTERM)
        assert process.wait(60) == 0, log.read_text()
