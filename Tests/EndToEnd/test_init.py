"""`tokend init`: from nothing to a configuration, and to a token for a signed-in user."""

import contextlib
import json
import os
import pathlib
import re
import shutil
import subprocess

import jwt
import pytest
import yaml

from build import BUILD
from deployment import DEPLOY, documents, run
from ports import free_port
from production import mounted, tool, until
from provider import Provider
from wire import exchange

PROJECT = ["--project", "my-project"]
CALLERS = {
    "firebase": [], "auth0": ["--issuer", "https://tenant.auth0.example/", "--audience", "tokens"],
    "oidc": ["--issuer", "https://id.example.com", "--audience", "tokens"], "api-key": [],
}
GRANTS = {"claim": [], "webhook": ["--webhook", "https://trips.example.com/authorize"], "any": []}


def init(folder, *options, check=True, **environment):
    result = subprocess.run(
        [BUILD / "tokend", "init", *map(str, options)], cwd=folder, capture_output=True, text=True, timeout=60,
        stdin=subprocess.DEVNULL, env=os.environ | environment,
    )  # fmt: skip
    assert not check or result.returncode == 0, result.stderr
    return result


@pytest.fixture(scope="module")
def keys(tmp_path_factory):
    folder = tmp_path_factory.mktemp("init") / "keys"
    folder.mkdir(mode=0o700)
    for kind in ("consumer", "driver"):
        tool("tokenctl", "keys", "new", folder / f"{kind}.json", "--email", f"{kind}@my-project.iam.gserviceaccount.com")
    return folder


@pytest.mark.parametrize("ids", GRANTS)
@pytest.mark.parametrize("caller", CALLERS)
def test_every_answer_makes_a_valid_configuration(tmp_path, keys, caller, ids):
    options = [*PROJECT, "--caller", caller, *CALLERS[caller], "--ids", ids, *GRANTS[ids], "--offline"]
    if ids == "claim" and caller == "api-key":
        refused = init(tmp_path, "tokend.yaml", *options, check=False)
        assert refused.returncode == 64 and "have no claims" in refused.stderr
        assert not list(tmp_path.iterdir())
        return
    result = init(tmp_path, "tokend.yaml", *options)
    assert "gcloud iam service-accounts keys create keys/driver.json" in result.stdout
    shutil.copytree(keys, tmp_path / "keys")
    checked = tool("tokend", "check", tmp_path / "tokend.yaml", check=False)
    problems = [line for line in checked.stderr.splitlines() if "warning" not in line and "problem" not in line]
    assert problems == [] and checked.returncode == 0, checked.stderr
    assert 20 <= len((tmp_path / "tokend.yaml").read_text().splitlines()) <= 40


def assert_secrets_of_cloud_run(steps, uses_keys):
    """Each secret that the service mounts is made and may be read, or its volume is to be removed."""
    (service,) = documents(DEPLOY / "cloud-run" / "service.yaml")
    mounted = {volume["secret"]["secretName"] for volume in service["spec"]["template"]["spec"]["volumes"]}
    assert set(re.findall(r"gcloud secrets create (\S+)", steps)) == mounted - (set() if uses_keys else {"tokend-callers"})
    readable = re.findall(r"gcloud secrets add-iam-policy-binding (\S+) .*--role=roles/secretmanager.secretAccessor", steps)
    assert set(readable) == set(re.findall(r"gcloud secrets create (\S+)", steps))
    assert ("remove the volume callers and its mount" in steps) is not uses_keys


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can install a service")
@pytest.mark.parametrize(("file", "named"), [([], ""), (["/etc/tokend/new.yaml"], " /etc/tokend/new.yaml")])
def test_the_installed_service_gets_its_configuration(tmp_path, file, named):
    # The folders that the package makes.
    folder, trail = tmp_path / "etc" / "tokend", tmp_path / "lib" / "tokend"
    folder.mkdir(mode=0o750, parents=True)
    trail.mkdir(mode=0o700, parents=True)
    os.chown(trail, 1, 1)
    options = [*PROJECT, "--caller", "api-key", "--ids", "webhook", *GRANTS["webhook"]]
    mounts = {"/etc": folder.parent, "/var/lib": trail.parent}
    result = run(*mounted(mounts), BUILD / "tokend", "init", *file, *options, check=True)
    assert all(line.startswith("Wrote /etc/tokend/") for line in result.stderr.splitlines()), "its user checks it, not root"
    path = folder / pathlib.Path(*file or ["tokend.yaml"]).name
    assert yaml.safe_load(path.read_text())["audit"] == {"file": "/var/lib/tokend/audit.jsonl"}
    assert "sudo install -m 0640 -g tokend -t /etc/tokend/keys consumer.json driver.json" in result.stdout
    assert f"Check it: sudo -u tokend tokend check{named}\n" in result.stdout
    modes = {path.name: oct(path.stat().st_mode & 0o777) for path in folder.iterdir()}
    assert modes == {path.name: "0o640", "api-keys": "0o640", "webhook-secret": "0o640", "backend.key": "0o600"}


def test_a_file_elsewhere_is_for_a_service_of_ones_own(tmp_path):
    result = init(tmp_path, *PROJECT, "--caller", "firebase", "--ids", "any", "--offline", TOKEND_CONFIG="own.yaml")
    assert yaml.safe_load((tmp_path / "own.yaml").read_text())["audit"] == {"file": "audit.jsonl"}
    assert "Check it: tokend check own.yaml\n" in result.stdout and "sudo" not in result.stdout
    assert "Not ready yet:" in result.stderr, "the keys are missing"


@pytest.mark.parametrize(
    ("options", "kinds"),
    [
        (["--kind", "driver", "--kind", "consumer", "--kind", "driver", "--ids", "any"], ["consumer", "driver"]),
        (["--kind", "server", "--ids", "webhook", *GRANTS["webhook"]], ["server"]),
    ],
)
def test_kinds_that_repeat_or_have_no_id_make_a_valid_configuration(tmp_path, options, kinds):
    init(tmp_path, "tokend.yaml", *PROJECT, "--caller", "api-key", "--signing", "google", *options, "--offline")
    configuration = yaml.safe_load((tmp_path / "tokend.yaml").read_text())
    assert [*configuration["kinds"]] == kinds and "webhooks" not in configuration
    assert sorted(path.name for path in tmp_path.iterdir()) == ["api-keys", "backend.key", "tokend.yaml"]
    tool("tokend", "check", tmp_path / "tokend.yaml")


def test_authorities_have_a_path_from_every_folder(tmp_path):
    (tmp_path / "conf").mkdir()
    options = [*PROJECT, "--caller", "oidc", *CALLERS["oidc"], "--ids", "any", "--ca-file", "ca.pem", "--offline"]
    init(tmp_path, "conf/tokend.yaml", *options)
    configuration = yaml.safe_load((tmp_path / "conf" / "tokend.yaml").read_text())
    assert configuration["callers"]["app"]["jwt"]["caFile"] == str(tmp_path / "ca.pem")


@pytest.mark.parametrize("target", ["--helm", "--cloud-run"])
@pytest.mark.parametrize(("caller", "ids"), [("firebase", "claim"), ("oidc", "webhook"), ("api-key", "any"), ("api-key", "webhook")])
def test_values_and_cloud_run_have_a_valid_configuration(tmp_path, caller, ids, target):
    options = [*PROJECT, target, "--caller", caller, *CALLERS[caller], "--ids", ids, *GRANTS[ids], "--signing", "google"]
    if target == "--cloud-run" and ids == "webhook":
        assert init(tmp_path, "tokend.yaml", *options, check=False).returncode == 64
        return
    result = init(tmp_path, "written.yaml", *options)
    for account in ("consumer", "driver"):
        assert f"add-iam-policy-binding {account}@my-project.iam.gserviceaccount.com --member=" in result.stdout
    assert "--role=projects/my-project/roles/tokendSigner" in result.stdout
    written = yaml.safe_load((tmp_path / "written.yaml").read_text())
    configuration = written if target == "--cloud-run" else {"version": 1, **written["config"]}
    if target == "--helm":
        configuration["service"]["listen"], configuration["admin"] = "0.0.0.0:8080", {"listen": "0.0.0.0:9090"}
        assert "image" not in written, "the chart of a release names it"
        folders = {"callers": caller == "api-key", "webhooks": ids == "webhook"}
        assert written.get("secrets", {}) == {name: f"tokend-{name}" for name, used in folders.items() if used}
    else:
        assert_secrets_of_cloud_run(result.stdout, uses_keys=caller == "api-key")
    # The files are in the folder of the test.
    text = json.dumps(configuration).replace("/etc/tokend/callers/", "").replace("/etc/tokend/webhooks/", "")
    assert "/etc/tokend" not in text
    (tmp_path / "tokend.yaml").write_text(text)
    checked = tool("tokend", "check", "tokend.yaml", check=False, cwd=tmp_path)
    assert (checked.returncode, checked.stdout) == (0, "Configuration is valid.\n"), checked.stderr


def test_values_with_key_files_name_their_secret(tmp_path):
    result = init(tmp_path, "values.yaml", *PROJECT, "--helm", "--caller", "firebase", "--ids", "any")
    values = yaml.safe_load((tmp_path / "values.yaml").read_text())
    assert values["secrets"] == {"keys": "tokend-keys"}
    assert values["config"]["kinds"]["driver"] == {"serviceAccount": "/etc/tokend/keys/driver.json"}
    assert "secret generic tokend-keys --from-file=keys/consumer.json --from-file=keys/driver.json" in result.stdout


@pytest.mark.parametrize("present", ["api-keys", "webhook-secret"])
def test_a_file_that_is_present_leaves_no_other_behind(tmp_path, present):
    (tmp_path / present).write_text("kept\n")
    options = ["--caller", "api-key", "--ids", "webhook", *GRANTS["webhook"], "--offline"]
    result = init(tmp_path, "tokend.yaml", *PROJECT, *options, check=False)
    assert result.returncode == 1 and f"{present} exists, and is never replaced." in result.stderr
    assert [path.name for path in tmp_path.iterdir()] == [present] and (tmp_path / present).read_text() == "kept\n"


def test_from_nothing_to_a_verified_token_of_a_signed_in_user(tmp_path, keys, monkeypatch):
    # Google is unavailable, which is known immediately.
    monkeypatch.setenv("TOKEND_GOOGLE_EMULATOR_HOST", "127.0.0.1:1")
    provider = Provider(tmp_path, algorithms=["ES256"])
    folder = tmp_path / "service"
    folder.mkdir(mode=0o700)
    result = init(
        folder, "tokend.yaml", *PROJECT, "--kind", "driver", "--caller", "oidc", "--issuer", provider.name, "--audience", "tokend",
        "--ca-file", provider.authority.certificate, "--ids", "claim", "--claim", "driver=vehicle",
    )  # fmt: skip
    assert "FAIL  kinds.driver" in result.stderr and "FAIL  callers.app" not in result.stderr, "the provider was found"
    shutil.copytree(keys, folder / "keys")
    file, port = folder / "tokend.yaml", free_port()
    text = re.sub(r"(?m)^  listen: .*", f'  listen: "127.0.0.1:{port}"\n  drain: 0s', file.read_text())
    file.write_text(text + 'admin: {listen: "127.0.0.1:0"}\n')
    log = (tmp_path / "log").open("wb")
    service = subprocess.Popen([BUILD / "tokend", "serve", "--config", file], stderr=log, cwd=folder)
    try:
        bearer = f"Bearer {provider.token('ES256', vehicle='vehicle-1')}"

        def token():
            with contextlib.suppress(OSError):
                response = exchange(port, "/token/driver/vehicle-1", [("Authorization", bearer)])
                return response.body if response.status == 200 else None

        until(token, "a token")
        checked = subprocess.run(
            [BUILD / "tokenctl", "verify", "-", "--key", folder / "keys/driver.json", "--kind", "driver", "--id", "vehicle-1"],
            input=token(), capture_output=True, timeout=60, check=False,
        )  # fmt: skip
        assert checked.returncode == 0, checked.stderr
        claims = jwt.decode(json.loads(token())["token"], options={"verify_signature": False})
        assert claims["authorization"] == {"vehicleid": "vehicle-1"}
    finally:
        service.terminate()
        assert service.wait(60) == 0
        provider.stop()
