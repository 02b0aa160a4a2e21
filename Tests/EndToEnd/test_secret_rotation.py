"""Every secret but the signing keys (test_rotation.py), rotated as docs/rotation.md says, while callers request tokens."""

import contextlib
import http.client
import json
import os
import re
import shutil
import ssl
import subprocess
import sys


import certificates
from deployment import DEPLOY, ROOT
from good_caller import Repeated
from issuer import Issuer
from production import exchange, replace, until
from ports import free_port


PATH = "/token/driver/v-1"


@contextlib.contextmanager
def calling(request):
    """A caller at work, each time on a new connection; each of its requests has a token."""
    with Repeated(request) as caller:
        caller.more(5)
        yield caller
        caller.more(5)
    assert {answer.status for answer in caller.results} == {200}


def test_every_secret_of_the_configuration_has_a_section():
    reference = (ROOT / "docs" / "configuration.md").read_text()
    page = (ROOT / "docs" / "rotation.md").read_text()
    secrets = set(re.findall(r"^\| `([\w.*]+)` \| path \|", reference, re.MULTILINE)) - {"audit.file"}
    # A module and a library are no secrets, and health paths are no files.
    secrets = {name for name in secrets if not name.endswith((".module", ".library", ".healthPath"))}
    missing = [name for name in sorted(secrets) if f"`{name}`" not in page]
    assert not missing, missing


def tls_exchange(port, context, key=None):
    connection = http.client.HTTPSConnection("127.0.0.1", port, timeout=60, context=context)
    try:
        connection.request("GET", PATH, headers={"X-API-Key": key} if key else {})
        certificate = connection.sock.getpeercert(binary_form=True)
        answer = connection.getresponse()
        body = answer.read()
        answer.token = json.loads(body).get("token")
        answer.certificate = certificate
        return answer
    finally:
        connection.close()


def test_a_tls_certificate_and_its_key(plentiful, serve):
    folder = plentiful.folder
    authority = certificates.authority(folder, "authority")
    first, second = (certificates.leaf(folder, name, authority, "IP:127.0.0.1") for name in ("first", "second"))
    for part in ("certificate", "key"):
        shutil.copy(getattr(first, part), folder / f"tls.{part}")
    plentiful.configuration["service"]["tls"] = {"certificate": "tls.certificate", "key": "tls.key"}
    service = serve(plentiful)
    context = ssl.create_default_context(cafile=authority.certificate)
    shown = lambda: tls_exchange(service.port, context, plentiful.key).certificate  # noqa: E731
    with calling(lambda: tls_exchange(service.port, context, plentiful.key)):
        before = shown()
        # One file after the other: in between they do not match, and the former pair serves.
        replace(folder / "tls.key", second.key.read_bytes())
        service.reload("failed")
        assert shown() == before
        replace(folder / "tls.certificate", second.certificate.read_bytes())
        until(lambda: shown() != before, "the new certificate")
    assert shown() == ssl.PEM_cert_to_DER_cert(second.certificate.read_text())


def test_an_issuers_keys_in_a_file(plentiful, serve):
    issuer = Issuer("https://id.example", algorithms=["ES256", "EdDSA"])
    keys = {key["kid"]: key for key in issuer.key_set()["keys"]}
    path = plentiful.folder / "issuer.jwks"
    replace(path, json.dumps({"keys": [keys["ES256"]]}))
    plentiful.configuration["callers"]["app"] = {
        "jwt": {"issuer": issuer.name, "audiences": ["tokend"], "algorithms": ["ES256", "EdDSA"], "keysFile": path.name}
    }
    plentiful.configuration["grants"]["app"] = {"callers": ["app"], "kinds": ["driver"], "ids": "any"}
    service = serve(plentiful)
    signs = "ES256"
    with calling(lambda: service.ask(PATH, bearer=issuer.token(signs))):
        assert service.ask(PATH, bearer=issuer.token("EdDSA")).status == 401
        replace(path, json.dumps({"keys": list(keys.values())}))
        service.reload()
        signs = "EdDSA"
        # The issuer's last token of the former key is used up.
        until(lambda: service.ask(PATH, bearer=issuer.token("EdDSA")).status == 200, "the new key")
        replace(path, json.dumps({"keys": [keys["EdDSA"]]}))
        service.reload()
        assert service.ask(PATH, bearer=issuer.token("ES256")).status == 401


class Receiver:
    """The sample webhook receiver, with the secrets of the given files."""

    def __init__(self, folder, port, *secrets):
        (folder / "table.json").write_text("[]")
        self.port, self.folder = port, folder
        self.start(*secrets)

    def start(self, *secrets):
        files = [argument for name in secrets for argument in ("--secret-file", self.folder / name)]
        self.process = subprocess.Popen(
            [sys.executable, DEPLOY / "webhook" / "receiver.py", "--table", self.folder / "table.json", "--port", str(self.port), *files],
            stderr=subprocess.DEVNULL,
        )
        until(self.listens, "the receiver")

    def listens(self):
        assert self.process.poll() is None
        try:
            exchange(self.port, "/")
        except OSError:
            return False
        except http.client.HTTPException:
            pass
        return True

    def restart(self, *secrets):
        self.stop()
        self.start(*secrets)

    def stop(self):
        self.process.terminate()
        self.process.wait(30)


def test_a_webhooks_secret(plentiful, serve):
    folder = plentiful.folder
    port = free_port()
    plentiful.secret_file("next-secret")
    plentiful.ask_webhook(f"http://127.0.0.1:{port}/")
    shutil.copy(folder / "webhook-secret", folder / "former-secret")
    receiver = Receiver(folder, port, "former-secret")
    service = serve(plentiful)
    try:
        # The table names the caller's subject, which for an API key is its ID.
        subject = service.audited(service.ask(PATH, key=plentiful.key))["subject"]
        table = [{"caller": "backend", "subject": subject, "kind": "driver", "ids": ["v-1"]}]
        (folder / "table.json").write_text(json.dumps(table))
        receiver.restart("former-secret")
        assert service.ask(PATH, key=plentiful.key).status == 200
        # 1. The receiver accepts both; its own restart is not what is tested.
        receiver.restart("former-secret", "next-secret")
        with calling(lambda: service.ask(PATH, key=plentiful.key)):
            # 2. The service signs with the new one.
            replace(folder / "webhook-secret", (folder / "next-secret").read_bytes())
            service.reload()
        # 3. The receiver accepts the new one only.
        receiver.restart("next-secret")
        assert service.ask(PATH, key=plentiful.key).status == 200
        # The former one is worth nothing any more.
        replace(folder / "webhook-secret", (folder / "former-secret").read_bytes())
        service.reload()
        assert service.ask(PATH, key=plentiful.key).status in (403, 503)
    finally:
        receiver.stop()


def test_the_key_of_recorded_ids(plentiful, serve):
    first = plentiful.secret_file("id-key")
    plentiful.configuration["audit"]["idHmacKeyFile"] = "id-key"
    service = serve(plentiful)

    def recorded():
        answer = service.ask(PATH, key=plentiful.key)
        line = service.audited(answer)
        return json.dumps({name: value for name, value in line.items() if name in ("ids", "id", "scope", "idHmacs")}), line

    before, line = recorded()
    assert "v-1" not in json.dumps(line) and recorded()[0] == before
    with calling(lambda: service.ask(PATH, key=plentiful.key)):
        replace(plentiful.folder / "id-key", os.urandom(32).hex())
        service.reload()
    assert recorded()[0] != before, first
    assert plentiful.verify_audit().returncode == 0
