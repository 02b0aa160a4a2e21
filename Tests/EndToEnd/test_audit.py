"""The audit trail of tokend serve: a line for each decision, a chain, and no token without a line."""

import concurrent.futures
import gzip
import hashlib
import json
import os
import re
import resource
import subprocess

import pytest

from build import BUILD

PATH = "/token/driver/v-1"
FIELDS = [
    "v", "sequence", "time", "requestId", "method", "caller", "subject", "address", "kind", "ids", "decision", "rule",
]  # fmt: skip
TOKEN_FIELDS = ["keyId", "expiresAt", "tokenSha256", "reused"]


def test_line_for_each_decision_and_nothing_else_in_it(site, serve):
    site.configuration["grants"]["backend-any"]["ids"] = ["v-1"]
    service = serve(site)
    service.ask(PATH, key=site.key)
    service.ask("/token/driver/v-2", key=site.key)
    service.ask(PATH)
    service.ask(PATH, key=site.key[:-1])
    service.ask("/token/server", key=site.key)
    # Not a request for a token at all, so no decision.
    service.ask("/token/driver/*", key=site.key)
    service.ask("/token/driver/v-1?x=1", key=site.key)
    lines = site.audit()
    assert [(line["decision"], line["rule"]) for line in lines] == [
        ("allow", "backend-any"), ("deny", "ID_NOT_GRANTED"), ("deny", "UNAUTHENTICATED"), ("deny", "INVALID_CREDENTIALS"),
        ("deny", "KIND_NOT_GRANTED"),
    ]
    assert [line["sequence"] for line in lines] == [1, 2, 3, 4, 5]
    for line in lines:
        assert list(line) == FIELDS + (TOKEN_FIELDS if line["decision"] == "allow" else []) + ["previous"]
    assert (site.folder / "audit.jsonl").stat().st_mode & 0o777 == 0o600
    assert site.verify_audit().returncode == 0


def test_trail_on_standard_output(site, serve):
    site.configuration["audit"] = {}
    service = serve(site)
    service.ask(PATH, key=site.key)
    service.ask(PATH)
    assert service.stop() == 0
    assert len(service.output.read_text().splitlines()) == 2
    assert site.verify_audit(service.output.name).returncode == 0


@pytest.fixture(scope="module")
def trail(make_site, serve_for_module):
    """A site with a trail of eight lines."""
    site = make_site()
    service = serve_for_module(site)
    for number in range(8):
        service.ask(f"/token/driver/v-{number}", key=site.key if number % 2 else None)
    return site


def edited(lines):
    return [*lines[:3], lines[3].replace(b'"v-3"', b'"v-9"'), *lines[4:]]


FORGERIES = {
    "edited": edited, "decision-changed": lambda lines: [lines[0].replace(b'"deny"', b'"allow"'), *lines[1:]],
    "removed": lambda lines: [*lines[:3], *lines[4:]], "reordered": lambda lines: [*lines[:3], lines[4], lines[3], *lines[5:]],
    "garbled": lambda lines: [*lines[:3], b"\xff\x00\n", *lines[4:]],
    "renumbered": lambda lines: [*lines[:3], *(line.replace(b'"sequence":%d,' % (n + 5), b'"sequence":%d,' % (n + 4)) for n,
    line in enumerate(lines[4:]))],
}


@pytest.mark.parametrize("forge", FORGERIES.values(), ids=FORGERIES)
def test_forged_trail_is_found(trail, forge):
    lines = (trail.folder / "audit.jsonl").read_bytes().splitlines(keepends=True)
    assert len(lines) == 8 and trail.verify_audit().returncode == 0
    forged = trail.folder / "forged.jsonl"
    forged.write_bytes(b"".join(forge(lines)))
    verified = trail.verify_audit("forged.jsonl")
    assert verified.returncode == 3
    assert "forged.jsonl:" in verified.stderr


def read_json(result):
    return result.returncode, json.loads(result.stdout)


def test_result_for_programs(trail):
    lines = (trail.folder / "audit.jsonl").read_bytes().splitlines(keepends=True)
    last = hashlib.sha256(lines[-1].rstrip()).hexdigest()
    code, whole = read_json(trail.verify_audit("--output", "json", "audit.jsonl"))
    assert code == 0 and whole == {
        "schema": 1, "ok": True, "lines": 8, "skipped": 0, "first": 1, "last": 8, "lastHash": last,
        "isBeginningMissing": False, "problemCount": 0, "problems": [],
    }  # fmt: skip
    (trail.folder / "cut.jsonl").write_bytes(b"".join(lines[:2] + lines[4:]))
    code, cut = read_json(trail.verify_audit("-o", "json", "cut.jsonl"))
    assert code == 3 and not cut["ok"] and cut["problemCount"] == 1
    assert cut["problems"][0]["file"] == "cut.jsonl" and cut["problems"][0]["line"] == 3
    (trail.folder / "empty.jsonl").write_bytes(b"")
    code, empty = read_json(trail.verify_audit("-o", "json", "--after", last, "empty.jsonl"))
    assert code == 7 and not empty["ok"] and empty["lines"] == 0


def test_compressed_and_piped_and_mixed_trails_are_read(trail):
    content = (trail.folder / "audit.jsonl").read_bytes()
    lines = content.splitlines(keepends=True)
    (trail.folder / "set.jsonl").write_bytes(b"".join(lines[5:]))
    (trail.folder / "set.jsonl.1.gz").write_bytes(gzip.compress(b"".join(lines[:5])))
    whole = trail.verify_audit().stdout
    result = trail.verify_audit("set.jsonl", "set.jsonl.1.gz")
    assert (result.returncode, result.stdout) == (1, "")
    assert "set.jsonl.1.gz is compressed. Run: zcat set.jsonl.1.gz | tokenctl audit verify -" in result.stderr
    expanded = subprocess.run(["zcat", "-f", "set.jsonl.1.gz", "set.jsonl"], cwd=trail.folder, capture_output=True).stdout

    def pipe(content, *arguments):
        command = [BUILD / "tokenctl", "audit", "verify", *arguments]
        return subprocess.run(command, input=content, capture_output=True, timeout=60)

    assert pipe(content).stdout.decode() == whole == pipe(expanded, "-").stdout.decode()
    assert b"Decompress it with zcat" in pipe(gzip.compress(content), "-").stderr
    mixed = b"".join(b'{"level":"info"}\n' + line + b"not JSON\n" for line in lines)
    assert pipe(mixed).returncode == 3
    result = pipe(mixed, "--mixed")
    assert result.returncode == 0 and b"8 lines" in result.stdout and b"16 other lines were skipped." in result.stdout
    assert pipe(b"not JSON\n", "--mixed").returncode == 7


@pytest.mark.threat("S3")
def test_no_line_goes_where_a_link_leads(site, serve):
    """A stranger who may write to the folder must not choose the file that loses its last half line."""
    service = serve(site)
    assert service.ask(PATH, key=site.key).status == 200
    victim, trail = site.folder / "victim", site.folder / "audit.jsonl"
    victim.write_text("a line\nhalf a line")
    trail.rename(site.folder / "audit.jsonl.1")
    trail.symlink_to(victim)
    answer = service.ask(PATH, key=site.key)
    assert (answer.status, answer.reason) == (503, "AUDIT_UNAVAILABLE")
    status, text = service.readyz()
    assert status == 503 and "audit.jsonl is a symbolic link" in text
    trail.unlink()
    trail.hardlink_to(victim)
    assert service.ask(PATH, key=site.key).status == 503
    trail.unlink()
    assert victim.read_text() == "a line\nhalf a line"
    assert service.ask(PATH, key=site.key).status == 200
    assert site.verify_audit("audit.jsonl.1", "audit.jsonl").returncode == 0


def test_rotation_by_rename_goes_on_in_a_new_file(site, serve):
    service = serve(site)
    current, old = site.folder / "audit.jsonl", site.folder / "audit.jsonl.1"
    with concurrent.futures.ThreadPoolExecutor(4) as pool:
        answers = [pool.submit(service.ask, f"/token/driver/v-{n}", key=site.key) for n in range(40)]
        # Each of them: they do not end in the order in which they began.
        concurrent.futures.wait(answers[:11])
        current.rename(old)
        answers += [pool.submit(service.ask, f"/token/driver/w-{n}", key=site.key) for n in range(40)]
        tokens = [answer.result().token for answer in answers]
    assert current.stat().st_mode & 0o777 == 0o600
    recorded = [line["tokenSha256"] for name in [old.name, current.name] for line in site.audit(name)]
    assert sorted(recorded) == sorted(hashlib.sha256(token.encode()).hexdigest() for token in tokens)
    assert len(site.audit(old.name)) >= 11 and site.audit()
    verified = site.verify_audit(old.name, current.name)
    assert (verified.returncode, verified.stdout[:9]) == (0, "80 lines,")
    # The files' order on the command line does not matter: that of a shell's pattern is another than theirs.
    assert site.verify_audit(current.name, old.name).stdout == verified.stdout


@pytest.mark.parametrize("is_stopped", [True, False])
def test_chain_goes_on_over_a_rename_and_a_restart(site, serve, is_stopped):
    """Logrotate renames, the service restarts, and only then comes the next decision."""
    service, names = serve(site), ["audit.jsonl.2", "audit.jsonl.1", "audit.jsonl"]
    for old in names[:2]:
        assert service.ask(PATH, key=site.key).status == 200
        if is_stopped:
            assert service.stop() == 0
        (site.folder / "audit.jsonl").rename(site.folder / old)
        if not is_stopped:
            assert service.stop() == 0
        service = serve(site)
    # Not a trail, and a trail that ends earlier.
    (site.folder / "audit.jsonl.md5").write_text("0123\n")
    assert service.ask(PATH, key=site.key).status == 200
    assert [line["sequence"] for name in names for line in site.audit(name)] == [1, 2, 3]
    assert site.verify_audit(*names).returncode == 0


def test_check_leaves_a_trail_in_use_alone(site, serve):
    service = serve(site)
    service.ask(PATH, key=site.key)
    assert site.tokend("check").returncode == 0
    service.ask(PATH, key=site.key)
    assert len(site.audit()) == 2 and site.verify_audit().returncode == 0


@pytest.fixture
def small_disk(site):
    """A folder on a disk of 64 KiB."""
    folder = site.folder / "disk"
    folder.mkdir()
    command = ["mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", folder]
    mount = subprocess.run(command, capture_output=True, check=False)
    if mount.returncode != 0:
        pytest.skip("a disk that can be filled needs the right to mount one")
    yield folder
    subprocess.run(["umount", folder], check=True)


def fill(folder, leaving=0):
    """Takes all room but some."""
    filler = folder / "filler"
    with filler.open("wb", buffering=0) as file:
        try:
            while file.write(b"x" * 4096):
                pass
        except OSError:
            pass
    return filler


@pytest.mark.threat("S3")
def test_no_token_while_the_disk_is_full(site, small_disk, serve):
    site.configuration["audit"]["file"] = "disk/audit.jsonl"
    service = serve(site)
    tokens = [service.ask(PATH, key=site.key).token]
    filler = fill(small_disk)
    # The page that the trail has begun has some room left.
    answers = [service.ask(PATH, key=site.key) for _ in range(40)]
    tokens += [answer.token for answer in answers if answer.status == 200]
    refused = [answer for answer in answers if answer.status != 200]
    assert refused and answers[-1].status == 503
    for answer in refused:
        assert (answer.status, answer.reason) == (503, "AUDIT_UNAVAILABLE")
        assert int(answer.headers["Retry-After"]) > 0
        assert b'"token":' not in answer.body and b"eyJ" not in answer.body

    filler.unlink()
    tokens.append(service.ask(PATH, key=site.key).token)
    name = "disk/audit.jsonl"
    # Each token has its line, and no line is broken; what was refused may have lines too.
    recorded = [line["tokenSha256"] for line in site.audit(name) if line["decision"] == "allow"]
    assert sorted(recorded) == sorted(hashlib.sha256(token.encode()).hexdigest() for token in tokens)
    assert site.verify_audit(name).returncode == 0
    assert service.stop() == 0


@pytest.mark.threat("S3")
def test_no_token_when_nobody_reads_standard_output(site, serve):
    site.configuration["audit"] = {}
    reader, writer = os.pipe()
    service = serve(site, output=writer)
    os.close(writer)
    assert service.ask(PATH, key=site.key).status == 200
    os.close(reader)
    for _ in range(2):
        answer = service.ask(PATH, key=site.key)
        assert (answer.status, answer.reason) == (503, "AUDIT_UNAVAILABLE")
        assert b'"token":' not in answer.body
    assert service.stop() == 0


def is_marked_ready(service):
    (value,) = re.findall(r"^fleet_token_ready (\d)$", service.metrics(), re.M)
    return value == "1"


def test_readiness_follows_the_last_write_of_a_file(site, serve):
    """A quota shows in no free block: only a write tells. The service needs no request to see that it is over."""
    service = serve(site)
    assert service.ask(PATH, key=site.key).status == 200
    assert service.readyz()[0] == 200 and is_marked_ready(service)
    size = (site.folder / "audit.jsonl").stat().st_size
    limit = resource.prlimit(service.process.pid, resource.RLIMIT_FSIZE)
    resource.prlimit(service.process.pid, resource.RLIMIT_FSIZE, (size + 10, limit[1]))
    answer = service.ask(PATH, key=site.key)
    assert (answer.status, answer.reason) == (503, "AUDIT_UNAVAILABLE")
    for _ in range(3):
        status, text = service.readyz()
        assert status == 503 and "[-]audit failed" in text, text
    assert not is_marked_ready(service)
    resource.prlimit(service.process.pid, resource.RLIMIT_FSIZE, limit)
    assert service.readyz()[0] == 200 and is_marked_ready(service)
    assert (site.folder / "audit.jsonl").stat().st_size == size
    assert service.ask(PATH, key=site.key).status == 200
    assert site.verify_audit().returncode == 0
    assert service.stop() == 0
