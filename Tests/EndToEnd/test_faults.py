"""Faulty and doubtful configurations, each with all that `tokend check` says of it.

`faults/NAME.yaml` is a configuration, and `faults/NAME.txt` the whole of what is written about it, byte by byte. A first
line `# sh: …` changes the folder before. FAULTS=write writes what is said now, for somebody to judge.
"""

import os
import pathlib
import re
import subprocess

import pytest

from production import tool

FAULTS = pathlib.Path(__file__).parent / "faults"


@pytest.mark.parametrize("fault", sorted(FAULTS.glob("*.yaml")), ids=lambda path: path.stem)
def test_fault_is_explained(site, fault):
    text = fault.read_text()
    (site.folder / "tokend.yaml").write_text(text)
    site.secret_file("webhook-secret")
    if text.startswith("# sh: "):
        command = text.splitlines()[0].removeprefix("# sh: ")
        subprocess.run(["sh", "-c", command], cwd=site.folder, check=True, capture_output=True)
    result = tool("tokend", "check", "--config", "tokend.yaml", check=False, cwd=site.folder)
    said = result.stderr.replace(str(site.folder), "/FOLDER")
    expected = fault.with_suffix(".txt")
    if os.environ.get("FAULTS") == "write":
        expected.write_text(said)
    assert said == expected.read_text()
    # With warnings alone, the service starts.
    is_valid = not re.search(r"(?m)^\d+ problems?\.$", said)
    assert (result.returncode, result.stdout) == ((0, "Configuration is valid.\n") if is_valid else (1, ""))


def test_each_message_belongs_to_a_fault():
    assert {path.stem for path in FAULTS.glob("*.txt")} == {path.stem for path in FAULTS.glob("*.yaml")}
