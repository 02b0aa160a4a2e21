"""The Debian package on each system of docs/operate.md that can be had here; Ubuntu is tried where releases are made."""

import shutil

import pytest

from deployment import ROOT, run
from distribution import ROOTS, RootFileSystem, only

SYSTEMS = {"bookworm": "Debian GNU/Linux 12", "trixie": "Debian GNU/Linux 13"}


@pytest.mark.parametrize("suite", SYSTEMS)
def test_the_package_installs_and_gives_a_token(suite):
    folder = ROOTS / f"system-{suite}"
    run("rm", "-rf", folder)
    try:
        root = RootFileSystem(folder, suite, apt="/etc/apt/apt.conf.d")
        for path in (only("tokend_*.deb"), ROOT / "Tests/EndToEnd/try-package.sh"):
            shutil.copy(path, folder / "root" / path.name)
        result = root.run("sh /root/try-package.sh /root/*.deb", network=True)
        assert f"The package works on {SYSTEMS[suite]}" in result.stdout
    finally:
        run("rm", "-rf", folder)
