"""Sessions at a shell: each file of sessions/ has commands and all that they print, on both streams, one after the other.

`…` stands for any text of a line, and `[3]` for an exit status other than 0; `> ` continues a command. Comments and empty lines
are for readers. Sessions whose names begin with `site-` run in a folder for `tokend serve`, the others in one with a key and tokens.
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
            found.append(([line[2:]], []))
        elif line.startswith("> "):
            found[-1][0].append(line[2:])
        elif found and not line.startswith("# "):
            found[-1][1].append(line)
    return [("\n".join(command), "\n".join(lines).rstrip("\n")) for command, lines in found]


@pytest.mark.parametrize("path", SESSIONS, ids=lambda path: path.stem)
def test_commands_print_what_the_session_says(request, tokenctl, path):
    if path.stem.startswith("site-"):
        site = request.getfixturevalue("site")
        site.write()
        tokenctl.folder = site.folder
    else:
        write_tokens(tokenctl)
    for command, expected in commands(path):
        result = tokenctl.shell(f"exec 2>&1\n{command}")
        printed = result.stdout.strip("\n") + (f"\n[{result.returncode}]" if result.returncode else "")
        pattern = ".*".join(map(re.escape, expected.split("…")))
        assert re.fullmatch(pattern, printed.lstrip("\n")), f"$ {command}\n{printed}"


def write_tokens(tokenctl):
    tokenctl.write("token", token())
    tokenctl.write("expired", expired())
    tokenctl.write("batch", token(authorization='{"taskids":["a","b"]}'))
    tokenctl.write("key.pem", pem())
    tokenctl.write("jwks.json", json.dumps(tokenctl.key_set()))
