"""What the commands print of texts that others wrote, and what they write to files."""

import concurrent.futures
import json
import os
import re
import resource
import shutil
import unicodedata

import pytest

from build import BUILD
from deployment import ROOT, run
from production import tool

# A screen's erasure, a turn of the direction, a character without width, a line that would pass for the command's own.
EVIL = "\x1b[2J\u202etxt\u200b\u0085\nConfiguration is valid.\r"


def assert_harmless(text):
    acting = {c for c in text if unicodedata.category(c) in ("Cc", "Cf", "Zl", "Zp", "Co", "Cn") and c != "\n"}
    assert not acting, ascii(acting)
    assert "Configuration is valid." not in text.splitlines()


def spoil_key(site):
    site.configuration["service"][EVIL] = 1


def spoil_value(site):
    site.configuration["grants"]["backend-any"]["callers"] = [EVIL]


def spoil_file(site):
    site.configuration["callers"]["backend"]["apiKeys"]["file"] = EVIL.replace("\n", "/")


def spoil_path(site):
    folder = site.folder / EVIL.replace("\n", "")
    folder.mkdir()
    shutil.copy(site.folder / "api-keys", folder)
    (folder / "api-keys").chmod(0o666)
    site.configuration["callers"]["backend"]["apiKeys"]["file"] = str(folder / "api-keys")


@pytest.mark.parametrize("spoil", [spoil_key, spoil_value, spoil_file, spoil_path])
@pytest.mark.threat("H1")
def test_no_text_of_a_file_acts_on_the_terminal(site, spoil):
    spoil(site)
    outputs = [site.tokend(command) for command in ("check", "serve")]
    outputs.append(tool("tokenctl", "doctor", "--config", site.write(), check=False, cwd=site.folder))
    for output in outputs:
        assert output.returncode == 1
        text = output.stdout + output.stderr
        assert_harmless(text)
        assert "\\u{1b}" in text and "\\u{202e}" in text


@pytest.mark.threat("H1")
def test_no_argument_acts_on_the_terminal(site):
    claims = site.folder / "claims.json"
    claims.write_text(json.dumps({"sub": EVIL}))
    expect = site.folder / "expect.yaml"
    expect.write_text(json.dumps([{"caller": EVIL, "kind": "driver", "id": "v-1", "expect": "denied"}]))
    for arguments in [
        ("check", f"--{EVIL}"), ("explain", "--expect", expect), ("explain", "--caller", EVIL, "--kind", "driver", "--id", "v-1"),
        ("explain", "--caller", "backend", "--claims", claims, "--kind", EVIL, "--id", "v-1"), ("serve", "--listen", EVIL),
    ]:
        output = site.tokend(*arguments)
        assert output.returncode != 0
        assert_harmless(output.stdout + output.stderr)
    missing = tool("tokend", "check", "--config", EVIL, check=False)
    assert missing.returncode == 1
    assert_harmless(missing.stderr)


@pytest.mark.threat("H1")
def test_readiness_shows_no_text_that_acts_on_the_terminal(site, serve):
    service = serve(site)
    spoil_key(site)
    site.write()
    service.await_reload("failed")
    status, text = service.readyz()
    assert status == 200 and "\\u{202e}" in text
    assert_harmless(text)


@pytest.mark.threat("S1")
def test_key_is_added_on_a_line_of_its_own(site):
    path = site.folder / "keys"
    site.api_key("one", file="keys")
    first = path.read_bytes()
    for ending, mode in [(b"", 0o640), (b"\r", 0o600), (b"\n", 0o600), (b"\n# old", 0o600)]:
        path.write_bytes(first.rstrip(b"\n") + ending)
        path.chmod(mode)
        inode = path.stat().st_ino
        site.api_key("two", file="keys")
        lines = path.read_bytes().splitlines()
        assert lines[0] == first.strip() and lines[-1].endswith(b" two")
        assert (path.stat().st_ino, path.stat().st_mode & 0o777) == (inode, mode)
        site.configuration["callers"]["backend"]["apiKeys"]["file"] = "keys"
        path.chmod(0o600)
        assert site.tokend("check").returncode == 0


@pytest.mark.threat("S1")
def test_keys_added_at_once_are_whole_lines(site):
    path = site.folder / "keys"
    path.write_text("# no newline")
    with concurrent.futures.ThreadPoolExecutor(8) as pool:
        keys = list(pool.map(lambda number: site.api_key(f"n{number}", file="keys"), range(16)))
    lines = [line for line in path.read_text().splitlines() if line]
    assert len(set(keys)) == 16 and len(lines) == 17 and lines[0] == "# no newline"
    assert {line.rsplit(" ", 1)[1] for line in lines[1:]} == {f"n{number}" for number in range(16)}


@pytest.mark.threat("S1")
def test_file_that_cannot_take_the_line_stays_as_it_is(site):
    full = tool("tokenctl", "apikey", "new", "--label", "x", "--file", "/dev/full", check=False)
    assert full.returncode == 1 and full.stdout == "" and "No space left" in full.stderr
    path = site.folder / "api-keys"
    content = path.read_bytes()
    # Room for a part of the line.
    limit = len(content) + 10
    partial = tool(
        "tokenctl", "apikey", "new", "--label", "x", "--file", path, check=False,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit)),
    )  # fmt: skip
    assert partial.returncode == 1 and partial.stdout == "" and "No space left" in partial.stderr
    assert path.read_bytes() == content


def test_configuration_is_named_in_one_way(site):
    path = site.write()
    # The command line goes before the environment.
    other = {"TOKEND_CONFIG": "missing.yaml"}
    for arguments, environment in [
        (["--config", path], other), (["-c", path], {}), ([path], other), ([], {"TOKEND_CONFIG": str(path)}),
    ]:  # fmt: skip
        environment = os.environ | environment
        assert tool("tokend", "check", *arguments, env=environment).stdout == "Configuration is valid.\n"
        request = ["--caller", "backend", "--kind", "driver", "--id", "v-1"]
        assert tool("tokend", "explain", *request, *arguments, env=environment).stdout.startswith("allowed\n")
        assert tool("tokenctl", "doctor", "-q", *arguments, env=environment).stdout.endswith(" ok\n")
    twice = tool("tokend", "check", path, "--config", path, check=False)
    assert twice.returncode == 64 and "specified twice" in twice.stderr
    none = tool("tokend", "check", check=False)
    assert none.returncode == 64 and "Missing configuration file. Use --config FILE" in none.stderr


def test_check_reports_to_programs(site):
    result = site.tokend("check", "--output", "json")
    assert result.returncode == 0 and json.loads(result.stdout) == {
        "schema": 1, "ok": True, "failed": 0, "warnings": 0, "passed": 0, "findings": [],
    }  # fmt: skip
    site.configuration["colour"] = 1
    (site.folder / "driver.json").chmod(0o644)
    result = site.tokend("check", "-o", "json")
    report = json.loads(result.stdout)
    assert (result.returncode, result.stderr, report["ok"]) == (1, "", False)
    assert [finding["subject"] for finding in report["findings"]] == ["kinds.driver.serviceAccount", "colour"]
    assert all(list(finding) == ["level", "subject", "line", "message"] for finding in report["findings"])
    assert all(finding["level"] == "failure" and finding["line"] for finding in report["findings"])


def test_explanation_is_an_exit_status_and_json(site):
    site.secret_file("webhook-secret")
    site.configuration["webhooks"] = {"ids": {"url": "https://ids.example/", "secretFile": "webhook-secret"}}
    site.configuration["kinds"]["consumer"] = {"serviceAccount": "consumer.json"}
    site.configuration["grants"] |= {"trips": {"callers": ["backend"], "kinds": ["consumer"], "ids": {"webhook": "ids"}}}
    site.configuration["grants"]["backend-any"]["ids"] = ["v-1"]
    for kind, id, outcome, status in [
        ("driver", "v-1", "allowed", 0), ("driver", "v-2", "denied", 1), ("consumer", "t-1", "needsWebhook", 9),
    ]:  # fmt: skip
        request = ["--caller", "backend", "--kind", kind, "--id", id]
        result = site.tokend("explain", *request)
        assert (result.returncode, result.stdout.splitlines()[0]) == (status, outcome)
        result = site.tokend("explain", *request, "-o", "json")
        report = json.loads(result.stdout)
        assert (result.returncode, report["schema"], report["outcome"]) == (status, 1, outcome)
        assert report["grant"] == ("backend-any" if outcome == "allowed" else None)
        assert all(set(grant) == {"grant", "verdict", "message"} for grant in report["grants"])
        assert outcome in {grant["verdict"] for grant in report["grants"]} <= {"allowed", "denied", "needsWebhook"}
        quiet = site.tokend("explain", *request, "--quiet")
        assert (quiet.returncode, quiet.stdout) == (status, "")
    misspelt = site.tokend("explain", "--caller", "bakend", "--kind", "driver", "--id", "v-1")
    assert misspelt.returncode == 1 and "Unknown caller bakend. Did you mean backend?" in misspelt.stderr


def test_files_that_cannot_be_read_are_told_in_one_way(site):
    missing, folder = "no such file or folder", "it is a folder, not a file"
    for name, hint in [("none", missing), (".", folder)]:
        for program, *arguments in [
            ("tokend", "check", name), ("tokend", "serve", name), ("tokenctl", "doctor", name),
            ("tokenctl", "inspect", name), ("tokenctl", "keys", "check", name), ("tokenctl", "audit", "verify", name),
            ("tokenctl", "verify", name, "--key", "driver.json"),
        ]:  # fmt: skip
            result = tool(program, *arguments, check=False, cwd=site.folder)
            assert (result.returncode, result.stderr) == (1, f"Error: Cannot read {name}: {hint}.\n"), arguments


def test_configuration_that_is_a_pipe_is_refused_at_once(site):
    """Reading it would wait for a writer, or for ever."""
    os.mkfifo(site.folder / "pipe")
    for program, command in [("tokend", "check"), ("tokend", "serve"), ("tokenctl", "doctor")]:
        result = tool(program, command, "--config", "pipe", check=False, cwd=site.folder)
        assert (result.returncode, result.stderr) == (1, "Error: Cannot read pipe: it is not a regular file.\n"), command


# Help

def test_the_transcript_of_the_page_is_what_the_command_prints(tmp_path):
    page = (ROOT / "docs" / "commands.md").read_text()
    (decisions,) = re.findall(r"^```yaml\n(# decisions\.yaml.*?)^```", page, re.M | re.S)
    (command, printed) = re.search(r"^\$ tokend (explain .*)\n(.*)\n```", page, re.M).groups()
    shutil.copy(ROOT / "deploy" / "tokend.example.yaml", tmp_path / "tokend.yaml")
    (tmp_path / "decisions.yaml").write_text(decisions)
    assert run(BUILD / "tokend", *command.split(), cwd=tmp_path).stdout == printed + "\n"
