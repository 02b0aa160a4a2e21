"""`tokenctl keys new` and `tokenctl keys check`."""

import json
import stat

import pytest
from cryptography.hazmat.primitives.asymmetric import ec, ed25519, rsa
from cryptography.hazmat.primitives.serialization import (
    BestAvailableEncryption,
    Encoding,
    NoEncryption,
    PrivateFormat,
    PublicFormat,
    load_pem_private_key,
)

from tokenctl import key, numbers, pem, thumbprint


def mode(path):
    return stat.S_IMODE(path.stat().st_mode)


def test_new_service_account(tokenctl):
    outcome = tokenctl("keys", "new", "new.json", "--email", "driver@b.example")
    assert outcome.returncode == 0
    assert outcome.stderr == ""
    file = tokenctl.folder / "new.json"
    assert mode(file) == 0o600
    account = json.loads(file.read_bytes())
    name = thumbprint(load_pem_private_key(account["private_key"].encode(), None).public_key())
    assert account["client_email"] == "driver@b.example"
    assert account["private_key_id"] == name
    assert outcome.stdout == (
        "Wrote new.json: a service account's JSON key, usable for signing.\n"
        "  Account     driver@b.example\n"
        f"  Key ID      {name}\n"
        "  Size        RSA, 2048 bits\n"
        f"  Thumbprint  {name}\n"
    )


def test_new_pem(tokenctl):
    outcome = tokenctl("keys", "new", "new.pem", "--format", "pem", "--bits", "3072", "-o", "jwks")
    assert outcome.returncode == 0
    file = tokenctl.folder / "new.pem"
    assert mode(file) == 0o600
    public = load_pem_private_key(file.read_bytes(), None).public_key()
    assert public.key_size == 3072
    [jwk] = json.loads(outcome.stdout)["keys"]
    assert {name: jwk[name] for name in "en"} == numbers(public)
    assert jwk["kid"] == thumbprint(public)


def test_a_file_is_never_overwritten(tokenctl):
    file = tokenctl.folder / "account.json"
    before = file.read_bytes()
    outcome = tokenctl("keys", "new", "account.json")
    assert outcome.returncode == 1
    assert outcome.stdout == ""
    assert outcome.stderr == "Error: account.json already exists and was not changed. Use a new file.\n"
    assert file.read_bytes() == before


@pytest.mark.parametrize(
    "arguments, message",
    [
        ([], "Missing expected argument '<file>'"),
        (["missing/new.json"], "Cannot write missing/new.json"),
        (["new.json", "--bits", "1024"], "2048 to 8192"),
        (["new.json", "--bits", "99999"], "2048 to 8192"),
        (["new.json", "--bits", "many"], "'many' is invalid"),
        (["new.json", "--email", "nobody"], "not the email address"),
        (["new.json", "--email", "a\nb@c.example"], "not the email address"),
        (["new.json", "--format", "der"], "'service-account' and 'pem'"),
    ],
)
def test_key_that_cannot_be_created(tokenctl, arguments, message):
    outcome = tokenctl("keys", "new", *arguments)
    assert outcome.returncode == (1 if message.startswith("Cannot write") else 64)
    assert outcome.stdout == ""
    assert message in outcome.stderr
    assert not (tokenctl.folder / "new.json").exists()


def test_check_describes_a_file(tokenctl):
    tokenctl.write("private.pem", pem())
    tokenctl.write("public.pem", key().public_key().public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo))
    (tokenctl.folder / "private.pem").chmod(0o600)
    rows = f"  Size        RSA, 2048 bits\n  Thumbprint  {thumbprint(key().public_key())}\n"
    for file, report in [
        (
            "account.json",
            "account.json: a service account's JSON key, usable for signing.\n"
            "  Account     a@b.example\n  Key ID      key-1\n",
        ),
        ("private.pem", "private.pem: a private key, usable for signing.\n"),
        ("public.pem", "public.pem: a public key, for verification only.\n"),
    ]:
        outcome = tokenctl("keys", "check", file)
        assert outcome.returncode == 0
        assert outcome.stdout == report + rows
        assert outcome.stderr == ""


def test_public_half_for_other_tools(tokenctl):
    outcome = tokenctl("keys", "check", "account.json", "-o", "jwks")
    assert json.loads(outcome.stdout) == tokenctl.key_set()
    assert outcome.stdout.endswith("}\n")
    verdict = tokenctl.shell(
        "tokenctl keys check account.json -o jwks > jwks.json\n"
        "tokenctl mint --kind consumer --id x --service-account account.json | tokenctl verify --jwks jwks.json"
    )
    assert verdict.returncode == 0


def test_secret_that_others_can_read_has_a_warning(tokenctl):
    file = tokenctl.folder / "account.json"
    for bits, who in [(0o640, "its group"), (0o604, "others"), (0o644, "others")]:
        file.chmod(bits)
        outcome = tokenctl("keys", "check", "account.json")
        assert outcome.returncode == 0
        assert outcome.stderr == (
            f"Warning: account.json can be read by {who} (mode {bits:o}). Run: chmod 600 account.json\n"
        )
    tokenctl.write("public.pem", key().public_key().public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo))
    (tokenctl.folder / "public.pem").chmod(0o644)
    assert tokenctl("keys", "check", "public.pem").stderr == ""


def private(private_key, encryption=NoEncryption()):
    return private_key.private_bytes(Encoding.PEM, PrivateFormat.TraditionalOpenSSL, encryption)


def edwards():
    return ed25519.Ed25519PrivateKey.generate().private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())


@pytest.mark.parametrize(
    "content, message",
    [
        (lambda: b"", "not PEM"),
        (lambda: b"{\n", "Not a service account's JSON key"),
        (lambda: b"{}\n", "private_key is missing"),
        (lambda: private(ec.generate_private_key(ec.SECP256R1())), "Create an RSA key"),
        (edwards, "Create an RSA key"),
        (lambda: private(rsa.generate_private_key(65537, 1024)), "1024 bits"),
        (lambda: private(key(), BestAvailableEncryption(b"secret")), "encrypted"),
        (lambda: pem()[:900], "damaged"),
    ],
    ids=["empty", "half", "object", "ecdsa", "ed25519", "small", "encrypted", "cut"],
)
def test_check_says_in_a_line_what_is_wrong(tokenctl, content, message):
    tokenctl.write("bad", content())
    outcome = tokenctl("keys", "check", "bad")
    assert outcome.returncode == 3
    assert outcome.stdout == ""
    assert message in outcome.stderr
    assert outcome.stderr.startswith("Error: ")
    assert outcome.stderr.count("\n") == 1
    assert "secret" not in outcome.stderr


@pytest.mark.parametrize("file", ["missing", ".", "large"])
def test_file_that_cannot_be_read_is_named(tokenctl, file):
    tokenctl.write("large", bytes(70_000))
    outcome = tokenctl("keys", "check", file)
    assert outcome.returncode == 1
    assert outcome.stderr.startswith(f"Error: Cannot read {file}: ")
