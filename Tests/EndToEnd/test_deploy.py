"""What operators copy from deploy/: well-formed, safe, and what the service takes."""

import os
import pathlib
import re
import shutil

import pytest
import yaml

import certificates
from build import BUILD
from deployment import DEPLOY, ROOT, documents, name, run
from production import tool

# The guides have some more between their fences.
CONFIGURATIONS = [
    DEPLOY / "tokend.example.yaml",
    *sorted(DEPLOY.rglob("tokend.yaml")),
    *sorted(DEPLOY.glob("helm/examples/*.yaml")),
    *sorted(ROOT.glob("docs/guides/*.md")),
]

# Everything


# A chart's templates are YAML when they are rendered, as test_helm.py does.
@pytest.mark.parametrize("path", [path for path in sorted(DEPLOY.rglob("*.yaml")) if path.parent.name != "templates"], ids=name)
def test_every_file_is_yaml(path):
    assert documents(path)


@pytest.mark.parametrize("path", CONFIGURATIONS, ids=name)
def test_the_service_takes_every_configuration(path, tmp_path, accounts):
    texts = [path.read_text()]
    if path.suffix == ".md":
        texts = re.findall(r"^(version: 1\n.*?)^(?:```|EOF)$", texts[0], re.MULTILINE | re.DOTALL)
    elif path.parent.name == "examples":
        # Values of the chart.
        texts = [yaml.safe_load(texts[0])["configuration"]]
    for text in texts:
        for folder in ("/run/credentials/tokend.service", "/var/lib/tokend", "/etc/tokend", "/keys"):
            text = re.sub(rf"(?<![\w/]){folder}(?=/)", str(tmp_path), text)
        # Remarks name files that nothing reads.
        for file in re.findall(rf"{tmp_path}/[\w./-]+", re.sub(r"(?m)^\s*#.*$", "", text)):
            make(pathlib.Path(file), accounts)
        (tmp_path / "tokend.yaml").write_text(text)
        result = tool("tokend", "check", "--config", tmp_path / "tokend.yaml", check=False)
        assert result.returncode == 0, result.stderr


def make(file, accounts):
    """A file as an operator would make it, by its name."""
    file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    if file.suffix == ".json" and not file.exists():
        shutil.copy(accounts / file.name.removeprefix("keys_"), file)
    elif file.name == "api-keys" and not file.exists():
        tool("tokenctl", "apikey", "new", "--label", "test", "--file", file)
    elif file.name in ("webhook-secret", "password"):
        file.write_text(os.urandom(32).hex())
        file.chmod(0o600)
    elif file.name == "tls.crt":
        authority = certificates.authority(file.parent, "ca")
        certificates.leaf(file.parent, "tls", authority, "DNS:tokens.example.com")


def test_everything_is_of_one_version():
    name, version, *_ = tool("tokend", "--version").stdout.split()
    assert name == "tokend"
    found = {}
    for path in [DEPLOY / "Dockerfile", *DEPLOY.rglob("*.yaml"), *ROOT.glob("docs/guides/*.md"), ROOT / "README.md"]:
        for tag in re.findall(r"(?:VERSION=|tokend:|[vV]ersion: |tokend_|fleet-token-)(\d+\.\d+\.\d+)", path.read_text()):
            found[path.name, tag] = tag
    assert len(found) >= 4 and set(found.values()) == {version}, found


# Secrets


@pytest.mark.parametrize(
    "path", [ROOT / "README.md", *sorted(ROOT.glob("docs/**/*.md")), *sorted(DEPLOY.rglob("*.*"))], ids=name
)
def test_secrets_are_written_where_others_cannot_read_them(path):
    """API keys, header fields with one, tokens and secrets: after umask 077, and not as a command's argument."""
    text = path.read_text()
    shell = re.findall(r"```sh\n(.*?)```", text, re.DOTALL) if path.suffix == ".md" else [text]
    for block in shell:
        for match in re.finditer(r"> *(?:api-key|header|token|secret)\b(?!s)", block):
            assert "umask 077" in block[: match.start()], block[match.start() - 80 : match.end()]
        assert not re.search(r"curl .*(?:X-API-Key|Authorization): .*\$\(", block)


# Cloud Run


def test_cloud_run_mounts_what_the_configuration_reads():
    (service,) = documents(DEPLOY / "cloud-run" / "service.yaml")
    pod = service["spec"]["template"]["spec"]
    (container,) = pod["containers"]
    mounts = {mount["name"]: mount["mountPath"] for mount in container["volumeMounts"]}
    mounted = {
        f"{mounts[volume['name']]}/{item['path']}" for volume in pod["volumes"] for item in volume["secret"]["items"]
    }
    text = re.sub(r"#.*", "", (DEPLOY / "cloud-run" / "tokend.yaml").read_text())
    assert set(re.findall(r"/etc/tokend/[\w./-]+", text)) | {container["args"][-1]} == mounted
    assert {container["startupProbe"]["httpGet"]["port"], container["livenessProbe"]["httpGet"]["port"]} == {9090}
    assert "listen: 0.0.0.0:9090" in text and "listen: 0.0.0.0:8080" in text


# systemd


@pytest.fixture
def unit(tmp_path):
    """The unit with its drop-in, where the program is the one that was built."""
    text = (DEPLOY / "systemd" / "tokend.service").read_text()
    path = tmp_path / "tokend.service"
    path.write_text(text.replace("ExecStart=/usr/local/bin/tokend", f"ExecStart={BUILD / 'tokend'}"))
    return path


@pytest.fixture(params=["", "credentials.conf"], ids=lambda name: name or "unit")
def drop_in(request, unit):
    if request.param:
        folder = unit.with_name("tokend.service.d")
        folder.mkdir()
        shutil.copy(DEPLOY / "systemd" / request.param, folder)
    return unit


def test_systemd_takes_the_unit(drop_in):
    result = run("systemd-analyze", "verify", "--man=no", drop_in)
    assert result.returncode == 0 and not result.stderr, result.stderr


def test_systemd_finds_little_that_the_unit_may_do(drop_in):
    result = run("systemd-analyze", "security", "--offline=true", "--no-pager", "--threshold=15", drop_in)
    assert result.returncode == 0, result.stdout + result.stderr


def test_the_unit_writes_no_keys_to_a_core_dump():
    """The analysis of systemd does not look at this limit."""
    assert re.search("^LimitCORE=0$", (DEPLOY / "systemd" / "tokend.service").read_text(), re.MULTILINE)


def paths(setting):
    """The paths of a unit's setting, also those that may be missing."""
    return {path.removeprefix("-") for path in setting.split()}


def test_the_unit_starts_where_a_folder_is_missing():
    """Such as /usr/lib64 on arm64, and kill in a minimal Debian: without the dash, systemd starts nothing."""
    text = (DEPLOY / "systemd" / "tokend.service").read_text()
    (allowed,) = re.findall(r"^ExecPaths=(.*)$", text, re.MULTILINE)
    assert [path for path in allowed.split() if not path.startswith("-")] == ["/usr/local/bin/tokend"]


def test_the_unit_may_run_what_it_runs():
    text = (DEPLOY / "systemd" / "tokend.service").read_text()
    programs = re.findall(r"^Exec(?:Start|Reload)=(/\S+)", text, re.MULTILINE)
    assert len(programs) == 2
    (allowed,) = re.findall(r"^ExecPaths=(.*)$", text, re.MULTILINE)
    # On Debian and Ubuntu, /bin is a link to /usr/bin.
    assert {re.sub("^/bin/", "/usr/bin/", program) for program in programs} <= paths(allowed)


def test_systemd_makes_the_user(tmp_path):
    (tmp_path / "etc").mkdir()
    result = run("systemd-sysusers", f"--root={tmp_path}", DEPLOY / "systemd" / "tokend.sysusers.conf")
    assert result.returncode == 0, result.stderr
    assert re.search(r"^tokend:x:\d+:\d+:", (tmp_path / "etc" / "passwd").read_text(), re.MULTILINE)


# The Debian package


def upgraded(tmp_path, properties, status=0):
    """What the package's script does to a running service: its calls of the programs, and what it says."""
    log = tmp_path / "log"
    shown = "".join(f"--property={name}) echo '{value}' ;; " for name, value in properties.items())
    programs = {
        "systemctl": f'case $2 in {shown} esac',
        "tokend": f'echo "tokend $* config=$TOKEND_CONFIG listen=$TOKEND_LISTEN" >> {log}; exit {status}',
        "deb-systemd-invoke": f'echo "restarted" >> {log}',
    }
    for name, script in programs.items():
        (tmp_path / name).write_text(f"#!/bin/sh\n{script}\n")
        (tmp_path / name).chmod(0o755)
    functions = (DEPLOY / "debian" / "postinst").read_text().partition('if [ "$1" = configure ]')[0]
    result = run("sh", "-c", functions + "restart", env={"PATH": f"{tmp_path}:/usr/bin:/bin"})
    assert result.returncode == 0, result.stderr
    return log.read_text().splitlines(), result.stderr


def started(arguments):
    return f"{{ path=/usr/bin/tokend ; argv[]=/usr/bin/tokend {arguments} ; ignore_errors=no ; start_time=[n/a] ; pid=0 }}"


@pytest.mark.parametrize(
    ("properties", "call"),
    [
        ({"ExecStart": started("serve --config /a.yaml")}, "tokend check --quiet --config /a.yaml config= listen="),
        ({"ExecStart": started("serve -c /a.yaml --log-level debug")}, "tokend check --quiet -c /a.yaml config= listen="),
        ({"ExecStart": started("serve /a.yaml --listen 127.0.0.1:81")}, "tokend check --quiet /a.yaml config= listen=127.0.0.1:81"),
        ({"ExecStart": started("serve"), "Environment": "HOME=/x TOKEND_CONFIG=/b.yaml TOKEND_LISTEN=:82"},
         "tokend check --quiet config=/b.yaml listen=:82"),
        ({"ExecStart": started("serve --config=/a.yaml"), "Environment": "TOKEND_CONFIG=/b.yaml"},
         "tokend check --quiet --config=/a.yaml config=/b.yaml listen="),
        ({"ExecStart": started("serve"), "Environment": "TOKEND_CONFIG=/b.yaml", "EnvironmentFiles": "{file} (ignore_errors=yes)"},
         "tokend check --quiet config=/c.yaml listen="),
        ({"ExecStart": started("serve"), "EnvironmentFiles": "/nowhere (ignore_errors=yes)"}, "tokend check --quiet config= listen="),
    ],
)  # fmt: skip
def test_an_upgrade_checks_what_the_unit_will_start(tmp_path, properties, call):
    file = tmp_path / "environment"
    file.write_text('# Ours.\nTOKEND_CONFIG="/c.yaml"\n')
    calls, said = upgraded(tmp_path, {name: value.replace("{file}", str(file)) for name, value in properties.items()})
    assert (calls, said) == ([call, "restarted"], "")


def test_an_upgrade_restarts_nothing_with_a_configuration_that_is_not_accepted(tmp_path):
    environment = {"ExecStart": started("serve"), "Environment": "TOKEND_CONFIG=/b.yaml"}
    calls, said = upgraded(tmp_path, environment, status=1)
    assert len(calls) == 1 and "NOT restarted" in said
    assert "run: TOKEND_CONFIG=/b.yaml tokend check && systemctl restart tokend" in said


# The builds


def test_the_image_is_built_as_the_programs_are_tested():
    (released,) = re.findall(r"^RELEASE := (.*)$", (ROOT / "Makefile").read_text(), re.MULTILINE)
    (built,) = re.findall(r'^ENV FLAGS="(.*)"$', (DEPLOY / "Dockerfile").read_text(), re.MULTILINE)
    assert built == released


@pytest.mark.skipif(BUILD.name != "ship", reason="release builds are tested: FLEET_TOKEN_BUILD=.build/ship")
@pytest.mark.parametrize("program", ["tokend", "tokenctl"])
def test_what_ships_is_stripped_and_has_swift_inside(program):
    assert ".symtab" not in run("readelf", "--sections", "--wide", BUILD / program).stdout
    assert "libswift" not in run("readelf", "--dynamic", BUILD / program).stdout


# The image


def test_the_image_sends_the_builder_no_secrets():
    lines = (ROOT / ".dockerignore").read_text().splitlines()
    rules = [line for line in lines if line and not line.startswith("#")]
    assert rules[0] == "*"
    assert [rule for rule in rules if rule.startswith("!")] == [
        "!Package.swift", "!Sources", "!FleetEngineEmulator", "!Tests", "!LICENSE", "!scripts/release"
    ]


def test_the_image_has_the_libraries_that_the_program_loads():
    # What a package brings, and what is in every Debian.
    packages = {"libcrypto.so.3": "libssl3", "libstdc++.so.6": "libstdc++6",
                "libyaml-0.so.2": "libyaml-0-2", "libz.so.1": "zlib1g"}  # fmt: skip
    everywhere = {"libc.so.6", "libm.so.6", "libgcc_s.so.1", "ld-linux-x86-64.so.2", "ld-linux-aarch64.so.1"}
    # The Swift library, which the image has inside the program.
    swift = re.compile(r"lib(swift\w*|\w*Foundation\w*|dispatch|BlocksRuntime)\.so")
    dynamic = run("readelf", "--dynamic", BUILD / "tokend").stdout
    needed = {library for library in re.findall(r"\(NEEDED\).*\[(.*)\]", dynamic) if not swift.fullmatch(library)}
    assert "libcrypto.so.3" in needed
    (base,) = re.findall(r" AS base\n(.*?)\nFROM ", (DEPLOY / "Dockerfile").read_text(), re.DOTALL)
    for library in needed - everywhere:
        assert re.search(rf"\s{re.escape(packages[library])}\s", base), f"no package has {library}"
