"""`tokenctl doctor`: a line for each thing that is well or not, with the fix."""

import json
import re
import shutil

import pytest
from cryptography.hazmat.primitives.serialization import load_pem_private_key

from google import Google, status
from production import tool
from secrecy import MARKERS
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


class Patient:
    """A configuration with a bit of everything, and nothing wrong."""

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
            "listen": "127.0.0.8:8080", "behindTLSProxy": True, "trustedProxies": ["127.0.0.1"],
        }  # fmt: skip
        self.configuration["admin"] = {"listen": "127.0.0.8:9090"}
        self.configuration["kinds"] = {"driver": {"serviceAccount": "driver.json"}, "consumer": {"iam": CONSUMER}}
        self.configuration["webhooks"] = {"trips": {"url": self.webhook.url, "secretFile": "webhook-secret"}}
        self.configuration["grants"] |= {"trips": {"callers": ["backend"], "kinds": ["consumer"], "ids": {"webhook": "trips"}}}

    def see_doctor(self, *arguments):
        result = self.site.doctor(*arguments)
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
        lines = [line for line in self.see_doctor(*arguments).splitlines() if line.startswith("FAIL")]
        assert len(lines) == 1, lines
        return lines[0]


@pytest.fixture
def patient(site, fake, key_file):
    patient = Patient(site, fake, key_file)
    yield patient
    patient.webhook.stop()


def test_all_is_well(patient):
    report = patient.see_doctor()
    assert "FAIL" not in report
    assert [line for line in report.splitlines() if line.startswith("warn")] == [
        line for line in report.splitlines() if " google " in line
    ]
    for text in [
        "tokend.yaml is valid", "driver.json is a service account key (mode 600, owner ",
        f"A token of {DRIVER} was minted and verified, key {patient.key_id}", f"A token of {CONSUMER} was minted and verified",
        f"Google publishes the key {patient.key_id}", f"{patient.webhook.url} is reachable", "audit.jsonl is writable",
        f"agrees with that of {patient.fake.host}",
    ]:
        assert text in report, text
    # It looks, and leaves no trace.
    assert patient.webhook.questions == []
    assert not (patient.folder / "audit.jsonl").exists()


def test_a_faulty_kind_is_not_ok(patient):
    (patient.folder / "driver.json").chmod(0o644)
    lines = [line for line in patient.see_doctor().splitlines() if " kinds.driver" in line]
    assert lines and all(line.startswith("FAIL") for line in lines), lines


def test_a_key_that_was_deleted(patient):
    del patient.fake.accounts[DRIVER][patient.key_id]
    failure = patient.failure()
    assert "deleted, disabled" in failure
    assert f"gcloud iam service-accounts keys create FILE --iam-account={DRIVER}" in failure


@pytest.mark.parametrize(
    ("answer", "fix"),
    [
        (status(403, "PERMISSION_DENIED", "IAM_PERMISSION_DENIED"), "roles/iam.serviceAccountTokenCreator"),
        (status(403, "PERMISSION_DENIED", "SERVICE_DISABLED"), "gcloud services enable iamcredentials.googleapis.com"),
    ],
)
def test_a_role_or_an_api_that_is_missing(patient, answer, fix):
    patient.fake.standing["sign_jwt"] = answer
    failure = patient.failure()
    assert "kinds.consumer" in failure
    assert fix in failure


def test_a_configuration_with_mistakes(patient):
    patient.configuration["surprise"] = 1
    patient.configuration["version"] = 2
    report = patient.see_doctor()
    assert report.count("FAIL") == 2
    # What could be read is looked at all the same.
    assert "Google publishes the key" in report
    assert "surprise" in report
