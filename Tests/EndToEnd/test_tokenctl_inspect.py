"""`tokenctl inspect`."""

import json
import re

import pytest

from tokenctl import MAXIMUM_TOKEN, expired, token


def test_a_token_is_shown_and_not_verified(tokenctl):
    outcome = tokenctl("inspect", input=expired())
    assert outcome.returncode == 0
    assert outcome.stderr == ""
    lines = outcome.stdout.splitlines()
    assert lines[0].startswith("Not verified: ")
    for line in ['    "kid": "key-1"', '      "tripid": "trip-1"', "Kind      consumer"]:
        assert line in lines
    assert re.search(r"\n\w+ +the trip trip-1\n", outcome.stdout)
    assert re.search(r"\nExpired   \d+ days ago \(2001-09-09 02:46:40 UTC\)\n", outcome.stdout)
    assert re.search(r"\n  - It expired \d+ days ago\. Request a new token\.\n$", outcome.stdout)


@pytest.mark.parametrize("option", ["-o", "--output"])
def test_json(tokenctl, option):
    outcome = tokenctl("inspect", option, "json", input=expired())
    assert outcome.returncode == 0
    assert outcome.stderr == ""
    report = json.loads(outcome.stdout)
    assert list(report) == [
        "schema", "verified", "header", "claims", "kinds", "issuedAt", "expiresAt", "expiresInSeconds", "warnings",
    ]  # fmt: skip
    assert report["schema"] == 1
    assert report["verified"] is False
    assert report["expiresAt"] == "2001-09-09T02:46:40Z"
    assert report["kinds"] == ["consumer"]
    assert report["warnings"][0]["code"] == "expired"


def test_file_or_standard_input(tokenctl):
    text = expired()
    tokenctl.write("token", text)
    tokenctl.write("token-lf", text + "\n")
    tokenctl.write("token-crlf", text + "\r\n")
    outcomes = [tokenctl("inspect", name) for name in ("token", "token-lf", "token-crlf")]
    for end in ("", "\n", "\r\n"):
        outcomes.append(tokenctl("inspect", input=text + end))
        outcomes.append(tokenctl("inspect", "-", input=text + end))
    # A pipe hands over what it has, which may be less than all.
    outcomes.append(tokenctl.shell("{ head -c 100 token; cat /dev/null; tail -c +101 token; } | tokenctl inspect"))
    for outcome in outcomes:
        assert outcome.returncode == 0
        assert re.search(r"\n\w+ +the trip trip-1\n", outcome.stdout)


@pytest.mark.parametrize(
    "form",
    [
        "Bearer {}",
        "Authorization: Bearer {}\r\n",
        "authorization: bearer {}\n",
        '{{"token":"{0}","jwt":"{0}","expiresInSeconds":3540}}',
    ],
)
def test_token_in_a_header_or_a_response(tokenctl, form):
    outcome = tokenctl("inspect", input=form.format(expired()))
    assert outcome.returncode == 0, outcome.stderr
    assert re.search(r"\n\w+ +the trip trip-1\n", outcome.stdout)


@pytest.mark.parametrize(
    "form",
    [
        "", "\n", "{}\n\n", "{}\r", " {}", "{} ", "Basic {}", "Cookie: {}", '{{"jwt":"{}"}}', '{{"token":1}}', "{{",
        "\ufeff{}", "{}\0", "no token", "a.b.c", "a" * 16_385, "\n" * 100_000, "\x1b[2J",
    ],
    ids=list(range(18)),
)  # fmt: skip
def test_input_that_is_no_token_is_refused(tokenctl, form):
    outcome = tokenctl("inspect", input=form.format(expired()))
    assert outcome.returncode == 2
    assert outcome.stdout == ""
    assert outcome.stderr.startswith("Error: ")
    assert "eyJ" not in outcome.stderr
    assert "\x1b" not in outcome.stderr


def test_largest_token_is_read_and_no_larger_one(tokenctl):
    bare = token(claims='{"x":""}')
    # Each character of padding takes four thirds of one in the token.
    filling = (MAXIMUM_TOKEN - len(bare)) // 4 * 3
    largest = token(claims=f'{{"x":"{"a" * filling}"}}')
    assert MAXIMUM_TOKEN - 4 <= len(largest) <= MAXIMUM_TOKEN
    assert tokenctl("inspect", input=largest + "\r\n").returncode == 0
    outcome = tokenctl("inspect", input=token(claims=f'{{"x":"{"a" * (filling + 6)}"}}'))
    assert outcome.returncode == 2
    assert outcome.stderr == "Error: The token is larger than 16 KiB.\n"


@pytest.mark.parametrize("file", ["missing", ".", "account.json/x", "\x1b[31mred"])
def test_file_that_cannot_be_read_is_named(tokenctl, file):
    outcome = tokenctl("inspect", file)
    assert outcome.returncode == 1
    assert outcome.stdout == ""
    assert outcome.stderr.startswith("Error: Cannot read ")
    assert "\x1b" not in outcome.stderr


@pytest.mark.parametrize("arguments", [["inspect"], ["inspect", "-o", "json"], ["verify", "--key", "account.json"]], ids=" ".join)
def test_output_is_harmless_whatever_the_token_holds(tokenctl, arguments):
    evil = r"\u001b[2J\u001b]0;title\u0007\u009b31m\r\nValid: yes\u202e\u200b\u2028\u0085\u007f"
    hostile = token(
        header=f'{{"alg":"{evil}","typ":"{evil}","kid":"k","{evil}":["{evil}"]}}',
        claims=f'{{"iss":"{evil}","sub":"{evil}","aud":"{evil}","iat":1,"exp":2,"{evil}":{{}},'
        f'"authorization":{{"tripid":"{evil}","{evil}":"{evil}"}}}}',
    )
    outcome = tokenctl(*arguments, input=hostile)
    output = outcome.stdout + outcome.stderr
    assert output
    assert not [character for character in output if character != "\n" and not " " <= character <= "~"]
    assert "\nValid" not in output
