"""Faulty and doubtful configurations: faults.txt has each, with all that is said of it."""

import os
import pathlib
import re
import subprocess

import pytest

from production import tool

_, NONE, *FAULTS = pathlib.Path(__file__).with_name("faults.txt").read_text().split("\n\n")
CONFIGURATION = NONE.splitlines()[1:]
# FaultsTests tries all in one process. Here, AddressSanitizer looks at all.
FEW = ["# all-at-once\n", "# address-not-of-this-machine\n", "# warning-no-api-keys\n"]
TRIED = [fault for fault in FAULTS if fault.startswith(tuple(FEW)) or "ASAN_OPTIONS" in os.environ]


def changed(edits):
    """The configuration with a diff's lines applied."""
    lines, place = list(CONFIGURATION), None
    for sign, text in ((edit[0], edit[1:]) for edit in edits):
        if sign == "+":
            place = len(lines) if place is None else place
            lines.insert(place, text)
            place += 1
        else:
            place = lines.index(text, place or 0)
            if sign == "-":
                del lines[place]
            else:
                place += 1
    return "\n".join(lines) + "\n"


@pytest.mark.parametrize("fault", TRIED, ids=lambda fault: fault.partition("\n")[0].removeprefix("# "))
def test_fault_is_explained(site, fault):
    lines = fault.rstrip("\n").splitlines()[1:]
    (site.folder / "tokend.yaml").write_text(changed([line for line in lines if line[0] in "+- "]))
    site.secret_file("webhook-secret")
    for line in lines:
        if line.startswith("$ "):
            subprocess.run(["sh", "-c", line[2:]], cwd=site.folder, check=True, capture_output=True)
    expected = "".join(f"{line}\n" for line in lines if line[0] not in "+- $")
    # With warnings alone, the service starts.
    is_valid = not re.search(r"(?m)^\d+ problems?\.$", expected)
    result = tool("tokend", "check", "--config", "tokend.yaml", check=False, cwd=site.folder)
    assert result.stderr.replace(str(site.folder), "/FOLDER") == expected
    assert (result.returncode, result.stdout) == ((0, "Configuration is valid.\n") if is_valid else (1, ""))
    if not is_valid:
        result = tool("tokend", "serve", "--config", "tokend.yaml", check=False, cwd=site.folder)
        said = result.stderr.replace(str(site.folder), "/FOLDER").partition("Error: ")[2].splitlines()
        problems = re.findall(r"(?m)^tokend\.yaml:(?!.*?: warning: ).*", expected)
        if all("Cannot listen on" in problem for problem in problems):
            # It listens when all is loaded, and does not know the line then.
            problems = [problem.partition("listen: ")[2] for problem in problems]
        assert result.returncode == 1 and sorted(said) == sorted(problems), result.stderr
