"""What a release is made of: one version, reviewed dependencies, flags that are the same everywhere, and what they do to programs."""

import importlib.util
import io
import json
import os
import pathlib
import re
import tarfile

import pytest

from deployment import ROOT, run

SCRIPTS = ROOT / "scripts" / "release"


def script(name):
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(SCRIPTS))
        specification = importlib.util.spec_from_file_location(name, SCRIPTS / f"{name}.py")
        module = importlib.util.module_from_spec(specification)
        specification.loader.exec_module(module)
        return module


versions, check = script("versions"), script("check")
KNOWN = {"swift-nio": ("2.101.2", "https://github.com/apple/swift-nio")}


# The packages of what is linked in


@pytest.mark.parametrize("scratch", ["/src/.build/static/", ""], ids=["whole paths", "paths as ccache has them"])
def test_a_module_in_c_belongs_to_its_package(scratch, tmp_path):
    """Without it, the bill of materials and the notices would lack BoringSSL."""
    lists = f"dependencies: \\\n {scratch}checkouts/swift-nio-ssl/Sources/CNIOBoringSSL/ssl.cc \\\n /usr/include/stddef.h\n"
    (tmp_path / "ssl.cc.d").write_text(lists)
    assert script("dependencies").packages_of(tmp_path) == {"swift-nio-ssl"}


# The version


UNRELEASED = "# Changelog\n\n## Unreleased\n\n- New.\n"
RELEASED = "# Changelog\n\n## 0.1.0 - 2026-11-22\n\n### Added\n\n- All of it.\n"
NEXT = UNRELEASED + RELEASED.removeprefix("# Changelog\n")


@pytest.mark.parametrize(
    ("version", "changelog", "count"),
    [
        ("0.1.0", UNRELEASED, 0), ("0.1.0", RELEASED, 0), ("0.2.0", RELEASED, 1), ("0.1.0", NEXT, 0),
        ("0.2.0", NEXT, 0), ("0.0.9", NEXT, 1), ("0.1.0", "## 0.1.0\n\n- No date.\n", 1),
        ("0.10.0", NEXT.replace("0.1.0", "0.9.0"), 0),
    ],
)  # fmt: skip
def test_the_version_fits_the_changelog(version, changelog, count):
    assert len(list(check.problems(version, check.entries(changelog)))) == count


def test_the_emulator_has_the_same_version(monkeypatch, tmp_path):
    assert list(check.emulator_problems()) == []
    other = tmp_path / "EmulatorConfiguration.swift"
    other.write_text('static let current = "9.9.9"\n')
    monkeypatch.setattr(check, "EMULATOR", other)
    (message,) = check.emulator_problems()
    assert "9.9.9" in message


def test_a_tag_needs_its_version_a_dated_entry_and_no_placeholders():
    found = list(check.release_problems("v9.9.9", "0.1.0", check.entries(UNRELEASED)))
    assert any("v9.9.9" in message for message in found)
    assert any("Unreleased" in message for message in found)
    # Until a maintainer fills it in.
    assert any("CODEOWNERS" in message for message in found) == (check.owner() == check.PLACEHOLDER)


def test_the_owner_is_named_in_one_file(monkeypatch, tmp_path):
    assert list(check.placeholder_problems()) == []
    run("git", "init", "-q", tmp_path)
    (tmp_path / "guide.md").write_text(f"docker run ghcr.io/{check.PLACEHOLDER}/tokend\n")
    run("git", "-C", tmp_path, "add", "guide.md")
    monkeypatch.setattr(check, "ROOT", tmp_path)
    assert list(check.placeholder_problems()) == ["guide.md contains the placeholder OWNER."]


@pytest.mark.parametrize("options", [[], ["--annotate", "--message", "1.0.0"]], ids=["light", "annotated"])
def test_the_commit_of_a_version_is_that_of_its_tag(options, tmp_path):
    git = ["git", "-C", tmp_path, "-c", "user.name=a", "-c", "user.email=a@b.example"]
    run(*git, "init", "--quiet")
    run(*git, "commit", "--quiet", "--allow-empty", "--message", "One.")
    run(*git, "tag", *options, "1.0.0")
    assert versions.commit(str(tmp_path), "1.0.0") == run(*git, "rev-parse", "HEAD").stdout.strip()


# Dependencies


def pinned(**changes):
    pin = {"identity": "swift-nio", "location": "https://github.com/apple/swift-nio.git", "state": {"version": "2.101.2"}}
    return versions.resolved(json.dumps({"pins": [pin | changes]}))


def test_what_was_resolved_has_the_reviewed_versions():
    assert list(versions.problems(KNOWN, pinned())) == []
    # Another lane resolves less.
    assert list(versions.problems(KNOWN, {})) == []
    for folder in versions.FOLDERS:
        assert versions.reviewed((folder / "Package.versions").read_text())


@pytest.mark.parametrize(
    "changes, message",
    [
        ({"state": {"version": "2.101.3"}}, "swift-nio was resolved as 2.101.3"),
        ({"state": {"branch": "main"}}, "swift-nio was resolved as None"),
        ({"location": "https://github.com/apple-other/swift-nio"}, "of https://github.com/apple-other/swift-nio; Package.versions"),
        ({"identity": "swift-new"}, "swift-new 2.101.2 was resolved and is not in Package.versions"),
    ],
)
def test_what_was_not_reviewed_is_named(changes, message):
    (problem,) = versions.problems(KNOWN, pinned(**changes))
    assert message in problem and "Review" in problem


def test_an_image_without_a_digest_keeps_a_tag_from_being_released():
    found = check.MOVABLE.findall(
        "FROM swift:6.3.1-bookworm AS build\nFROM base AS tools\nARG BASE=debian:12.11-slim\n    container: swift:6\n"
        f"      image: swift:7@sha256:{'a' * 64}\n      image: redis:7.2\n"
    )
    assert found == ["swift:6.3.1-bookworm", "debian:12.11-slim", "swift:6", "redis:7.2"]
    messages = list(check.release_problems("v0.1.0", "0.1.0", [("Unreleased", "")]))
    for name in check.IMAGES:
        text = (ROOT / name).read_text()
        assert any(name in message and "digest" in message for message in messages) == bool(check.MOVABLE.findall(text))


# What is compiled, and what is done with rights


def test_programs_have_no_runpath_and_are_bound_at_the_start():
    folder = pathlib.Path(os.environ.get("FLEET_TOKEN_BUILD", ROOT / ".build/debug"))
    if folder.name != "ship":
        pytest.skip("not the programs of make release")
    for program in (folder / "tokend", folder / "tokenctl"):
        dynamic = run("readelf", "--wide", "--dynamic", str(program)).stdout
        assert "NEEDED" in dynamic
        assert "RUNPATH" not in dynamic and "RPATH" not in dynamic, f"{program}: {dynamic}"
        assert re.search(r"\(FLAGS_1\).*\bNOW\b", dynamic), f"{program}: {dynamic}"
        assert re.search(r"\(FLAGS_1\).*\bPIE\b", dynamic), f"{program}: {dynamic}"
        segments = run("readelf", "--wide", "--program-headers", str(program)).stdout
        assert "GNU_RELRO" in segments
        assert not re.search(r"GNU_STACK.* RWE ", segments)


def test_the_job_that_compiles_has_no_rights():
    workflow = (ROOT / ".github/workflows/release.yml").read_text()
    jobs = dict(re.findall(r"(?ms)^  (\w+):\n(.*?)(?=^  \w+:\n|\Z)", workflow.partition("jobs:\n")[2]))
    privileged = {name for name, text in jobs.items() if "--privileged" in text}
    compiling = {name for name, text in jobs.items() if re.search(r"swift build|make (dist|release)\b", text)}
    assert privileged == {"image"} and compiling == {"build"}
    assert "versions.py --resolve" in jobs["resolve"]
    # The reviewed versions of both packages, and no newer ones.
    resolving = re.findall(r"swift package.* resolve$", jobs["resolve"], re.MULTILINE)
    assert len(resolving) == 2 and all("--force-resolved-versions" in command for command in resolving)
    assert "check.py --same" in jobs["publish"]


# The image has the programs that were compiled


def add(archive, name, content):
    member = tarfile.TarInfo(name)
    member.size = len(content)
    archive.addfile(member, io.BytesIO(content))


def image(path, program):
    """A Docker archive with a program in its second layer of three."""
    layers = []
    with tarfile.open(path, "w") as archive:
        for number, files in enumerate([{"etc/x": b"x"}, {"./usr/local/bin/tokend": program}, {"etc/y": b"y"}]):
            data = io.BytesIO()
            with tarfile.open(fileobj=data, mode="w:gz") as layer:
                for name, content in files.items():
                    add(layer, name, content)
            layers.append(f"{number}.tar")
            add(archive, layers[-1], data.getvalue())
        add(archive, "manifest.json", json.dumps([{"Config": "config.json", "Layers": layers}]).encode())


@pytest.mark.parametrize("program, status", [(b"one", 0), (b"another", 1)])
def test_an_image_with_another_program_is_not_published(program, status, tmp_path):
    with tarfile.open(tmp_path / "fleet-token.tar.gz", "w:gz") as archive:
        add(archive, "fleet-token-0.1.0/README.md", b"")
        add(archive, "fleet-token-0.1.0/bin/tokend", b"one")
    image(tmp_path / "tokend.docker.tar", program)
    result = run(SCRIPTS / "check.py", "--same", str(tmp_path), str(tmp_path))
    assert result.returncode == status, result.stderr
