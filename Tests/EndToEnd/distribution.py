"""Where a release is, as `make dist` built it, and root file systems to try it in."""

import pathlib
import re
import shutil
import subprocess

from deployment import ROOT, run
from production import until

DIST = ROOT / ".build" / "dist"
# The machine's environment stays outside, such as a TMPDIR that is not there.
PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"
ROOTS = ROOT / ".build" / "rootfs"


def only(pattern, folder=None):
    """The one file of `make dist` with such a name."""
    (path,) = (folder or DIST).glob(pattern)
    return path


def system(suite):
    """A minimal root file system of a Debian, kept for the next time."""
    path = ROOTS / f"{suite}.tar"
    if not path.exists():
        ROOTS.mkdir(parents=True, exist_ok=True)
        new = path.with_suffix(".new.tar")
        run("mmdebstrap", "--quiet", "--variant=minbase", "--format=tar", suite, new, check=True)
        new.rename(path)
    return path


class RootFileSystem:
    """A fresh Debian without tokend; commands run in it with namespaces of their own."""

    def __init__(self, folder, suite="bookworm", apt="/etc/apt"):
        """Unpacks it; `apt` is the machine's folder that it gets, the package sources or only how they are reached."""
        self.folder, self.apt = folder, apt
        archive = system(suite)
        folder.mkdir(mode=0o755)
        subprocess.run(["tar", "-xf", archive, "-C", folder], check=True)

    def run(self, script, network=False, check=True):
        """Runs a script as root, with the machine's network or with a loopback of its own."""
        # Processes that a script leaves behind end with it.
        setup = f"mount --bind {self.apt} {self.folder}{self.apt} && mount -t proc proc {self.folder}/proc"
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


class Machine:
    """A root file system that runs, with systemd as its first process and a network of its own."""

    BOOT = """
        ip link set lo up
        mount --bind "$0" "$0"; cd "$0"
        mount -t proc proc proc; mount -t sysfs sysfs sys; mount -t tmpfs tmpfs dev
        for device in "null 1 3" "zero 1 5" "full 1 7" "random 1 8" "urandom 1 9" "tty 5 0"; do
            mknod -m 666 dev/${device%% *} c ${device#* }
        done
        mkdir dev/pts dev/shm; mount -t devpts devpts dev/pts; ln -s pts/ptmx dev/ptmx
        for folder in run tmp sys/fs/cgroup; do mount -t tmpfs tmpfs "$folder"; done
        mount -t cgroup2 cgroup2 sys/fs/cgroup
        pivot_root . mnt; umount -l mnt
        exec env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin container=other /lib/systemd/systemd \
            --show-status=false --log-target=null --unit=multi-user.target
    """

    def __init__(self, root):
        self.folder = root.folder
        namespaces = ["--mount", "--pid", "--fork", "--kill-child", "--net", "--uts", "--ipc", "--cgroup"]
        self.process = subprocess.Popen(["unshare", *namespaces, "sh", "-euc", self.BOOT, self.folder])
        until(lambda: self.run("systemctl is-system-running", check=False).stdout.strip() == "running", "systemd", 60)

    def run(self, script, check=True):
        children = pathlib.Path(f"/proc/{self.process.pid}/task/{self.process.pid}/children")
        first = children.read_text().split()
        inside = ["nsenter", "--all", "--target", *first] if first else ["false"]
        result = run(*inside, "env", "-i", f"PATH={PATH}", "HOME=/root", "/bin/sh", "-euc", script, check=False)
        assert not check or result.returncode == 0, result.stdout + result.stderr
        return result

    def stop(self):
        self.process.kill()
        self.process.wait()


def previous_package(folder, version):
    """The Debian package as if it were of an earlier version."""
    root = unpacked(only("tokend_*.deb"), folder / "root")
    control = root / "DEBIAN" / "control"
    control.write_text(re.sub(r"(?m)^Version: .*", f"Version: {version}", control.read_text()))
    path = folder / "tokend_previous.deb"
    assert run("dpkg-deb", "--root-owner-group", "-Zgzip", "-z1", "--build", root, path).returncode == 0
    return path


def unpacked(path, folder):
    """A Debian package's files, and its control files in DEBIAN."""
    result = run("dpkg-deb", "--raw-extract", path, folder)
    assert result.returncode == 0, result.stderr
    return pathlib.Path(folder)
