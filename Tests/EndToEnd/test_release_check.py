"""scripts/release/check.py: what may be tagged, before and after a version is cut."""

import importlib.util
import subprocess

import pytest

from deployment import ROOT, run

SCRIPT = ROOT / "scripts" / "release" / "check.py"


@pytest.fixture(scope="module")
def check(request):
    """The script as a module."""
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(SCRIPT.parent))
        specification = importlib.util.spec_from_file_location("release_check", SCRIPT)
        module = importlib.util.module_from_spec(specification)
        specification.loader.exec_module(module)
        yield module


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
def test_the_version_fits_the_changelog(version, changelog, count, check):
    assert len(list(check.problems(version, check.entries(changelog)))) == count


def test_the_notes_are_the_top_entry(check):
    assert check.entries(RELEASED)[0] == ("0.1.0 - 2026-11-22", "### Added\n\n- All of it.")


def test_a_tag_needs_its_version_a_dated_entry_and_no_placeholders(check):
    found = list(check.release_problems("v9.9.9", "0.1.0", check.entries(UNRELEASED)))
    assert any("v9.9.9" in message for message in found)
    assert any("Unreleased" in message for message in found)
    # Until a maintainer fills them in.
    if "@OWNER" in (ROOT / ".github/CODEOWNERS").read_text():
        assert any("CODEOWNERS" in message and "OWNER" in message for message in found)


def test_this_source_passes():
    result = run(SCRIPT)
    assert result.returncode == 0, result.stderr
    notes = subprocess.run([SCRIPT, "--notes"], capture_output=True, text=True, check=True).stdout
    assert notes.strip() and not notes.startswith("## ")
