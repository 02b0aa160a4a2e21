"""The Debian package on a machine with systemd: what an upgrade or a downgrade does to the service that runs."""

import re
import time

import pytest

from deployment import ROOT, run
from distribution import ROOTS, Machine, RootFileSystem, only, previous_package
from dist_package import APT, CHECK, INIT, KEYS, PREVIOUS, TOKEN

MISTAKE = "echo 'mistake: 1' >> /etc/tokend/tokend.yaml\n"
MEND = "sed -i '/^mistake:/d' /etc/tokend/tokend.yaml\n"


@pytest.fixture(scope="module")
def machine(tmp_path_factory):
    """A Debian where the earlier version serves; the tests of this file go on from each other, in their order."""
    folder = ROOTS / "upgrade"
    run("rm", "-rf", folder)
    root = RootFileSystem(folder)
    packages = {"previous": previous_package(tmp_path_factory.mktemp("previous"), PREVIOUS), "tokend": only("tokend_*.deb")}
    for name, path in packages.items():
        (folder / "root" / f"{name}.deb").write_bytes(path.read_bytes())
    root.run(f"apt-get -q update; {APT} install systemd-sysv dbus /root/previous.deb", network=True)
    machine = Machine(root)
    try:
        machine.run(INIT + KEYS + "systemctl enable --now tokend\n" + TOKEN)
        yield machine
    finally:
        machine.stop()
        run("rm", "-rf", folder)


def main_process(machine):
    return machine.run("systemctl show --property=MainPID --value tokend").stdout.strip()


def install(machine, name):
    """Installs a package as apt does, and returns what it said."""
    result = machine.run(f"dpkg --install /root/{name}.deb")
    assert machine.run("dpkg-query --show --showformat '${Status}' tokend").stdout == "install ok installed"
    assert not machine.run("dpkg --audit").stdout
    return result.stderr


def test_an_upgrade_restarts_the_service_with_the_new_program(machine):
    before = main_process(machine)
    assert "WARNING" not in install(machine, "tokend")
    assert main_process(machine) != before
    assert "(deleted)" not in machine.run(f"readlink /proc/{main_process(machine)}/exe").stdout
    machine.run(TOKEN)


@pytest.mark.parametrize("name", ["previous", "tokend"], ids=["downgrade", "upgrade"])
def test_with_a_configuration_that_the_new_program_does_not_accept_the_former_one_keeps_serving(machine, name):
    before = main_process(machine)
    machine.run(MISTAKE)
    said = install(machine, name)
    assert "unknown setting" in said.lower() and "NOT restarted" in said and "systemctl restart tokend" in said, said
    assert main_process(machine) == before
    assert "(deleted)" in machine.run(f"readlink /proc/{before}/exe").stdout
    machine.run(TOKEN)

    # What the message says to do.
    machine.run(MEND + f"{CHECK} --quiet --config /etc/tokend/tokend.yaml && systemctl restart tokend")
    assert main_process(machine) != before
    machine.run(TOKEN)


def test_an_upgrade_leaves_a_service_alone_whose_command_a_drop_in_changes(machine):
    machine.run(r"""
        mkdir -p /etc/systemd/system/tokend.service.d
        printf '[Service]\nExecStart=\nExecStart=/usr/bin/tokend serve --config /etc/tokend/other.yaml\n' > /etc/systemd/system/tokend.service.d/other.conf
        cp -p /etc/tokend/tokend.yaml /etc/tokend/other.yaml
        systemctl daemon-reload
        systemctl restart tokend
    """)  # fmt: skip
    before = main_process(machine)
    try:
        said = install(machine, "tokend")
        assert "A drop-in changes" in said and "NOT restarted" in said, said
        assert main_process(machine) == before
    finally:
        machine.run("""
            rm -r /etc/systemd/system/tokend.service.d /etc/tokend/other.yaml
            systemctl daemon-reload
            systemctl restart tokend
        """)  # fmt: skip
    machine.run(TOKEN)


def test_a_program_that_cannot_run_does_not_replace_one_that_does(machine):
    """As where a library is missing."""
    before = main_process(machine)
    machine.run("dpkg-divert --quiet --rename --divert /usr/bin/tokend.real /usr/bin/tokend; install -m 0755 /bin/false /usr/bin/tokend")
    try:
        assert "NOT restarted" in install(machine, "tokend")
        assert main_process(machine) == before
    finally:
        machine.run("rm /usr/bin/tokend; dpkg-divert --quiet --rename --remove /usr/bin/tokend")
    machine.run(TOKEN)


def test_a_stopped_service_stays_stopped(machine):
    machine.run("systemctl stop tokend")
    install(machine, "tokend")
    assert machine.run("systemctl is-active tokend", check=False).stdout.strip() == "inactive"
    machine.run("systemctl start tokend\n" + TOKEN)


def test_a_backup_is_restored_as_the_page_says(machine):
    page = (ROOT / "docs/operate.md").read_text().split("\n## Back up and restore\n")[1].split("\n## ")[0]
    blocks = re.findall(r"```sh\n(.*?)```", page, re.DOTALL)
    save, restore = (block.replace("sudo -u tokend ", "runuser -u tokend -- ").replace("sudo ", "") for block in blocks)
    lines = machine.run("cat /var/lib/tokend/audit.jsonl | wc -l").stdout
    machine.run(f"cd /root; {save} cp -r /etc/tokend/keys /root/keys; systemctl disable --now tokend; dpkg --purge tokend")
    install(machine, "tokend")
    machine.run(f"cp -p /root/keys/*.json /etc/tokend/keys/; chgrp tokend /etc/tokend/keys/*; cd /root; {restore}" + TOKEN)
    assert int(machine.run("cat /var/lib/tokend/audit.jsonl | wc -l").stdout) > int(lines)


def test_purge_removes_what_enabling_made(machine):
    link = machine.folder / "etc/systemd/system/multi-user.target.wants/tokend.service"
    assert link.is_symlink()
    start = time.monotonic()
    machine.run("dpkg --remove tokend")
    assert main_process(machine) == "0"
    # As the unit's TimeoutStopSec has it.
    assert time.monotonic() - start < 40
    assert link.is_symlink() and (machine.folder / "etc/tokend/keys/driver.json").exists()
    machine.run("dpkg --purge tokend")
    assert not link.is_symlink()
    left = machine.run("find /etc /usr -xdev -name '*token[dc]*' 2>/dev/null || true").stdout
    assert not [line for line in left.splitlines() if "tokend.service.d" not in line], left
