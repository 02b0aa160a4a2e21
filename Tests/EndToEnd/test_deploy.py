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
from test_helm import configuration_of, objects, rendered

CONFIGURATIONS = [DEPLOY / "tokend.example.yaml", *sorted(DEPLOY.rglob("tokend.yaml")), *sorted(DEPLOY.glob("helm/examples/*.yaml"))]

# Everything


@pytest.mark.parametrize("path", CONFIGURATIONS, ids=name)
def test_the_service_takes_every_configuration(path, tmp_path, accounts):
    text = path.read_text()
    if path.parent.name == "examples":
        # Values of the chart.
        text = configuration_of(objects(rendered(yaml.safe_load(text))[0]))
    for folder in ("/var/lib/tokend", "/etc/tokend", "/keys"):
        text = re.sub(rf"(?<![\w/]){folder}(?=/)", str(tmp_path), text)
    # Remarks name files that nothing reads.
    for file in re.findall(rf"{tmp_path}/[\w./-]+", re.sub(r"(?m)^\s*#.*$", "", text)):
        make(pathlib.Path(file), accounts)
    (tmp_path / "tokend.yaml").write_text(text)
    result = tool("tokend", "check", "--config", tmp_path / "tokend.yaml", check=False)
    assert result.returncode == 0, result.stderr


def make(file, accounts):
    file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    if file.suffix == ".json" and not file.exists():
        shutil.copy(accounts / file.name, file)
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
    for path in [DEPLOY / "Dockerfile", *DEPLOY.rglob("*.yaml"), *ROOT.glob("docs/guides/*.md"), ROOT / "README.md", ROOT / "SECURITY.md"]:
        for tag in re.findall(r"(?:VERSION=|tokend:|[vV]ersion: |tokend_|fleet-token-)(\d+\.\d+\.\d+)", path.read_text()):
            found[path.name, tag] = tag
    assert len(found) >= 4 and set(found.values()) == {version}, found


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
    assert set(re.findall(r"/etc/tokend/[\w./-]+", text)) | {container["env"][0]["value"]} == mounted
    assert {container["startupProbe"]["httpGet"]["port"], container["livenessProbe"]["httpGet"]["port"]} == {9090}
    assert "listen: 0.0.0.0:9090" in text and "listen: 0.0.0.0:8080" in text


# systemd


@pytest.fixture
def unit(tmp_path):
    """The unit, where the program is the one that was built."""
    text = (DEPLOY / "systemd" / "tokend.service").read_text()
    path = tmp_path / "tokend.service"
    path.write_text(text.replace("ExecStart=/usr/local/bin/tokend", f"ExecStart={BUILD / 'tokend'}"))
    return path


def test_systemd_takes_the_unit(unit):
    result = run("systemd-analyze", "verify", "--man=no", unit)
    assert result.returncode == 0 and not result.stderr, result.stderr


def test_systemd_finds_little_that_the_unit_may_do(unit):
    result = run("systemd-analyze", "security", "--offline=true", "--no-pager", "--threshold=15", unit)
    assert result.returncode == 0, result.stdout + result.stderr


def test_the_unit_writes_no_keys_to_a_core_dump():
    """The analysis of systemd does not look at this limit."""
    assert re.search("^LimitCORE=0$", (DEPLOY / "systemd" / "tokend.service").read_text(), re.MULTILINE)


def paths(setting):
    """The paths of a unit's setting, also those that may be missing."""
    return {path.removeprefix("-") for path in setting.split()}


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


def test_the_image_has_a_user_that_is_not_root_and_a_health_check():
    service = (DEPLOY / "Dockerfile").read_text().rpartition("\nFROM ")[2]
    assert re.search(r"(?m)^USER [1-9]\d*:[1-9]\d*$", service)
    assert "\nHEALTHCHECK " in service
