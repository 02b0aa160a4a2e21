"""What is checked before a release."""

import re
import shutil

import pytest

from deployment import ROOT, run

IMAGE = r"\b((?:swift|debian|ubuntu):\d[\w.-]*)(@sha256:\w+)?"
# What makes each file ready to be released as 1.2.3: a pattern and its replacement.
READY = {
    "CHANGELOG.md": ("(?m)^## .*$", "## 1.2.3 - 2030-01-31"),
    ".github/CODEOWNERS": (r"(?m)^\* @\S+", "* @acme"),
    "Sources/FleetToken/ProductVersion.swift": ('current = ".*"', 'current = "1.2.3"'),
    "FleetEngine/Sources/fleet-engine-emulator/Command/EmulatorVersion.swift": ('current = ".*"', 'current = "1.2.3"'),
    "deploy/Dockerfile": (IMAGE, r"\1@sha256:0"),
    ".github/workflows/release.yml": (IMAGE, r"\1@sha256:0"),
}
MISTAKES = [
    ("CHANGELOG.md", "1.2.3 - 2030-01-31", "Unreleased"),
    (".github/CODEOWNERS", "@acme", "@OWNER"),
    ("Sources/FleetToken/ProductVersion.swift", "1.2.3", "1.2.4"),
    ("FleetEngine/Sources/fleet-engine-emulator/Command/EmulatorVersion.swift", "1.2.3", "1.2.4"),
    ("deploy/Dockerfile", "@sha256:0", ""),
    (".github/workflows/release.yml", "@sha256:0", ""),
]


@pytest.fixture
def sources(tmp_path):
    """A copy of the files, ready to be released as 1.2.3."""
    for name in ["scripts/check-release.sh", *READY]:
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, tmp_path / name)
    for name, (pattern, replacement) in READY.items():
        text, count = re.subn(pattern, replacement, (tmp_path / name).read_text())
        assert count, name
        (tmp_path / name).write_text(text)
    return tmp_path


def test_a_tag_is_accepted_if_nothing_is_missing(sources):
    result = run(sources / "scripts/check-release.sh", "v1.2.3")
    assert (result.returncode, result.stderr) == (0, "")


@pytest.mark.parametrize(("name", "ready", "mistake"), MISTAKES, ids=[name for name, _, _ in MISTAKES])
def test_a_tag_is_refused_if_a_file_is_not_ready(sources, name, ready, mistake):
    text = (sources / name).read_text()
    assert ready in text
    (sources / name).write_text(text.replace(ready, mistake))
    result = run(sources / "scripts/check-release.sh", "v1.2.3")
    assert result.returncode == 1 and len(re.findall("(?m)^error: ", result.stderr)) == 1, result.stderr
