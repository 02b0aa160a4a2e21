"""`tokend check --live`: a line for each thing that is well or not, with the fix; Google and Fleet Engine are scripted."""

import json
import re
import shutil

import pytest
from cryptography.hazmat.primitives.serialization import load_pem_private_key

from google import Google, status
from production import tool
from secrecy import MARKERS
from servers import reply
from webhook import Webhook

PROJECT = "my-project.iam.gserviceaccount.com"
DRIVER, CONSUMER = f"driver@{PROJECT}", f"consumer@{PROJECT}"


@pytest.fixture
def fake(monkeypatch):
    fake = Google(DRIVER, CONSUMER)
    monkeypatch.setenv("TOKEND_GOOGLE_EMULATOR_HOST", fake.host)
    yield fake
    fake.stop()
    assert fake.complaints == []


@pytest.fixture(scope="module")
def key_file(tmp_path_factory):
    path = tmp_path_factory.mktemp("key") / "driver.json"
    tool("tokenctl", "keys", "new", path, "--email", DRIVER)
    return path


class CheckedSite:
    """A valid configuration with every kind of setting, and what the check says of it."""

    def __init__(self, site, fake, key_file):
        self.site, self.folder, self.configuration, self.fake = site, site.folder, site.configuration, fake
        (self.folder / "driver.json").unlink()
        shutil.copy(key_file, self.folder / "driver.json")
        file = json.loads(key_file.read_text())
        self.key_id = file["private_key_id"]
        fake.accounts[DRIVER] = {self.key_id: load_pem_private_key(file["private_key"].encode(), None)}
        self.webhook = Webhook()
        site.secret_file("webhook-secret")
        # Behind a proxy, port 0 is a warning.
        self.configuration["service"] |= {
            "listen": "127.0.0.8:7480", "behindTLSProxy": True, "trustedProxies": ["127.0.0.1"],
        }  # fmt: skip
        self.configuration["admin"] = {"listen": "127.0.0.8:7490"}
        self.configuration["kinds"] = {"driver": {"serviceAccount": "driver.json"}, "consumer": {"iam": CONSUMER}}
        self.configuration["webhooks"] = {"trips": {"url": self.webhook.url, "secretFile": "webhook-secret"}}
        self.configuration["grants"] |= {"trips": {"callers": ["backend"], "kinds": ["consumer"], "ids": {"webhook": "trips"}}}

    def see(self, *arguments):
        result = self.site.check_live(*arguments)
        assert not MARKERS.search((result.stdout + result.stderr).encode())
        for secret in self.site.secrets | self.fake.tokens:
            assert secret not in result.stdout + result.stderr
        *lines, summary = result.stdout.splitlines(keepends=True)
        report = "".join(lines)
        assert re.fullmatch(r"((ok  |warn|FAIL)  [\w.-]+ +\S.*\n)+", report), result.stdout + result.stderr
        columns = {re.match(r"\S+ +\S+ +", line).end() for line in lines}
        assert len(columns) == 1
        levels = [line.split(" ")[0] for line in lines]
        warnings = {0: "", 1: "1 warning, "}.get(levels.count("warn"), f"{levels.count('warn')} warnings, ")
        assert summary == f"{levels.count('FAIL')} failed, {warnings}{levels.count('ok')} ok\n"
        assert result.returncode == (1 if "FAIL" in report else 0)
        return report

    def failure(self, *arguments):
        lines = [line for line in self.see(*arguments).splitlines() if line.startswith("FAIL")]
        assert len(lines) == 1, lines
        return lines[0]


@pytest.fixture
def checked(site, fake, key_file):
    checked = CheckedSite(site, fake, key_file)
    yield checked
    checked.webhook.stop()


def test_a_working_setup_passes(checked):
    report = checked.see()
    assert "FAIL" not in report
    assert [line for line in report.splitlines() if line.startswith("warn")] == [
        line for line in report.splitlines() if "An emulator replaces Google" in line
    ]
    for text in [
        "tokend.yaml is valid", "driver.json is a service account key (mode 600, owner ",
        f"A token of {DRIVER} was minted and verified, key {checked.key_id}", f"A token of {CONSUMER} was minted and verified",
        f"Google publishes the key {checked.key_id}", f"{checked.webhook.url} is reachable", "audit.jsonl is writable",
        f"agrees with that of {checked.fake.host}", f"Google knows this machine as serviceAccount:tokend@{PROJECT}",
        f"Fleet Engine accepts driver tokens of {DRIVER} in my-project.",
        f"Fleet Engine accepts consumer tokens of {CONSUMER} in my-project.",
    ]:
        assert text in report, text
    # It looks, and leaves no trace.
    assert checked.webhook.questions == []
    assert not (checked.folder / "audit.jsonl").exists()


def test_a_faulty_kind_is_not_ok(checked):
    (checked.folder / "driver.json").chmod(0o644)
    lines = [line for line in checked.see().splitlines() if " kinds.driver" in line]
    assert lines and all(line.startswith("FAIL") for line in lines), lines


def test_a_deleted_key_is_reported(checked):
    del checked.fake.accounts[DRIVER][checked.key_id]
    failure, rejected = [line for line in checked.see().splitlines() if line.startswith("FAIL")]
    assert "Fleet Engine rejected the token" in rejected
    assert "deleted, disabled" in failure
    assert f"gcloud iam service-accounts keys create FILE --iam-account={DRIVER}" in failure


@pytest.mark.parametrize(
    ("response", "fix"),
    [
        (
            status(403, "PERMISSION_DENIED", "IAM_PERMISSION_DENIED"),
            f"gcloud iam service-accounts add-iam-policy-binding {CONSUMER} --member=serviceAccount:tokend@{PROJECT} "
            "--role=projects/my-project/roles/tokendSigner",
        ),
        (status(403, "PERMISSION_DENIED", "SERVICE_DISABLED"), "gcloud services enable iamcredentials.googleapis.com"),
    ],
)
def test_a_missing_role_or_api_is_reported(checked, response, fix):
    checked.fake.standing["sign_jwt"] = response
    failure = checked.failure()
    assert "kinds.consumer" in failure
    assert fix in failure


def test_a_configuration_with_mistakes_is_reported(checked):
    checked.configuration["surprise"] = 1
    checked.configuration["version"] = 2
    report = checked.see()
    assert report.count("FAIL") == 2 and "line 2: must be 1." in report
    # What could be read is looked at all the same.
    assert "Google publishes the key" in report
    assert "surprise" in report


def test_a_pod_without_a_google_account_is_told_its_principal(checked):
    checked.fake.identity_name = "my-project.svc.id.goog"
    checked.fake.standing["sign_jwt"] = status(403, "PERMISSION_DENIED", "IAM_PERMISSION_DENIED")
    member = (
        "principal://iam.googleapis.com/projects/123456789012/locations/global/workloadIdentityPools/"
        "my-project.svc.id.goog/subject/ns/NAMESPACE/sa/SERVICE_ACCOUNT"
    )
    assert f"--member={member} --role=projects/my-project/roles/tokendSigner" in checked.failure()


@pytest.mark.parametrize("response", [reply(404), reply(200, b"x\x1b[2J", **{"Metadata-Flavor": "Google"}), reply(200, b"a@b.example")])
def test_an_identity_that_is_not_known_is_left_open(checked, response):
    checked.fake.standing |= {"identity": response, "sign_jwt": status(403, "PERMISSION_DENIED", "IAM_PERMISSION_DENIED")}
    assert "--member=serviceAccount:CALLER" in checked.failure()
    assert "knows this machine" not in checked.see()


# What Fleet Engine says of the tokens


def error(code, status, *reasons):
    details = [{"@type": "type.googleapis.com/google.rpc.ErrorInfo", "reason": reason} for reason in reasons]
    return reply(code, {"error": {"code": code, "status": status, "message": "SECRET", "details": details}})


@pytest.mark.parametrize(
    ("response", "level", "texts"),
    [
        (reply(200, {}), "ok", ["Fleet Engine accepts driver tokens"]),
        (
            error(403, "PERMISSION_DENIED", "IAM_PERMISSION_DENIED"), "FAIL",
            ["does not have roles/fleetengine.driverSdkUser in my-project",
             f"gcloud projects add-iam-policy-binding my-project --member=serviceAccount:{DRIVER} --role=roles/fleetengine.driverSdkUser"],
        ),
        (
            error(403, "PERMISSION_DENIED", "SERVICE_DISABLED"), "FAIL",
            ["The Fleet Engine API is not enabled in my-project", "gcloud services enable fleetengine.googleapis.com --project=my-project"],
        ),
        (error(401, "UNAUTHENTICATED"), "FAIL", ["rejected the token", "key", "clock", "my-project is not the account's project"]),
        (error(503, "UNAVAILABLE"), "warn", ["unavailable or overloaded", "Run this check again"]),
        (error(429, "RESOURCE_EXHAUSTED"), "warn", ["unavailable or overloaded"]),
        (reply(404, b"<html>SECRET</html>"), "FAIL", ["unexpected (status 404)", "--project"]),
        (reply(302, Location="http://127.0.0.1:1/"), "FAIL", ["unexpected (status 302)"]),
        (error(400, "INVALID_ARGUMENT"), "FAIL", ["unexpected (status 400, INVALID_ARGUMENT)"]),
    ],
    ids=["found", "role", "API", "token", "outage", "quota", "no-API-there", "redirect", "invalid"],
)
def test_each_response_says_what_to_do(checked, response, level, texts):
    checked.fake.fleet["vehicles"] = response
    report = checked.see()
    assert "SECRET" not in report
    [line] = [line for line in report.splitlines() if re.match(r"\S+ +kinds.driver ", line) and texts[0] in line]
    assert line.startswith(level)
    for text in texts:
        assert text in line
    assert f"Fleet Engine accepts consumer tokens of {CONSUMER}" in report, "the other kind is checked as well"


def test_unavailable_google_fails_each_kind(checked, monkeypatch):
    monkeypatch.setenv("TOKEND_GOOGLE_EMULATOR_HOST", "127.0.0.1:1")
    report = checked.see()
    assert re.search(r"^FAIL +kinds.driver +Fleet Engine at http://127.0.0.1:1 is unreachable: .*refused", report, re.M), report
    assert re.search(r"^FAIL +kinds.consumer +Minting failed. No response", report, re.M), report


def test_an_account_that_names_no_project_needs_one(site):
    report = site.check_live().stdout
    assert re.search(r"^warn +kinds.driver +Fleet Engine was not asked: driver@fleet.example names no project. Use --project.", report, re.M)


def test_offline_nothing_is_asked(checked):
    before = len(checked.fake.requests)
    assert checked.site.tokend("check").returncode == 0
    assert len(checked.fake.requests) == before
