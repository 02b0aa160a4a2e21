"""scripts/install.sh on machines without Swift, or with an old one: stand-ins for what it runs are on PATH."""

import os
import shutil

import pytest

from deployment import ROOT, run

SCRIPT = ROOT / "scripts" / "install.sh"
# What every Debian has.
TOOLS = (
    "sh", "sed", "head", "sort", "id", "uname", "mktemp", "rm", "cat", "date", "dirname", "tar", "gzip", "mkdir", "chmod",
    "test", "env", "echo", "python3", "git", "pkg-config", "curl-config", "cp",
)  # fmt: skip


class Machine:
    """A machine with some programs, of which each writes its arguments to a log."""

    def __init__(self, folder):
        self.home, self.programs, self.log = folder / "home", folder / "bin", folder / "log"
        for path in (self.home, self.programs):
            path.mkdir()
        self.log.touch()
        for tool in TOOLS:
            if path := shutil.which(tool):
                (self.programs / tool).symlink_to(path)
        # Whatever is missing on the machine of the tests.
        for tool in ("apt-get", "apt-cache"):
            self.program(tool, "true")

    def program(self, name, script):
        path = self.programs / name
        path.write_text(f'#!/bin/sh\necho "{name} $*" >> {self.log}\n{script}\n')
        path.chmod(0o755)

    def install(self, *arguments, **variables):
        environment = {"PATH": str(self.programs), "HOME": str(self.home), "TMPDIR": str(self.home), **variables}
        return run("/bin/sh", SCRIPT, *arguments, env=environment, stdin=-3)

    def calls(self, name):
        return [line for line in self.log.read_text().splitlines() if line.split()[0] == name]


@pytest.fixture
def machine(tmp_path):
    return Machine(tmp_path)


def swift(version):
    return f'echo "Swift version {version} (swift-{version}-RELEASE)"'


COMMANDS = ("swiftly.tar.gz && tar -xzf", "./swiftly init ", "swiftly install ")


@pytest.mark.parametrize(("version", "remark"), [(None, "is needed. Install"), ("6.1.2", "is needed, and this is 6.1.2.")])
def test_without_swift_three_lines_say_how_to_install_it(machine, version, remark):
    if version:
        machine.program("swift", swift(version))
    result = machine.install("run", "echo", "it ran")
    assert result.returncode == 1 and not result.stdout
    first, *lines = result.stderr.splitlines()
    assert remark in first
    assert len(lines) == 3 and all(command in line for command, line in zip(COMMANDS, lines, strict=True))
    assert not machine.calls("apt-get"), "nothing is installed for what cannot be built"


@pytest.mark.parametrize("version", ["6.3", "6.10"])
def test_with_swift_the_command_runs(machine, version):
    machine.program("swift", swift(version))
    machine.program("docker", "true")
    result = machine.install("run", "echo", "it ran")
    assert (result.returncode, result.stdout.splitlines()[-1]) == (0, "it ran"), result.stderr
    assert not machine.calls("docker")


@pytest.mark.parametrize(
    ("engine", "purpose", "option"),
    [
        ("docker", "run", f"--user {os.getuid()}:{os.getgid()}"),
        ("podman", "run", "--userns keep-id"),
        ("docker", "test", f"--volume fleet-token-test:{ROOT}/.build"),
    ],
)
def test_with_docker_or_podman_alone_the_command_runs_in_a_container(machine, engine, purpose, option):
    machine.program(engine, "true")
    result = machine.install(purpose, "make", "run-here", "ARGS=--port 8081")
    assert result.returncode == 0, result.stderr
    information, build, start = machine.calls(engine)
    assert information == f"{engine} info"
    assert build == f"{engine} build --target toolchain --tag fleet-token-toolchain --file deploy/Dockerfile ."
    assert option in start and f"--network host --workdir {ROOT} --volume {ROOT}:{ROOT} fleet-token-toolchain" in start
    assert start.endswith(" make run-here ARGS=--port 8081")
    assert "AS toolchain" in (ROOT / "deploy/Dockerfile").read_text()
