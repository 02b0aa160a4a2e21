"""The tarball and what accompanies it: whole, the same from the same commit, and with every licence."""

import json
import os
import re
import subprocess

import pytest
from cyclonedx.schema import SchemaVersion
from cyclonedx.validation.json import JsonStrictValidator

from deployment import ROOT, run
from distribution import BUILD, DIST, SHIP, only

import dependencies
import manual

PACKAGES = dependencies.linked_packages(BUILD)


@pytest.fixture(scope="module")
def tree(tmp_path_factory):
    """The tarball, unpacked as into /usr/local."""
    folder = tmp_path_factory.mktemp("local")
    subprocess.run(["tar", "-xzf", only("fleet-token-*.tar.gz"), "-C", folder, "--strip-components=1"], check=True)
    return folder


def description(program):
    return json.loads(run(SHIP / program, "--experimental-dump-help").stdout)


def test_links_of_the_readme_need_no_checkout(tree):
    text = (tree / "share/doc/tokend/README.md").read_text()
    links = re.findall(r"\]\(([^)]+)|src=\"([^\"]+)", text)
    assert len(links) > 20
    assert all("".join(link).startswith("https://") for link in links)


def test_the_same_commit_gives_the_same_bytes(tmp_path):
    again = tmp_path / "dist"
    environment = {**os.environ, "DIST": str(again)}
    subprocess.run([ROOT / "scripts/release/dist.sh", "--no-image"], env=environment, check=True, stdout=subprocess.PIPE)
    # Only the image depends on what Debian's archive has at the time.
    files = sorted(path.name for path in DIST.iterdir() if not path.name.endswith(".docker.tar") and path.name != "SHA256SUMS")
    assert len(files) == 11
    for name in files:
        assert (again / name).read_bytes() == (DIST / name).read_bytes(), name


def test_the_checksums_are_those_of_all_files():
    result = subprocess.run(["sha256sum", "--check", "--strict", "SHA256SUMS"], cwd=DIST, capture_output=True, text=True)
    assert result.returncode == 0, result.stderr
    assert {line.split(": ")[0] for line in result.stdout.splitlines()} == {
        path.name for path in DIST.iterdir()
    } - {"SHA256SUMS"}


def test_the_programs_say_their_version_and_commit(tree):
    commit = run("git", "-C", ROOT, "rev-parse", "--short=12", "HEAD").stdout.strip()
    for program in ("tokend", "tokenctl"):
        version = run(tree / "bin" / program, "--version").stdout.strip()
        assert version == f"{program} {dependencies.product_version()} ({commit})"


@pytest.mark.parametrize(("program", "page"), [("tokend", "man8/tokend.8.gz"), ("tokenctl", "man1/tokenctl.1.gz")])
def test_the_man_page_has_every_command_and_option(program, page, tree):
    path = tree / "share/man" / page
    result = run("man", "--warnings", "--local-file", path, env={**os.environ, "MANWIDTH": "200", "LC_ALL": "C.UTF-8"})
    assert result.returncode == 0 and not result.stderr, result.stderr
    text = re.sub(r"\s+", " ", result.stdout)
    for command, item in manual.commands(description(program)["command"], []):
        assert " ".join([program, *command]) in text
        for argument in item.get("arguments", []):
            for name in argument.get("names", []):
                if argument["shouldDisplay"] and name["kind"] == "long" and name["name"] not in ("help", "version"):
                    assert f"--{name['name']}" in text, (command, name)


def test_the_unit_starts_the_program_that_the_archive_has(tree):
    unit = (tree / "lib/systemd/system/tokend.service").read_text()
    assert "ExecStart=/usr/local/bin/tokend serve" in unit and (tree / "bin/tokend").exists()


# Licences


def test_the_notices_have_every_package_that_is_linked(tree):
    text = (tree / "share/doc/tokend/THIRD-PARTY-NOTICES").read_text()
    assert len(PACKAGES) > 15
    for package in PACKAGES:
        assert f"\n{package.name} {package.version} (" in text
        for path in package.licenses:
            assert path.read_text().strip("\n") in text, path
    for part in dependencies.embedded_code(BUILD):
        assert f"\n{part.title}\n" in text and part.license.strip("\n") in text
    assert (tree / "share/doc/tokend/LICENSE").read_text() == (ROOT / "LICENSE").read_text()


# The bill of materials


def test_the_bill_of_materials_and_the_notices_name_the_same():
    text = only("THIRD-PARTY-NOTICES").read_text()
    titles = set(re.findall(r"={80}\n(.+)\n={80}\n", text)) - {"The Swift runtime, Foundation and Dispatch"}
    components = json.loads(only("fleet-token-*.cdx.json").read_text())["components"]
    inside = {item["bom-ref"]: item["properties"][0]["value"] for item in components if "#" in item["bom-ref"]}
    named = set()
    for item in components:
        # What is not in the programs has no notices here: the libraries of the system.
        if "licenses" in item and item["type"] == "library":
            container = f" in {inside[item['bom-ref']]}" if item["bom-ref"] in inside else ""
            named.add(f"{item['name']} {item['version']}{container} ({item['licenses'][0]['expression']})")
    assert named == titles
    assert {"BoringSSL", "llhttp"} <= {item["name"] for item in components}


def test_the_bill_of_materials_is_valid_and_whole():
    text = only("fleet-token-*.cdx.json").read_text()
    assert JsonStrictValidator(SchemaVersion.V1_6).validate_str(text) is None
    components = {item["name"]: item for item in json.loads(text)["components"]}
    for package in PACKAGES:
        item = components[package.name]
        assert item["version"] == package.version and item["licenses"] == [{"expression": package.expression}]
        assert item["properties"] == [{"name": "git:revision", "value": package.revision}]
    assert components["libssl3"]["cpe"].startswith("cpe:2.3:a:openssl:openssl:3.")
    assert {"swift", "libssl3", "libyaml-0-2", "libc6"} <= set(components)


def test_the_resolved_versions_are_those_that_were_built():
    pins = {pin["identity"]: pin["state"] for pin in json.loads((DIST / "Package.resolved").read_text())["pins"]}
    for package in PACKAGES:
        assert pins[package.name.lower()]["revision"] == package.revision
        head = run("git", "-C", package.checkout, "rev-parse", "HEAD").stdout.strip()
        assert head == package.revision
