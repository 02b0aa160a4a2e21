"""The incidents of docs/operate.md, each made and looked at with the page's own commands."""

import os
import re
import shlex
import subprocess

import pytest

from build import BUILD
from deployment import ROOT
from production import until
from provider import Provider
from test_audit import fill, small_disk  # noqa: F401

PATH = "/token/driver/vehicle-1"
PAGE = (ROOT / "docs" / "operate.md").read_text()
# Each section of the page, by its heading.
SECTIONS = dict(re.findall(r"^#{2,3} (.*)\n((?:(?!^#{2,3} )(?:.*\n))*)", PAGE, re.M))
TRANSCRIPT = re.compile(r"^```sh\n(.*?)^```\n\n(?:[^`\n#].*\n\n)?```text\n(.*?)^```", re.M | re.S)


def follow(heading, service, **environment):
    """Runs the commands under a heading, and looks for what the page says that they show."""
    ((commands, shown),) = TRANSCRIPT.findall(SECTIONS[heading])
    folder = str(service.site.folder)
    for old, new in [
        ("sudo -u tokend ", ""), ("/etc/tokend/", f"{folder}/"), ("/var/lib/tokend", f"{folder}/disk"),
        ("127.0.0.1:9090", f"127.0.0.1:{service.admin}"),
    ]:
        commands = commands.replace(old, new)
    # There is no systemd here.
    commands = re.sub(r"journalctl -u tokend( -n \d+)? -o cat", f"cat {shlex.quote(str(service.log))} {shlex.quote(str(service.output))}", commands)
    commands = re.sub(r"(?m)^systemctl .*\n", "", commands)
    environment = os.environ | {"PATH": f"{BUILD}:{os.environ['PATH']}", "TOKEND_CONFIG": f"{folder}/tokend.yaml"} | environment
    result = subprocess.run(["bash", "-c", commands], capture_output=True, text=True, env=environment, timeout=120)
    output = result.stdout + result.stderr
    for line in shown.splitlines():
        pattern = ".*".join(map(re.escape, line.split("…")))
        assert re.search(pattern.replace(r"\ \ ", r"\ +"), output), f"{line}\n--- not in ---\n{output}"


def test_a_failing_kind(site, serve):
    site.configuration["grants"]["backend-any"]["ids"] = ["vehicle-2"]
    service = serve(site)
    response = service.request(PATH, key=site.key)
    assert (response.status, response.reason) == (403, "ID_NOT_GRANTED")
    service.logged(response)
    follow("FleetTokenKindFailing", service)


@pytest.mark.parametrize("status", [401, 403, 429])
def test_refusal_is_found_by_its_request_id(site, serve, status):
    if status == 403:
        site.configuration["grants"]["backend-any"]["ids"] = ["vehicle-2"]
    if status == 429:
        site.configuration["limits"] = {"perClient": {"perMinute": 1, "burst": 1}}
    service = serve(site)
    key = site.key[:-8] + "AAAAAAAA" if status == 401 else site.key
    response = [service.request(PATH, key=key) for _ in range(3)][-1]
    assert response.status == status
    service.logged(response)
    follow(f"A caller gets {status}", service, ID=response.headers["X-Request-Id"])


def test_expiring_certificate_is_found(site, serve):
    site.use_tls()
    follow("FleetTokenCredentialExpires", serve(site))


def test_killed_replica_is_found_and_replaced(site, serve):
    service = serve(site)
    service.process.kill()
    service.process.wait()
    follow("FleetTokenDown", service)
    assert serve(site).request(PATH, key=site.key).status == 200


def test_full_disk_is_found_and_freed(site, small_disk, serve):  # noqa: F811
    site.configuration["audit"]["file"] = "disk/audit.jsonl"
    service = serve(site)
    filler = fill(small_disk)
    until(lambda: service.request(PATH, key=site.key).status == 503, "the disk to be full")
    follow("FleetTokenAuditFailing", service)
    filler.unlink()
    assert service.request(PATH, key=site.key).status == 200
    assert service.stop() == 0


def test_unavailable_issuer_is_found(site, serve, tmp_path):
    provider = Provider(tmp_path)
    provider.stop()
    site.discover(provider, caFile=str(provider.authority.certificate))
    service = serve(site)
    until(lambda: "[-]issuer" in service.readyz()[1], "the issuer to be missed")
    assert service.request(PATH, key=site.key).status == 200
    follow("FleetTokenIssuerKeysStale", service)
    # A replica that starts meanwhile can serve the other callers.
    assert service.readyz()[0] == 503
    assert "remove the issuer's caller from `callers` and `grants`" in " ".join(SECTIONS["FleetTokenIssuerKeysStale"].split())
    del site.configuration["callers"]["app"], site.configuration["grants"]["app"]
    site.write()
    service.reload()
    assert service.readyz()[0] == 200


def test_missing_key_file_is_found_and_restored(site, serve):
    service = serve(site)
    key = site.folder / "driver.json"
    kept = key.read_bytes()
    key.unlink()
    service.reload("failed")
    assert service.request(PATH, key=site.key).status == 200
    follow("FleetTokenReloadFailed", service)
    key.write_bytes(kept)
    key.chmod(0o600)
    service.reload()
    assert "[+]reload ok" in service.readyz()[1]
