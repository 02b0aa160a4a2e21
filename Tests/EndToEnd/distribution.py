"""Where a release is, as `make dist` built it, and root file systems to try it in."""

import json
import pathlib
import shutil
import subprocess
import sys
import tarfile

from deployment import ROOT, run

DIST = ROOT / ".build" / "dist"
SHIP = ROOT / ".build" / "ship"
BUILD = ROOT / ".build" / "static"
# The machine's environment stays outside, such as a TMPDIR that is not there.
PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"
BASE = ROOT / ".build" / "rootfs" / "bookworm.tar"

sys.path.insert(0, str(ROOT / "scripts" / "release"))


def only(pattern, folder=DIST):
    """The one file of a release with such a name."""
    (path,) = folder.glob(pattern)
    return path


class RootFileSystem:
    """A fresh Debian without tokend; commands run in it with namespaces of their own."""

    def __init__(self, folder):
        self.folder = folder
        folder.mkdir(mode=0o755)
        subprocess.run(["tar", "-xf", BASE, "-C", folder], check=True)

    def run(self, script, network=False, check=True):
        """Runs a script as root, with the machine's network or with a loopback of its own."""
        # The machine's package sources; processes that a script leaves behind end with it.
        setup = f"mount --bind /etc/apt {self.folder}/etc/apt && mount -t proc proc {self.folder}/proc"
        loopback = "" if network else "ip link set lo up && "
        command = f'{loopback}{setup} && exec env -i PATH={PATH} HOME=/root chroot {self.folder} /bin/sh -euc "$0"'
        namespaces = ["--mount", "--pid", "--fork", "--kill-child"] + ([] if network else ["--net"])
        if network:
            shutil.copy("/etc/resolv.conf", self.folder / "etc" / "resolv.conf")
        result = subprocess.run(
            ["unshare", *namespaces, "sh", "-euc", command, script],
            capture_output=True, text=True, timeout=300, check=False,
        )  # fmt: skip
        assert not check or result.returncode == 0, result.stdout + result.stderr
        return result


class ImageArchive:
    """An OCI image archive: its configuration, and its layers unpacked."""

    def __init__(self, path, folder):
        self.root = folder
        with tarfile.open(path) as archive:

            def blob(descriptor):
                return archive.extractfile("blobs/" + descriptor["digest"].replace(":", "/"))

            index = json.load(archive.extractfile("index.json"))
            manifest = json.load(blob(index["manifests"][0]))
            self.configuration = json.load(blob(manifest["config"]))
            for layer in manifest["layers"]:
                subprocess.run(["tar", "-xz", "-C", folder], check=True, input=blob(layer).read())


def unpacked(path, folder):
    """A Debian package's files, and its control files in DEBIAN."""
    result = run("dpkg-deb", "--raw-extract", path, folder)
    assert result.returncode == 0, result.stderr
    return pathlib.Path(folder)
