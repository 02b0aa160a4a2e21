"""Tokens that tokend would never mint: signed with its own keys, and wrong in one place."""

import base64
import json
import time

import jwt

AUDIENCE = "https://fleetengine.googleapis.com/"


def account(keys, kind):
    return json.loads((keys / f"{kind}.json").read_text())


def sign(account, authorization, header=None, algorithm="RS256", key=None, **claims):
    """A token of an account; a claim that is None is left out."""
    now = int(time.time())
    email = account["client_email"]
    all_claims = {"iss": email, "sub": email, "aud": AUDIENCE, "iat": now, "exp": now + 3300}
    all_claims |= {"authorization": authorization} | claims
    return jwt.encode(
        {name: value for name, value in all_claims.items() if value is not None},
        key or account["private_key"],
        algorithm,
        {"kid": account["private_key_id"]} | (header or {}),
    )


def altered(token):
    """The token with one character of its signature changed."""
    head, _, signature = token.rpartition(".")
    return f"{head}.{'B' if signature[0] == 'A' else 'A'}{signature[1:]}"


def unsigned(token):
    """The token with `alg` none, and without a signature."""
    header = base64.urlsafe_b64encode(b'{"alg":"none","typ":"JWT"}').rstrip(b"=").decode()
    return f"{header}.{token.split('.')[1]}."
