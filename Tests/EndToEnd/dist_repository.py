"""The apt repository: a fresh Debian installs and upgrades from it as the VM guide says, and takes nothing that another signed."""

import functools
import http.server
import os
import re
import shutil
import threading

import pytest

from deployment import ROOT, run
from dist_package import KEYS, PREVIOUS, START, TOKEN
from distribution import BASE, RootFileSystem, only, previous_package

GUIDE = (ROOT / "docs/guides/vm.md").read_text()
# Without sudo, which the root file system lacks, and without questions.
ADD, UPGRADE = (
    block.replace("sudo ", "").replace(" install ", " install --yes --no-install-recommends ")
    for block in re.findall(r"(?ms)^(?:sudo curl|sudo apt update).*?(?=^```)", GUIDE)
)


class Repository:
    """A repository below a folder, which a web server has on loopback."""

    class Handler(http.server.SimpleHTTPRequestHandler):
        def __init__(self, repository, *arguments, **options):
            self.repository = repository
            super().__init__(*arguments, **options)

        def log_request(self, code="-", size="-"):
            (self.repository.found if code < 300 else self.repository.missed).append(self.path)

    def __init__(self, folder):
        self.folder = folder / "apt"
        self.dist = folder / "dist"
        self.missed, self.found = [], []
        handler = functools.partial(self.Handler, self, directory=self.folder)
        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        self.url = f"http://127.0.0.1:{self.server.server_port}"

    def publish(self, package, version):
        self.dist.mkdir(exist_ok=True)
        shutil.copy(package, self.dist / f"tokend_{version}_{package.stem.rpartition('_')[2]}.deb")
        environment = os.environ | {"DIST": str(self.dist), "APT": str(self.folder)}
        result = run(ROOT / "scripts/release/dist.sh", "--only-repository", env=environment)
        assert result.returncode == 0, result.stderr

    def list(self):
        """The list of the packages' lists, as clients read it."""
        return self.folder / "dists/stable/InRelease"


@pytest.fixture(scope="module")
def repository(tmp_path_factory):
    repository = Repository(tmp_path_factory.mktemp("repository"))
    previous = previous_package(tmp_path_factory.mktemp("previous"), PREVIOUS)
    repository.publish(previous.rename(previous.with_name(only("tokend_*.deb").name)), PREVIOUS)
    yield repository
    repository.server.shutdown()


@pytest.fixture(scope="module")
def system(repository):
    """A Debian that knows the repository, with the earlier version; the tests of this file go on from each other, in their order."""
    folder = BASE.parent / "repository"
    run("rm", "-rf", folder)
    root = RootFileSystem(folder, apt="/etc/apt/apt.conf.d")
    root.run("apt-get -q update; apt-get -q -y --no-install-recommends install ca-certificates curl", network=True)
    root.run(ADD.replace("https://apt.example.com", repository.url), network=True)
    yield root
    run("rm", "-rf", folder)


def version(system):
    return system.run("dpkg-query -W -f '${Version}' tokend").stdout


def test_it_installs_from_the_repository(repository, system):
    assert version(system) == PREVIOUS
    system.run(KEYS + START + TOKEN)
    assert not repository.missed and any("/by-hash/" in path for path in repository.found), repository.missed


def test_it_upgrades_from_the_repository(repository, system):
    before = {path.name for path in repository.folder.rglob("by-hash/SHA256/*")}
    repository.publish(only("tokend_*.deb"), "0.1.0-1")
    said = system.run(UPGRADE, network=True)
    assert version(system) == only("tokend_*.deb").name.split("_")[1], said.stdout
    system.run(START + TOKEN)
    # Lists that a client is about to fetch by their hash, and the version to go back to.
    after = {path.name for path in repository.folder.rglob("by-hash/SHA256/*")}
    assert before < after
    offered = system.run("apt-cache madison tokend").stdout
    assert PREVIOUS in offered and offered.count(repository.url) == 2


@pytest.mark.parametrize("fault", ["a list of the lists that was changed", "a list that was changed", "a package that was changed"])
def test_what_is_not_as_it_was_signed_is_refused(repository, system, fault):
    changed = {
        "a list of the lists that was changed": [repository.list()],
        "a list that was changed": [path for path in repository.folder.rglob("binary-*/**/*") if path.is_file()],
        "a package that was changed": list(repository.folder.glob("pool/*.deb")),
    }[fault]
    former = {path: path.read_bytes() for path in changed}
    try:
        for path, content in former.items():
            # One byte in the middle, and one that the signature covers.
            place = content.find(b"Origin: Fleet") if path == repository.list() else len(content) // 2
            path.write_bytes(content[:place] + bytes([content[place] ^ 1]) + content[place + 1 :])
        result = system.run(
            "rm -rf /var/lib/apt/lists/127*; apt-get -q -o APT::Update::Error-Mode=any update && apt-get -q -y install --reinstall tokend",
            network=True, check=False,
        )  # fmt: skip
    finally:
        for path, content in former.items():
            path.write_bytes(content)
    assert result.returncode != 0 and re.search("invalid|Hash Sum mismatch|unexpected size", result.stdout + result.stderr), result.stdout
    system.run(START + TOKEN)


def test_it_is_checked_with_its_own_key_only(repository, system):
    system.run("cp /usr/share/keyrings/debian-archive-keyring.gpg /etc/apt/keyrings/fleet-token.gpg")
    result = system.run("rm -rf /var/lib/apt/lists/127*; apt-get -q -o APT::Update::Error-Mode=any update", network=True, check=False)
    assert result.returncode != 0 and "NO_PUBKEY" in result.stdout + result.stderr, result.stderr
