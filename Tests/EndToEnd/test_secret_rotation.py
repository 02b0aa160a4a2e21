"""Every secret but the signing keys (test_rotation.py), rotated as docs/operate.md says, while callers request tokens."""

import contextlib
import hashlib
import hmac
import json
import re


from deployment import ROOT
from good_caller import Repeated
from issuer import Issuer
from production import replace, until


PATH = "/token/driver/v-1"


@contextlib.contextmanager
def calling(request):
    """A caller at work, each time on a new connection; each of its requests has a token."""
    with Repeated(request) as caller:
        caller.more(5)
        yield caller
        caller.more(5)
    assert {response.status for response in caller.results} == {200}


def test_every_secret_of_the_configuration_has_a_section():
    reference = (ROOT / "docs" / "configuration.md").read_text()
    page = (ROOT / "docs" / "operate.md").read_text()
    secrets = set(re.findall(r"^\| `([\w.*]+)` \| path \|", reference, re.MULTILINE)) - {"audit.file"}
    missing = [name for name in sorted(secrets) if f"`{name}`" not in page]
    assert not missing, missing


def test_keys_of_an_issuer_in_a_file_are_rotated(plentiful, serve):
    issuer = Issuer("https://id.example", algorithms=["ES256", "EdDSA"])
    keys = {key["kid"]: key for key in issuer.key_set()["keys"]}
    path = plentiful.folder / "keys.json"
    plentiful.trust(issuer, algorithms=["ES256", "EdDSA"])
    replace(path, json.dumps({"keys": [keys["ES256"]]}))
    service = serve(plentiful)
    signs = "ES256"
    with calling(lambda: service.request(PATH, bearer=issuer.token(signs))):
        assert service.request(PATH, bearer=issuer.token("EdDSA")).status == 401
        replace(path, json.dumps({"keys": list(keys.values())}))
        service.reload()
        signs = "EdDSA"
        # The issuer's last token of the former key is used up.
        until(lambda: service.request(PATH, bearer=issuer.token("EdDSA")).status == 200, "the new key")
        replace(path, json.dumps({"keys": [keys["EdDSA"]]}))
        service.reload()
        assert service.request(PATH, bearer=issuer.token("ES256")).status == 401


def test_secret_of_a_webhook_is_rotated(plentiful, serve, webhook):
    """The service signs with the new secret; test_webhook_receiver.py shows a receiver that accepts both meanwhile."""
    secrets = [plentiful.ask_webhook(webhook.url), plentiful.secret_file("next-secret")]
    service = serve(plentiful)

    def signer():
        headers, body = webhook.questions[-1][1:]
        text = headers["Fleet-Token-Timestamp"].encode() + b"." + body
        signatures = ["v1=" + hmac.new(secret.encode(), text, hashlib.sha256).hexdigest() for secret in secrets]
        return signatures.index(headers["Fleet-Token-Signature"])

    with calling(lambda: service.request(PATH, key=plentiful.key)):
        assert signer() == 0
        replace(plentiful.folder / "webhook-secret", (plentiful.folder / "next-secret").read_bytes())
        service.reload()
        count = len(webhook.questions)
        webhook.wait_for(count + 3)
        assert signer() == 1
