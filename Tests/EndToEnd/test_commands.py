"""What the commands print of texts that others wrote, and what they write to files."""

import json
import re
import resource
import shutil
import unicodedata

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


def test_readiness_shows_no_text_that_acts_on_the_terminal(site, serve):
    service = serve(site)
    spoil_key(site)
    site.write()
    service.reload("failed")
    status, text = service.readyz()
    assert status == 200 and "\\u{202e}" in text
    assert_harmless(text)


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


# Help


def test_the_transcript_of_the_page_is_what_the_command_prints(tmp_path):
    page = (ROOT / "docs" / "commands.md").read_text()
    (decisions,) = re.findall(r"^```yaml\n(# decisions\.yaml.*?)^```", page, re.M | re.S)
    (command, printed) = re.search(r"^\$ tokend (explain .*)\n(.*)\n```", page, re.M).groups()
    shutil.copy(ROOT / "deploy" / "tokend.example.yaml", tmp_path / "tokend.yaml")
    (tmp_path / "decisions.yaml").write_text(decisions)
    assert run(BUILD / "tokend", *command.split(), cwd=tmp_path).stdout == printed + "\n"
