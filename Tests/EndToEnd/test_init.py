"""`tokend init`: from nothing to a configuration, and to a token for a signed-in user."""

import json
import os
import pty
import re
import select
import signal
import stat
import subprocess
import time
import urllib.request

import jwt
import pytest

from build import BUILD
from ports import free_port
from production import patience, tool, until
from provider import Provider

PROJECT = ["--project", "my-project"]
CALLERS = {
    "firebase": [], "auth0": ["--issuer", "https://tenant.auth0.example/", "--audience", "tokens"],
    "oidc": ["--issuer", "https://id.example.com", "--audience", "tokens"], "api-key": [],
    "certificate": ["--certificate-name", "spiffe://example.com/dispatch"],
}
GRANTS = {"claim": [], "webhook": ["--webhook", "https://trips.example.com/authorize"], "any": []}


def init(folder, *options, check=True):
    result = subprocess.run(
        [BUILD / "tokend", "init", *map(str, options)], cwd=folder, capture_output=True, text=True, timeout=60,
        stdin=subprocess.DEVNULL,
    )  # fmt: skip
    assert not check or result.returncode == 0, result.stderr
    return result


def new_keys(folder, *kinds):
    (folder / "keys").mkdir(mode=0o700)
    for kind in kinds:
        email = f"fleet-{kind.replace('_', '-')}@my-project.iam.gserviceaccount.com"
        tool("tokenctl", "keys", "new", folder / f"keys/{kind}.json", "--email", email)


@pytest.mark.parametrize("ids", GRANTS)
@pytest.mark.parametrize("caller", CALLERS)
def test_every_answer_makes_a_valid_configuration(tmp_path, caller, ids):
    options = [*PROJECT, "--caller", caller, *CALLERS[caller], "--ids", ids, *GRANTS[ids], "--offline"]
    if ids == "claim" and caller in ("api-key", "certificate"):
        refused = init(tmp_path, *options, check=False)
        assert refused.returncode == 64 and "have no claims" in refused.stderr
        assert not list(tmp_path.iterdir())
        return
    result = init(tmp_path, *options)
    assert "gcloud iam service-accounts keys create keys/driver.json" in result.stdout
    new_keys(tmp_path, "consumer", "driver")
    checked = tool("tokend", "check", tmp_path / "tokend.yaml", check=False)
    problems = [line for line in checked.stderr.splitlines() if "warning" not in line and "problem" not in line]
    if caller == "certificate":
        assert problems and all(re.search(r"service\.tls\.\w+: Cannot read", line) for line in problems), checked.stderr
    else:
        assert problems == [] and checked.returncode == 0, checked.stderr
    assert 20 <= len((tmp_path / "tokend.yaml").read_text().splitlines()) <= 40


def test_secrets_are_in_files_of_their_owner_alone(tmp_path):
    result = init(tmp_path, *PROJECT, "--caller", "api-key", "--ids", "webhook", *GRANTS["webhook"], "--offline")
    for name in ["backend.key", "api-keys", "webhook-secret"]:
        path = tmp_path / name
        assert stat.S_IMODE(path.stat().st_mode) == 0o600
        assert path.read_text().strip() not in result.stdout + result.stderr
    assert re.fullmatch(r"ftk_\w+\n", (tmp_path / "backend.key").read_text())
    assert len((tmp_path / "webhook-secret").read_text()) >= 43


@pytest.mark.parametrize("name", ["tokend.yaml", "api-keys", "backend.key"])
def test_a_file_is_never_replaced(tmp_path, name):
    (tmp_path / name).write_text("mine")
    result = init(tmp_path, *PROJECT, "--caller", "api-key", "--ids", "any", "--offline", check=False)
    assert result.returncode == 1 and f"{name} exists, and is never replaced" in result.stderr
    assert (tmp_path / name).read_text() == "mine"
    assert name == "tokend.yaml" or not (tmp_path / "tokend.yaml").exists()


class Terminal:
    """`tokend init` on a terminal of its own."""

    def __init__(self, folder, *options):
        self.output = b""
        self.pid, self.terminal = pty.fork()
        if self.pid == 0:
            # Tests in the background inherit that Control-C is ignored.
            signal.signal(signal.SIGINT, signal.SIG_DFL)
            os.chdir(folder)
            os.execv(BUILD / "tokend", ["tokend", "init", "--offline", *options])

    def wait_for(self, text):
        deadline = time.monotonic() + 30
        while text.encode() not in self.output:
            assert time.monotonic() < deadline, self.output
            self.read()

    def read(self):
        ready, _, _ = select.select([self.terminal], [], [], patience())
        assert ready, f"it says nothing more: {self.output}"
        try:
            self.output += os.read(self.terminal, 4096)
        except OSError:
            return False
        return True

    def answer(self, question, text):
        self.wait_for(question)
        self.output = self.output.split(question.encode(), 1)[1]
        os.write(self.terminal, text.encode() + b"\r")

    def end(self):
        while self.read():
            pass
        return os.waitstatus_to_exitcode(os.waitpid(self.pid, 0)[1])


def test_questions_have_defaults(tmp_path):
    terminal = Terminal(tmp_path)
    terminal.answer("Google Cloud project:", "my-project")
    terminal.answer("Kinds of tokens", "")
    terminal.answer("Who signs the tokens?", "nobody")
    terminal.answer("is not one of them", "")
    terminal.answer("Who calls?", "oidc")
    terminal.answer("URL of the issuer:", "https://id.example.com")
    terminal.answer("Audience of its tokens [tokend]:", "")
    terminal.answer("How are IDs granted? (claim, webhook, any) [claim]:", "")
    assert terminal.end() == 0
    text = (tmp_path / "tokend.yaml").read_text()
    assert 'jwt: {issuer: "https://id.example.com", audiences: ["tokend"]}' in text
    assert '{callers: [app], kinds: [driver], ids: "{claims.vehicle_id}"}' in text


@pytest.mark.parametrize("how", ["end of input", "interrupt"])
def test_an_interrupted_command_writes_nothing(tmp_path, how):
    terminal = Terminal(tmp_path)
    terminal.answer("Google Cloud project:", "my-project")
    terminal.wait_for("Kinds of tokens")
    os.write(terminal.terminal, b"\x04" if how == "end of input" else b"\x03")
    assert terminal.end() == (1 if how == "end of input" else -signal.SIGINT)
    assert not list(tmp_path.iterdir())


def test_from_nothing_to_a_verified_token_of_a_signed_in_user(tmp_path):
    provider = Provider(tmp_path, algorithms=["ES256"])
    folder = tmp_path / "service"
    folder.mkdir(mode=0o700)
    result = init(
        folder, *PROJECT, "--kind", "driver", "--caller", "oidc", "--issuer", provider.name, "--audience", "tokend",
        "--ca-file", provider.authority.certificate, "--ids", "claim", "--claim", "driver=vehicle",
    )  # fmt: skip
    assert "FAIL  kinds.driver" in result.stderr and "FAIL  callers.app" not in result.stderr, "the provider was found"
    new_keys(folder, "driver")
    file, port = folder / "tokend.yaml", free_port()
    file.write_text(file.read_text().replace("127.0.0.1:8080", f"127.0.0.1:{port}") + 'admin: {listen: "127.0.0.1:0"}\n')
    log = (tmp_path / "log").open("wb")
    service = subprocess.Popen([BUILD / "tokend", "serve", "--config", file], stderr=log, cwd=folder)
    try:
        request = urllib.request.Request(
            f"http://127.0.0.1:{port}/token/driver/vehicle-1",
            headers={"Authorization": f"Bearer {provider.token('ES256', vehicle='vehicle-1')}"},
        )

        def token():
            try:
                with urllib.request.urlopen(request, timeout=10) as response:
                    return response.read()
            except OSError:
                return None

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
