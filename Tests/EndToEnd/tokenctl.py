"""tokenctl in a folder of its own, with a service account and tokens that this account signed."""

import base64
import functools
import json
import os
import pathlib
import subprocess

import jwt
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import padding, rsa

from build import BUILD

KEY_ID = "key-1"
# 2026-11-20 22:48:10 UTC, when the tokens were minted.
NOW = 1_795_214_890
# CompactJWS.maximumSize
MAXIMUM_TOKEN = 16 * 1024


def base64url(data):
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


@functools.cache
def key():
    return rsa.generate_private_key(65537, 2048)


def pem(private=None):
    return (private or key()).private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )


def token(header=None, authorization='{"tripid":"trip-1"}', claims=None):
    """A token of the account's: valid at NOW, but for what is given."""
    header = header or '{"alg":"RS256","typ":"JWT","kid":"key-1"}'
    claims = claims or (
        '{"iss":"a@b.example","sub":"a@b.example","aud":"https://fleetengine.googleapis.com/",'
        f'"iat":{NOW - 60},"exp":{NOW + 3540},"authorization":{authorization}}}'
    )
    content = f"{base64url(header.encode())}.{base64url(claims.encode())}"
    return f"{content}.{base64url(key().sign(content.encode(), padding.PKCS1v15(), hashes.SHA256()))}"


def expired():
    return token(
        claims='{"iss":"a@b.example","sub":"a@b.example","aud":"https://fleetengine.googleapis.com/",'
        '"iat":1000000000,"exp":1000003600,"authorization":{"tripid":"trip-1"}}'
    )


class Tokenctl:
    """Runs tokenctl in a folder with the account in `account.json`, which only its owner can read."""

    def __init__(self, folder):
        self.folder = folder
        account = {"type": "service_account", "client_email": "a@b.example", "private_key_id": KEY_ID}
        self.write("account.json", json.dumps({**account, "private_key": pem().decode()}))
        (folder / "account.json").chmod(0o600)

    def write(self, name, content):
        (self.folder / name).write_bytes(content if isinstance(content, bytes) else content.encode())

    def key_set(self):
        """The key set that verifies what the account signs."""
        public = jwt.algorithms.RSAAlgorithm.to_jwk(key().public_key(), as_dict=True)
        return {"keys": [{"alg": "RS256", "kid": KEY_ID, "use": "sig"} | {name: public[name] for name in ("kty", "n", "e")}]}

    def run(self, *arguments, input="", **options):
        """Runs it to its end; output that is not UTF-8 fails the test."""
        options = {"stdout": subprocess.PIPE, "timeout": 60} | options
        return subprocess.run(
            [BUILD / "tokenctl", *arguments], input=input.encode(), stderr=subprocess.PIPE, cwd=self.folder, **options
        )

    def __call__(self, *arguments, input="", **options):
        return decoded(self.run(*arguments, input=input, **options))

    def shell(self, line):
        """Runs a line of shell in which the programs are those that were built, and `ROOT` is the repository."""
        environment = {**os.environ, "PATH": f"{BUILD}:/usr/bin:/bin", "ROOT": str(pathlib.Path(__file__).parents[2])}
        return decoded(
            subprocess.run(["/bin/sh", "-c", line], capture_output=True, cwd=self.folder, timeout=60, env=environment)
        )


def decoded(process):
    process.stdout = (process.stdout or b"").decode()
    process.stderr = process.stderr.decode()
    return process
