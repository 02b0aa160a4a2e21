"""The audit trail of tokend serve: a line for each decision, no line missing, and no token without a line."""

import concurrent.futures
import hashlib
import resource
import itertools
import json
import pathlib
import re
import subprocess

import pytest


PATH = "/token/driver/v-1"
FIELDS = [
    "v", "instance", "sequence", "time", "requestId", "method", "caller", "subject", "address", "kind", "ids", "decision", "rule",
]  # fmt: skip
TOKEN_FIELDS = ["keyId", "expiresAt", "tokenSha256", "reused"]


def test_line_for_each_decision_and_nothing_else_in_it(site, serve):
    site.configuration["grants"]["backend-any"]["ids"] = ["v-1"]
    service = serve(site)
    service.request(PATH, key=site.key)
    service.request("/token/driver/v-2", key=site.key)
    service.request(PATH)
    service.request(PATH, key=site.key[:-1])
    service.request("/token/server", key=site.key)
    # Not a request for a token at all, so no decision.
    service.request("/token/driver/*", key=site.key)
    service.request("/token/driver/v-1?x=1", key=site.key)
    lines = site.audit()
    assert [(line["decision"], line["rule"]) for line in lines] == [
        ("allow", "backend-any"), ("deny", "ID_NOT_GRANTED"), ("deny", "UNAUTHENTICATED"), ("deny", "INVALID_CREDENTIALS"),
        ("deny", "KIND_NOT_GRANTED"),
    ]
    assert [line["sequence"] for line in lines] == [2, 3, 4, 5, 6]
    for line in lines:
        assert list(line) == FIELDS + (TOKEN_FIELDS if line["decision"] == "allow" else [])
    assert (site.folder / "audit.jsonl").stat().st_mode & 0o777 == 0o600
    assert not site.missing_lines()


def test_a_file_that_is_a_link_is_refused(site, serve):
    """Another user who may write to the folder must not choose the file that loses its last half line."""
    service = serve(site)
    assert service.request(PATH, key=site.key).status == 200
    victim, trail = site.folder / "victim", site.folder / "audit.jsonl"
    victim.write_text("a line\nhalf a line")
    trail.rename(site.folder / "audit.jsonl.1")
    # A hard link: AuditFileTests.
    trail.symlink_to(victim)
    response = service.request(PATH, key=site.key)
    assert (response.status, response.reason) == (503, "AUDIT_UNAVAILABLE")
    status, text = service.readyz()
    assert status == 503 and "audit.jsonl is a symbolic link" in text
    trail.unlink()
    assert victim.read_text() == "a line\nhalf a line"
    assert service.request(PATH, key=site.key).status == 200
    assert not site.missing_lines("audit.jsonl.1", "audit.jsonl")


def test_rotation_by_rename_goes_on_in_a_new_file(site, serve):
    service = serve(site)
    current, old = site.folder / "audit.jsonl", site.folder / "audit.jsonl.1"
    with concurrent.futures.ThreadPoolExecutor(4) as pool:
        responses = [pool.submit(service.request, f"/token/driver/v-{n}", key=site.key) for n in range(40)]
        # Each of them: they do not end in the order in which they began.
        concurrent.futures.wait(responses[:11])
        current.rename(old)
        responses += [pool.submit(service.request, f"/token/driver/w-{n}", key=site.key) for n in range(40)]
        tokens = [response.result().token for response in responses]
    assert current.stat().st_mode & 0o777 == 0o600
    recorded = [line["tokenSha256"] for name in [old.name, current.name] for line in site.audit(name)]
    assert sorted(recorded) == sorted(hashlib.sha256(token.encode()).hexdigest() for token in tokens)
    assert len(site.audit(old.name)) >= 11 and site.audit()
    assert len(tokens) == 80 and not site.missing_lines(old.name, current.name)


def instances(stream):
    """What the command of docs/configuration.md says of a stream: each instance without its name."""
    root = pathlib.Path(__file__).parents[2]
    command = re.search(r"(jq -cnR .*?) audit\.jsonl\n```", (root / "docs/configuration.md").read_text())[1]
    text = subprocess.run(command, shell=True, cwd=root, input="\n".join(stream), capture_output=True, text=True, check=True).stdout
    found = [json.loads(line) for line in text.splitlines()]
    assert len({each.pop("instance") for each in found}) == len(found)
    return found


def test_missing_lines_of_ten_pods_in_one_stream_are_found(site, serve):
    site.configuration["audit"] = {}
    services = [serve(site) for _ in range(10)]
    for service in services:
        assert service.request(PATH, key=site.key).status == 200
        assert service.stop() == 0
    outputs = [service.output.read_text().splitlines() for service in services]
    pods = [[line for line in lines if line.startswith('{"v":1')] for lines in outputs]
    whole = {"first": 1, "last": 3, "missing": 0, "stopped": True}
    # In turns, with lines that came twice and lines of others between.
    stream = [line for lines in itertools.zip_longest(*outputs, fillvalue="") for line in lines]
    assert instances(["no JSON", '{"level":"info"}', "7", *stream, *pods[5]]) == [whole] * 10
    # The middle, the beginning and the end of one pod's lines.
    for line, found in [(1, {"missing": 1}), (0, {"first": 2}), (2, {"last": 2, "stopped": False})]:
        rest = [each for each in stream if each != pods[4][line]]
        assert sorted(instances(rest), key=str) == sorted([whole] * 9 + [whole | found], key=str)


@pytest.fixture
def small_disk(site):
    folder = site.folder / "disk"
    folder.mkdir()
    command = ["mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", folder]
    mount = subprocess.run(command, capture_output=True, check=False)
    if mount.returncode != 0:
        pytest.skip("a disk that can be filled needs the right to mount one")
    yield folder
    subprocess.run(["umount", folder], check=True)


def fill(folder, leaving=0):
    filler = folder / "filler"
    with filler.open("wb", buffering=0) as file:
        try:
            while file.write(b"x" * 4096):
                pass
        except OSError:
            pass
    return filler


def test_no_token_while_the_disk_is_full(site, small_disk, serve):
    site.configuration["audit"]["file"] = "disk/audit.jsonl"
    service = serve(site)
    tokens = [service.request(PATH, key=site.key).token]
    filler = fill(small_disk)
    # The page that the trail has begun has some room left.
    responses = [service.request(PATH, key=site.key) for _ in range(40)]
    tokens += [response.token for response in responses if response.status == 200]
    refused = [response for response in responses if response.status != 200]
    assert refused and responses[-1].status == 503
    for response in refused:
        assert (response.status, response.reason) == (503, "AUDIT_UNAVAILABLE")
        assert int(response.headers["Retry-After"]) > 0
        assert b'"token":' not in response.body and b"eyJ" not in response.body

    filler.unlink()
    tokens.append(service.request(PATH, key=site.key).token)
    name = "disk/audit.jsonl"
    # Each token has its line, and no line is broken; what was refused may have lines too.
    recorded = [line["tokenSha256"] for line in site.audit(name) if line["decision"] == "allow"]
    assert sorted(recorded) == sorted(hashlib.sha256(token.encode()).hexdigest() for token in tokens)
    assert not site.missing_lines(name)
    assert service.stop() == 0


def is_marked_ready(service):
    return service.metric("fleet_token_ready") == 1


def test_readiness_follows_the_last_write_of_a_file(site, serve):
    """A quota shows in no free block: only a write tells. The service needs no request to see that it is over."""
    service = serve(site)
    assert service.request(PATH, key=site.key).status == 200
    assert service.readyz()[0] == 200 and is_marked_ready(service)
    size = (site.folder / "audit.jsonl").stat().st_size
    limit = resource.prlimit(service.process.pid, resource.RLIMIT_FSIZE)
    resource.prlimit(service.process.pid, resource.RLIMIT_FSIZE, (size + 10, limit[1]))
    response = service.request(PATH, key=site.key)
    assert (response.status, response.reason) == (503, "AUDIT_UNAVAILABLE")
    for _ in range(3):
        status, text = service.readyz()
        assert status == 503 and "[-]audit failed" in text, text
    assert not is_marked_ready(service)
    resource.prlimit(service.process.pid, resource.RLIMIT_FSIZE, limit)
    assert service.readyz()[0] == 200 and is_marked_ready(service)
    assert (site.folder / "audit.jsonl").stat().st_size == size
    assert service.request(PATH, key=site.key).status == 200
    assert not site.missing_lines()
    assert service.stop() == 0
