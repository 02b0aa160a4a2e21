"""Signing with a key in a PKCS#11 token: SoftHSM, which is one in software."""

import pathlib

import jwt
import pytest

import softhsm
from softhsm import ACCOUNT, MODULE, PIN, use

pytestmark = pytest.mark.skipif(not MODULE.exists(), reason="SoftHSM is missing: Debian's package softhsm2")


@pytest.fixture
def public(tmp_path, monkeypatch):
    """The public half of the key in the token."""
    return softhsm.copy(tmp_path, monkeypatch)


@pytest.fixture
def pkcs11(site, public):
    """The settings of a kind that a key in the token signs."""
    return use(site, MODULE)


def test_tokens_verify_with_the_tokens_key(site, serve, public, pkcs11):
    service = serve(site)
    for number in range(20):
        answer = service.ask(f"/token/driver/v-{number}", key=site.key)
        assert answer.status == 200
        assert jwt.get_unverified_header(answer.token) == {"alg": "RS256", "typ": "JWT", "kid": "0123driver"}
        claims = jwt.decode(answer.token, public, ["RS256"], audience="https://fleetengine.googleapis.com/")
        assert claims["iss"] == ACCOUNT
    assert 'signer="pkcs11"' in service.metrics()
    # It ends as it should, and no module's or library's destructor brings it down.
    assert service.stop() == 0


@pytest.mark.parametrize(
    ("change", "text"),
    [
        ({"module": "/nowhere.so"}, "cannot be loaded"),
        ({"module": "/lib/x86_64-linux-gnu/libz.so.1"}, "is not a PKCS#11 module"),
        ({"token": "other"}, "No token is labelled other"),
        ({"key": "missing"}, "no private RSA key labelled missing"),
        ({"pinFile": "wrong"}, "the PIN is wrong"),
        ({"pinFile": "empty"}, "must contain the token's PIN"),
        ({"pinFile": "open"}, "chmod 600 open"),
    ],
)
def test_what_is_wrong_is_said_at_the_start(site, pkcs11, change, text):
    for name, pin, mode in [("wrong", "1111", 0o600), ("empty", "", 0o600), ("open", PIN, 0o644)]:
        (site.folder / name).write_text(pin)
        (site.folder / name).chmod(mode)
    pkcs11 |= change
    if not pathlib.Path(pkcs11["module"]).exists():
        text = "cannot be loaded"
    for command in ["check", "serve"]:
        result = site.tokend(command)
        assert result.returncode == 1
        assert text in result.stderr + result.stdout
        assert PIN not in result.stderr + result.stdout


def test_the_doctor_looks_at_it(site, pkcs11, monkeypatch):
    # Google is away, which is a warning.
    monkeypatch.setenv("TOKEND_GOOGLE_EMULATOR_HOST", "127.0.0.1:1")
    result = site.doctor()
    assert result.returncode == 0, result.stdout
    assert f"A token of {ACCOUNT} was minted and verified, key 0123driver" in result.stdout
    assert "The token fleet has a key labelled driver" in result.stdout
