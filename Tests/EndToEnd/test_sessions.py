"""Sessions at a shell: each file of sessions/ has commands and all that they print, on both streams, one after the other.

`…` stands for any text of a line, and `[3]` for an exit status other than 0. Comments and empty lines between commands are for
readers.
"""

import json
import pathlib
import re

import pytest

from tokenctl import expired, pem, token

SESSIONS = sorted(pathlib.Path(__file__).parent.glob("sessions/*.txt"))


def commands(path):
    """Each command with the lines that are expected of it."""
    found = []
    for line in path.read_text().splitlines():
        if line.startswith("$ "):
            found.append((line[2:], []))
        elif found and not line.startswith("# "):
            found[-1][1].append(line)
    return [(command, "\n".join(lines).rstrip("\n")) for command, lines in found]


@pytest.mark.parametrize("path", SESSIONS, ids=lambda path: path.stem)
def test_commands_print_what_the_session_says(tokenctl, path):
    tokenctl.write("token", token())
    tokenctl.write("expired", expired())
    tokenctl.write("batch", token(authorization='{"taskids":["a","b"]}'))
    tokenctl.write("key.pem", pem())
    tokenctl.write("jwks.json", json.dumps(tokenctl.key_set()))
    for command, expected in commands(path):
        result = tokenctl.shell(f"exec 2>&1; {command}")
        printed = result.stdout.rstrip("\n") + (f"\n[{result.returncode}]" if result.returncode else "")
        pattern = ".*".join(map(re.escape, expected.split("…")))
        assert re.fullmatch(pattern, printed.lstrip("\n")), f"$ {command}\n{printed}"
