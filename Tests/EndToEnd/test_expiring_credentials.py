"""Expiring credentials, as each command and the service report them."""

import datetime
import json
import re
import socket

import pytest

import certificates
from issuer import Issuer

PATH = "/token/driver/v-1"


def test_expiring_credentials_are_reported_by_check_metrics_and_log(site, serve):
    now = datetime.datetime.now(datetime.timezone.utc).replace(microsecond=0)
    times = {days: now + datetime.timedelta(days=days) for days in [5, 20, 40]}
    for label, days in [("in five days", 5), ("in twenty days", 20), ("in forty days", 40)]:
        site.api_key(label, "--not-after", times[days].isoformat().replace("+00:00", "Z"))
    path = site.folder / "api-keys"
    lines = path.read_text().splitlines(True)
    # No tool makes a key that has expired.
    expired = lines[1].replace(times[5].isoformat().replace("+00:00", "Z"), "2024-01-01T00:00:00Z")
    path.write_text("".join(lines) + expired.replace(expired.split()[0], "0" * 12).replace("in five days", "expired"))
    authority = certificates.authority(site.folder).certificate.name
    site.discover(Issuer("https://id.example"), algorithms=["ES256"], caFile=authority, keysUrl="https://localhost:1/keys")
    checked = site.tokend("check")
    said = checked.stderr
    assert checked.returncode == 0
    assert re.search(r"callers\.app\.jwt\.caFile: \S+ expires at", said), said
    assert re.search(r"tokend\.yaml:\d+: warning: callers\.backend: the API key 0{12} \(expired\) expired at 2024-01-01T00:00:00Z", said), said
    for label, seen in [("in five days", True), ("in twenty days", True), ("in forty days", False)]:
        assert (f"({label}) expires at" in said) == seen, said
    live = site.check_live("--output", "json")
    found = [item["message"] for item in json.loads(live.stdout)["findings"] if item["level"] == "warning"]
    assert any("(expired) expired at" in message for message in found), live.stdout
    service = serve(site)
    metric = r'^fleet_token_credential_not_after_timestamp_seconds\{credential="(.*)",setting="(.*)"\} (\S+)$'
    ends = {(credential, setting): float(value) for credential, setting, value in re.findall(metric, service.metrics(), re.M)}
    assert ends["api_key", "callers.backend"] == times[5].timestamp()
    assert 0 <= ends["authority", "callers.app"] - now.timestamp() - 86400 < 3600
    assert "expired at 2024-01-01" in service.read_log()
    # A key that has expired does nothing to the others.
    assert service.request(PATH, key=site.key).status == 200
    assert "[+]keys ok" in service.readyz()[1]


def test_certificate_that_expired_is_one_problem(site):
    site.use_tls("DNS:a.example", seconds=-60)
    assert site.tokend("check").stderr.count("tls.crt") == 1
    live = site.check_live("--output", "json")
    found = [item for item in json.loads(live.stdout)["findings"] if "tls.crt" in item["message"]]
    assert [(item["level"], item["subject"]) for item in found] == [("failure", "service.tls.certificate")]


def test_a_live_check_warns_of_a_certificate_that_soon_expires(site):
    site.use_tls("DNS:a.example")
    live = site.check_live("--quiet")
    assert re.search(r"warn  service\.tls\.certificate +line \d+: tls\.crt expires at", live.stdout), live.stdout


@pytest.mark.parametrize("variable", ["HTTPS_PROXY", "https_proxy"])
def test_proxy_that_is_not_used_is_a_warning(site, variable):
    checked = site.tokend("check", environment={variable: "http://proxy:3128"})
    assert checked.returncode == 0
    assert f"{variable}: The service does not use a proxy." in checked.stdout + checked.stderr
    assert "http://proxy:3128" not in checked.stdout + checked.stderr


def test_port_of_the_running_service_is_no_problem(site):
    with socket.create_server(("127.0.0.1", 0)) as service:
        address = "127.0.0.1:%d" % service.getsockname()[1]
        site.configuration["service"]["listen"] = address
        checked = site.tokend("check")
    assert (checked.returncode, checked.stdout, checked.stderr) == (0, "Configuration is valid.\n", "")
