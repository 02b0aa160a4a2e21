"""The VM guide, followed command by command in the layout that the package makes.

Stand-ins take the place of what belongs to Google and to systemd, and refuse what the real ones would. The user is another
one than `tokend`, the folders are below a temporary one, and the ports are free ones.
"""

import os
import pathlib
import re
import shlex
import stat
import subprocess
import tempfile

import pytest

import secrecy
from build import BUILD
from deployment import ROOT
from production import mounted, until
from ports import free_port

USER = "daemon"
VM = (ROOT / "docs" / "guides/vm.md").read_text()

STAND_INS = {
    # With -u it becomes that user, as sudo does.
    "sudo": f'if [ "$1" = -u ]; then user=$2; shift 2; exec setpriv --reuid "$user" --regid "$user" --init-groups "$@"; fi; exec "$@"',
    "gcloud": """
case "$*" in
"iam service-accounts create "*) touch "$HOME/account-$4" ;;
"projects add-iam-policy-binding my-project "*" --role=roles/fleetengine."*) ;;
"iam service-accounts keys create "*.json" --iam-account="*@my-project.iam.gserviceaccount.com)
    account=${6#--iam-account=}
    test -e "$HOME/account-${account%%@*}" && exec tokenctl keys new "$5" --email "$account" ;;
*) echo "gcloud does not understand: $*" >&2; exit 1 ;;
esac""",
    # Starting waits until the service is ready, as with Type=notify.
    "systemctl": """
case "$*" in
"daemon-reload") ;;
"enable --now tokend")
    setsid setpriv --reuid USER --regid USER --init-groups tokend serve --config /etc/tokend/tokend.yaml >"$HOME/log" 2>&1 &
    echo $! > "$HOME/pid"
    until grep -q '"The service is listening."' "$HOME/log"; do kill -0 "$(cat "$HOME/pid")" || exit 1; sleep 0.05; done ;;
"status tokend") kill -0 "$(cat "$HOME/pid")" ;;
*) echo "systemctl does not understand: $*" >&2; exit 1 ;;
esac""",
    "journalctl": 'test "$1 $2" = "-u tokend" && cat "$HOME/log"',
    # The key needs no time to propagate here.
    "sleep": 'case $1 in 60) ;; *) exec /bin/sleep "$@" ;; esac',
}

pytestmark = pytest.mark.skipif(os.geteuid() != 0, reason="only root can hand files over")


def commands(guide, heading):
    section = re.search(rf"^## {re.escape(heading)}.*?\n(.*?)(?=^## |\Z)", guide, re.M | re.S)[1]
    return re.findall(r"^```sh\n(.*?)^```", section, re.M | re.S)


class Machine:
    """A folder with the package's layout, in which the guide's commands run."""

    def __init__(self, folder):
        self.folder = folder
        self.public, self.admin = free_port(), free_port()
        for name in ["etc/logrotate.d", "var/lib", "bin", "home"]:
            (folder / name).mkdir(parents=True)
        self.home = folder / "home"
        # Only at its own path does `init` write for the package.
        init = shlex.join([*mounted({"/etc": folder / "etc"}), "env", "-u", "TOKEND_CONFIG", f"{BUILD}/tokend"])
        tokend = f'[ "$1" != init ] || exec {init} "$@"\nexec {BUILD}/tokend "$@"'
        for name, text in (STAND_INS | {"tokend": tokend}).items():
            path = folder / "bin" / name
            path.write_text(f"#!/bin/bash\n{self.here(text)}\n".replace("USER", USER))
            path.chmod(0o755)

    def here(self, text):
        """A text with this machine's folders, ports and user."""
        for old, new in [
            ("/etc/", f"{self.folder}/etc/"), ("/var/lib/", f"{self.folder}/var/lib/"),
            (" deploy/", f" {ROOT}/deploy/"),
            ("127.0.0.1:8080", f"127.0.0.1:{self.public}"), ("127.0.0.1:9090", f"127.0.0.1:{self.admin}"),
            ("-o tokend", f"-o {USER}"), ("-g tokend", f"-g {USER}"), ("-u tokend tok", f"-u {USER} tok"),
        ]:  # fmt: skip
            text = text.replace(old, new)
        return text

    def run(self, text):
        """Runs commands in root's home, and returns what they print. One that fails ends them."""
        environment = os.environ | {"PATH": f"{self.folder}/bin:{BUILD}:{os.environ['PATH']}", "HOME": str(self.home)}
        # The default, in this machine's folder.
        environment["TOKEND_CONFIG"] = self.here("/etc/tokend/tokend.yaml")
        result = subprocess.run(
            ["bash", "-euo", "pipefail", "-c", self.here(text)],
            cwd=self.home, env=environment, capture_output=True, text=True, timeout=120,
        )  # fmt: skip
        assert result.returncode == 0, f"{text}\n{result.stdout}\n{result.stderr}"
        return result.stdout + result.stderr

    def key(self):
        """The ID of the key that signs a driver's token."""
        fetch = "tokenctl fetch --server http://127.0.0.1:8080 --kind driver --id vehicle-1 --header-file header"
        return re.search(r'"kid": ?"([^"]+)"', self.run(f"{fetch} | tokenctl inspect -o json -"))[1]


@pytest.fixture(scope="module")
def machine():
    """A machine after the steps 1 to 4 of the VM guide."""
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name) / "machine"
        pathlib.Path(name).chmod(0o755)
        machine = Machine(folder)
        # The package: the programs are built, and the user is there.
        machine.run("""
            install -d -m 0750 -g tokend /etc/tokend /etc/tokend/keys
            install -d -m 0700 -o tokend -g tokend /var/lib/tokend
        """)
        (configure,) = commands(VM, "2. Configuration")
        printed = machine.run(configure)
        machine.run("\n".join(line for line in printed.splitlines() if re.match(r" +\(?(umask 077; )?gcloud ", line)))
        (install,) = commands(VM, "3. Keys")
        machine.run(install)
        configuration = folder / "etc" / "tokend" / "tokend.yaml"
        text = machine.here(configuration.read_text())
        # Two services on one machine need two admin listeners.
        configuration.write_text(f"{text}\nadmin: {{listen: 127.0.0.1:{machine.admin}}}\n")
        try:
            (start,) = commands(VM, "4. Start, and check a token")
            machine.started = machine.run(start)
            yield machine
            secrecy.search()
        finally:
            if (machine.home / "pid").exists():
                machine.run('kill "$(cat "$HOME/pid")"')


def test_vm_guide_ends_with_a_verified_token(machine):
    assert "Configuration is valid." in machine.started
    assert "Valid: gives access to the vehicle vehicle-1" in machine.started
    folder = machine.folder / "etc" / "tokend"
    for path in {*folder.rglob("*")} - {folder / "backend.key"}:
        mode = stat.S_IMODE(path.stat().st_mode)
        assert (path.owner(), path.group(), mode) == ("root", USER, 0o750 if path.is_dir() else 0o640), path
    assert stat.S_IMODE((folder / "backend.key").stat().st_mode) == 0o600


def test_vm_guide_rotates_a_key(machine):
    before = machine.key()
    (block,) = commands(VM, "Rotate a key")
    machine.run(block)
    until(lambda: machine.key() != before, "the new key")
    assert not (machine.home / "driver.json").exists()
    until(lambda: "Signing key changed." in (machine.home / "log").read_text(), "the log to say so")
