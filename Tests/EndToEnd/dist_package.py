"""The Debian package, in a fresh root file system: install, check, start, token, rotate, upgrade, remove, purge."""

import json
import re

import pytest

from deployment import run
from distribution import ROOTS, RootFileSystem, only, previous_package, unpacked

PREVIOUS = "0.0.9-1"
CHECK = "runuser -u tokend -- tokend check"
FIND = "find / -xdev -name '*token[dc]*' -not -path '/proc/*' -not -path '/root/*'"
INIT = """
tokend init --project my-project --caller api-key --ids any --offline
mv /etc/tokend/backend.key /root/api-key
"""
KEYS = """
for kind in consumer driver; do
    tokenctl keys new $kind.json --email $kind@example.invalid > /dev/null
    install -m 0640 -g tokend $kind.json /etc/tokend/keys/
    rm $kind.json
done
printf 'X-API-Key: %s\\n' "$(cat /root/api-key)" > /root/header
"""
# What the unit's ExecStart says, as its User; timeout ends one that never ends.
START = """
setpriv --reuid=tokend --regid=tokend --clear-groups env -i PATH=/usr/bin \
    $(sed -n 's/^ExecStart=//p' /lib/systemd/system/tokend.service) 2> /root/log &
timeout 30 sh -c 'until tokend healthcheck 2> /dev/null; do sleep 0.1; done'
"""
TOKEN = """
tokenctl fetch --server http://127.0.0.1:8080 --kind driver --id vehicle-1 --header-file /root/header > /root/token
tokenctl verify /root/token --kind driver --id vehicle-1 --jwks http://127.0.0.1:9090/.well-known/jwks.json
"""


@pytest.fixture(scope="module")
def system(tmp_path_factory):
    """A Debian with the earlier version; the tests of this file go on from each other, in their order."""
    folder = ROOTS / "package"
    run("rm", "-rf", folder)
    root = RootFileSystem(folder)
    previous = previous_package(tmp_path_factory.mktemp("previous"), PREVIOUS)
    for name, path in (("previous.deb", previous), ("tokend.deb", only("tokend_*.deb"))):
        (root.folder / "root" / name).write_bytes(path.read_bytes())
    yield root
    run("rm", "-rf", folder)


APT = "export DEBIAN_FRONTEND=noninteractive; apt-get -q -o Dpkg::Use-Pty=0 -y --no-install-recommends"


def test_lintian_has_no_objection():
    result = run("lintian", "--fail-on", "error,warning", "--tag-display-limit", "0", only("tokend_*.deb"))
    assert result.returncode == 0 and not re.search(r"(?m)^[EW]:", result.stdout), result.stdout


def test_the_package_depends_on_the_libraries_that_the_programs_load():
    depends = run("dpkg-deb", "--field", only("tokend_*.deb"), "Depends").stdout
    for library in ("libssl3", "libc6", "libstdc++6"):
        assert re.search(rf"(^|, ){re.escape(library)} \(>= ", depends), depends
    # Debian says of no version that it is the first with all of its symbols.
    assert "libyaml-0-2" in depends.strip().split(", "), depends


def test_the_package_names_its_repository(tmp_path):
    root = unpacked(only("tokend_*.deb"), tmp_path / "root")
    assert run("grep", "-rIlE", "@[A-Z]+@", root).stdout == ""
    assert "https://github.com/" in (root / "usr/share/doc/tokend/examples/alerts.yaml").read_text()


def test_it_installs_with_its_dependencies(system):
    system.run(f"apt-get -q update; {APT} install /root/previous.deb logrotate", network=True)
    assert system.run("dpkg-query -W -f '${Version}' tokend").stdout == PREVIOUS
    modes = system.run("stat -c '%A %U %G' /etc/tokend /etc/tokend/keys /var/lib/tokend").stdout
    assert modes.splitlines() == ["drwxr-x--- root tokend", "drwxr-x--- root tokend", "drwx------ tokend tokend"]


def test_init_writes_the_configuration_of_the_service_and_only_the_keys_are_missing(system):
    system.run(INIT)
    result = system.run(f"{CHECK} --output json", check=False)
    problems = [finding for finding in json.loads(result.stdout)["findings"] if finding["level"] == "failure"]
    assert result.returncode == 1 and {problem["subject"] for problem in problems} == {
        "kinds.consumer.serviceAccount", "kinds.driver.serviceAccount",
    }  # fmt: skip
    assert all("no such file" in problem["message"] for problem in problems)


def test_with_keys_it_starts_and_gives_a_token(system):
    system.run(KEYS + f"{CHECK} --quiet\n" + START + TOKEN)


def test_the_audit_trail_goes_on_over_a_rotation(system):
    rotate = "logrotate --force /etc/logrotate.d/tokend\n"
    system.run(START + TOKEN + rotate + TOKEN + "sleep 1.1\n" + rotate + TOKEN)
    files = sorted(path.name for path in (system.folder / "var/lib/tokend").iterdir())
    assert files[0] == "audit.jsonl" and len(files) == 3 and files[1].endswith(".gz"), files
    lines = [json.loads(line) for line in system.run("zcat -f /var/lib/tokend/audit.jsonl*").stdout.splitlines()]
    assert len(lines) >= 4 and len({(line["instance"], line["sequence"]) for line in lines}) == len(lines), lines


def test_an_upgrade_keeps_configuration_keys_modes_and_trail(system):
    marker = "# changed by the administrator"
    system.run(f"echo '{marker}' >> /etc/tokend/tokend.yaml; chmod 0700 /etc/tokend/keys; chmod 0750 /etc/tokend/keys")
    before = system.run("find /etc/tokend /var/lib/tokend -printf '%p %M %u %g %s\\n' | sort").stdout
    system.run(f"{APT} install /root/tokend.deb", network=True)
    version = only("tokend_*.deb").name.split("_")[1]
    assert system.run("dpkg-query -W -f '${Version}' tokend").stdout == version
    assert system.run("find /etc/tokend /var/lib/tokend -printf '%p %M %u %g %s\\n' | sort").stdout == before
    system.run(START + TOKEN)


def test_remove_leaves_configuration_and_trail(system):
    system.run(f"{APT} remove tokend", network=True)
    assert not (system.folder / "usr/bin/tokend").exists()
    assert (system.folder / "etc/tokend/keys/driver.json").exists()
    assert (system.folder / "var/lib/tokend/audit.jsonl").exists()


def test_purge_leaves_the_trail_with_its_owner_and_nothing_else(system):
    system.run(f"{APT} purge tokend", network=True)
    left = system.run(FIND).stdout
    assert left.split() == ["/var/lib/tokend"], left
    assert system.run("stat -c '%U' /var/lib/tokend/audit.jsonl").stdout == "tokend\n"


def test_purge_without_a_trail_leaves_nothing(system):
    system.run("rm -r /var/lib/tokend")
    system.run(f"{APT} install /root/tokend.deb && {APT} purge tokend", network=True)
    assert system.run(FIND).stdout == ""
    for name in ("passwd", "group", "shadow"):
        assert "tokend" not in (system.folder / "etc" / name).read_text()
