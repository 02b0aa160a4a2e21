"""Signing with a key in a PKCS#11 token: SoftHSM, which is one in software."""

import pathlib

import jwt
import pytest

from softhsm import ACCOUNT, HSM, MODULE, PIN, use

pytestmark = pytest.mark.skipif(not MODULE.exists(), reason="SoftHSM is missing: Debian's package softhsm2")


@pytest.fixture
def hsm(tmp_path, monkeypatch):
    hsm = HSM(tmp_path)
    monkeypatch.setenv("SOFTHSM2_CONF", hsm.environment["SOFTHSM2_CONF"])
    return hsm


@pytest.fixture
def pkcs11(site, hsm):
    """The settings of a kind that a key in the token signs."""
    hsm.public = hsm.add("driver", "a1")
    return use(site, MODULE)


def drive(service):
    return service.ask("/token/driver/v-1", key=service.site.key)


def test_tokens_verify_with_the_tokens_key(site, serve, hsm, pkcs11):
    service = serve(site)
    for _ in range(20):
        answer = drive(service)
        assert answer.status == 200
        assert jwt.get_unverified_header(answer.token) == {"alg": "RS256", "typ": "JWT", "kid": "0123driver"}
        claims = jwt.decode(answer.token, hsm.public, ["RS256"], audience="https://fleetengine.googleapis.com/")
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
        ({"key": "other"}, "no private RSA key labelled other"),
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
