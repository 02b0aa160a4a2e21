"""Every build has the reviewed versions of the Swift packages, and programs that are linked safely."""

import json
import os
import pathlib
import re

import pytest

from deployment import ROOT, run

REVIEWED = "Package.versions.json"


def pins(path):
    """The version and the source of each package."""
    found = json.loads(path.read_text())["pins"]
    return {pin["identity"]: (pin["state"].get("version"), pin["location"].removesuffix(".git")) for pin in found}


@pytest.mark.parametrize("folder", [".", "FleetEngine"])
def test_what_was_resolved_has_the_reviewed_versions(folder):
    path = ROOT / folder / "Package.resolved"
    if not path.exists():
        pytest.skip("nothing was resolved")
    resolved, reviewed = pins(path), pins(ROOT / REVIEWED)
    assert resolved == {name: reviewed.get(name) for name in resolved}


@pytest.mark.parametrize("name", ["deploy/Dockerfile", "FleetEngine/Dockerfile"])
def test_images_are_built_of_the_reviewed_versions(name):
    text = (ROOT / name).read_text()
    assert re.search(rf"COPY {REVIEWED} (\S+/)?Package\.resolved\n", text)
    assert text.index("Package.resolved") < re.search(r"swift (build|package)", text).start()


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
