"""What all commands of tokenctl have in common."""

import os
import re
import signal
import subprocess

import pytest

from build import BUILD
from tokenctl import KINDS, token

COMMANDS = [
    [], ["mint"], ["inspect"], ["verify"], ["fetch"], ["keys"], ["keys", "new"], ["keys", "check"], ["keys", "promote"],
    ["apikey", "new"], ["audit", "verify"], ["doctor"], ["completion"], ["version"],
]  # fmt: skip


@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
def test_help_is_on_standard_output(tokenctl, command):
    outcome = tokenctl(*command, "--help")
    assert outcome.returncode == 0
    assert outcome.stderr == ""
    assert outcome.stdout.startswith("OVERVIEW: ")
    assert "\x1b" not in outcome.stdout


@pytest.mark.parametrize("argument", ["version", "--version"])
def test_version_is_shown(tokenctl, argument):
    outcome = tokenctl(argument)
    assert outcome.returncode == 0
    # Release builds know their commit.
    assert re.fullmatch(r"tokenctl \d+\.\d+\.\d+(?: \([0-9a-f]{12}\))?\n", outcome.stdout)


@pytest.mark.parametrize(
    "arguments",
    [["unknown"], ["--unknown"], ["keys", "unknown"], ["inspect", "a", "b"], ["inspect", "-o"], ["mint"]],
    ids=" ".join,
)
def test_wrong_usage_has_a_status_of_its_own(tokenctl, arguments):
    outcome = tokenctl(*arguments)
    assert outcome.returncode == 64
    assert outcome.stdout == ""
    assert outcome.stderr.startswith("Error: ")
    assert "Usage: tokenctl" in outcome.stderr


@pytest.mark.parametrize(
    "arguments, message",
    [
        (["mnit"], "Unknown command 'mnit'. Did you mean 'mint'?"),
        (["keys", "chekc", "file"], "Unknown command 'chekc'. Did you mean 'check'?"),
        (["xyz"], "Unknown command 'xyz'."),
        (["mint", "--knd", "driver"], "Unknown option '--knd'. Did you mean '--kind'?"),
        (["mint", "--knd=driver"], "Unknown option '--knd'. Did you mean '--kind'?"),
        (["mint", "--kind", "driver", "--tsak-id", "x"], "Unknown option '--tsak-id'. Did you mean '--task-id'?"),
        (["--versoin"], "Unknown option '--versoin'. Did you mean '--version'?"),
        (["verify", "-o", "json", "--jwsk", "x"], "Unknown option '--jwsk'. Did you mean '--jwks'?"),
        (["mint", "--nothing-like-it"], "Unknown option '--nothing-like-it'."),
    ],
)
def test_misspelt_name_has_a_suggestion(tokenctl, arguments, message):
    outcome = tokenctl(*arguments)
    assert outcome.returncode == 64
    assert outcome.stderr.startswith(f"Error: {message}\nUsage: tokenctl")


TOKEN = "eyJhbGciOiJSUzI1NiIsInR5cCI6IkpXVCJ9.eyJpc3MiOiJhQGIifQ.c2lnbmF0dXJlLW9mLXRoZS10b2tlbg"


@pytest.mark.parametrize(
    "arguments",
    [
        ["inspect", TOKEN],
        ["inspect", f"Bearer {TOKEN}"],
        ["verify", TOKEN, "--key", "account.json"],
        ["verify", "file", TOKEN],
        ["verify", "--key", TOKEN],
        ["verify", f"--jwks=https://example.com/?t={TOKEN}"],
        ["mint", "--kind", TOKEN],
        ["mint", "--kind", "consumer", "--id", TOKEN],
        ["keys", "check", "-----BEGIN PRIVATE KEY-----\nc2lnbmF0dXJlLW9m\n-----END PRIVATE KEY-----"],
        [TOKEN],
        [f"--{TOKEN}"],
        ["mint", f"-o{TOKEN}"],
    ],
    ids=list(range(12)),
)
def test_secret_on_the_command_line_is_refused_and_not_repeated(tokenctl, arguments):
    outcome = tokenctl(*arguments)
    assert outcome.returncode == 64
    assert outcome.stdout == ""
    assert "on the command line is seen by every user" in outcome.stderr
    assert "eyJ" not in outcome.stderr
    assert "c2lnbmF0dXJl" not in outcome.stderr


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completions_name_the_kinds(tokenctl, shell):
    outcome = tokenctl("completion", shell)
    assert outcome.returncode == 0
    assert outcome.stderr == ""
    for word in [*KINDS, "inspect", "claims", "service-account"]:
        assert word in outcome.stdout


def test_bash_completes_kinds(tokenctl):
    outcome = tokenctl.shell(
        """bash -c 'source <(tokenctl completion bash)
        COMP_WORDS=(tokenctl mint --kind deliv) COMP_CWORD=3 COMP_LINE="tokenctl mint --kind deliv"
        COMP_POINT=${#COMP_LINE}
        _tokenctl tokenctl deliv --kind; printf "%s\\n" "${COMPREPLY[@]}"'"""
    )
    words = {line.strip() for line in outcome.stdout.splitlines()}
    assert words == {"delivery_driver", "delivery_consumer", "delivery_task", "delivery_server"}, outcome.stderr


WRITING = [["mint", "--kind", "consumer", "--id", "x", "--service-account", "account.json"], ["inspect"], ["--help"]]


def run_into_a_closed_pipe(tokenctl, arguments, disposition):
    reading, writing = os.pipe()
    os.close(reading)
    try:
        # Told to the shell, since what a test's own process does with the signal is not certain.
        trap = 'trap "" PIPE; ' if disposition == signal.SIG_IGN else ""
        process = subprocess.Popen(
            ["/bin/sh", "-c", trap + 'exec "$0" "$@"', BUILD / "tokenctl", *arguments],
            stdin=subprocess.PIPE,
            stdout=writing,
            stderr=subprocess.PIPE,
            cwd=tokenctl.folder,
        )
    finally:
        os.close(writing)
    _, errors = process.communicate(token().encode(), timeout=60)
    return process.returncode, errors


@pytest.mark.parametrize("arguments", WRITING, ids=" ".join)
def test_output_without_a_reader_ends_it_quietly(tokenctl, arguments):
    # Where the signal is not ignored it ends the process before anything can be written about it.
    status, errors = run_into_a_closed_pipe(tokenctl, arguments, signal.SIG_DFL)
    assert status in (1, -signal.SIGPIPE)
    assert errors == b""
    assert run_into_a_closed_pipe(tokenctl, arguments, signal.SIG_IGN) == (1, b"")


@pytest.mark.parametrize("arguments", WRITING, ids=" ".join)
def test_output_that_cannot_be_written_is_an_error(tokenctl, arguments):
    with open("/dev/full", "wb") as full:
        outcome = tokenctl(*arguments, input=token(), stdout=full)
    assert outcome.returncode == 1
    assert "Error: Cannot write to standard output: " in outcome.stderr
