"""Wrong usage of both programs: usage.txt has the commands, their exit statuses and what is said."""

import pathlib
import re
import shlex
import subprocess

import pytest

from build import BUILD

LINES = pathlib.Path(__file__).with_name("usage.txt").read_text().splitlines()


def cases():
    for line in LINES:
        if match := re.match(r" ?(\d+) (tok.*)", line):
            case = [int(match[1]), match[2], []]
            yield case
        elif line.startswith("   "):
            case[2].append(line.strip())


@pytest.mark.parametrize("status, command, said", list(cases()), ids=lambda value: value if isinstance(value, str) else "")
def test_wrong_usage_is_explained_and_changes_nothing(tokenctl, status, command, said):
    program, *arguments = shlex.split(command.replace(r"\x1b", "\x1b").replace(r"\n", "\n"))
    before = sorted(tokenctl.folder.iterdir())
    result = subprocess.run(
        [BUILD / program, *arguments], cwd=tokenctl.folder, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=60
    )
    assert (result.returncode, result.stdout) == (status, ""), result.stderr
    assert result.stderr.startswith("Error: ") and "Fatal error" not in result.stderr
    assert all(text in re.sub(r"\s+", " ", result.stderr) for text in said), result.stderr
    assert not re.search(r"s3cret|eyJ|\x1b", result.stderr)
    assert sorted(tokenctl.folder.iterdir()) == before
