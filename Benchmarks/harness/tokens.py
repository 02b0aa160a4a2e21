"""Requests single tokens, and verifies them with an independent library."""

import http.client
import json
import time

import jwt


class Verifier:
    """Knows an account's public keys."""

    def __init__(self, *accounts):
        self.keys = {}
        self.verified = 0
        for path in accounts:
            self.add(path)

    def add(self, path):
        """Adds the public key of an account file."""
        from cryptography.hazmat.primitives.serialization import load_pem_private_key

        account = json.loads(path.read_text())
        key = load_pem_private_key(account["private_key"].encode(), None).public_key()
        self.keys[account["private_key_id"]] = (key, account["client_email"])

    def verify(self, body, vehicle=None):
        """Checks a response and its token; returns the ID of the signing key."""
        answer = json.loads(body)
        token = answer["token"]
        key_id = jwt.get_unverified_header(token)["kid"]
        key, email = self.keys[key_id]
        claims = jwt.decode(token, key, algorithms=["RS256"], audience="https://fleetengine.googleapis.com/")
        assert claims["iss"] == claims["sub"] == email, claims
        assert list(claims["authorization"]) == ["vehicleid"], claims
        assert vehicle is None or claims["authorization"]["vehicleid"] == vehicle, claims
        assert answer["jwt"] == token
        assert answer["creationTimestamp"] == answer["creation_timestamp_ms"] == claims["iat"] * 1000
        assert answer["expirationTimestamp"] == answer["expiration_timestamp_ms"] == claims["exp"] * 1000
        # A reused token has at least 3,300 s left.
        assert 3300 <= answer["expiresInSeconds"] <= 3540, answer["expiresInSeconds"]
        self.verified += 1
        return key_id

    def verify_all(self, bodies):
        for body in bodies:
            self.verify(body)


class Refused(Exception):
    """The service refused the request and asks to retry later."""


def ask(server, vehicle):
    """Requests one token; returns the body."""
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=60)
    try:
        connection.request("GET", f"/token/driver/{vehicle}", headers={"X-API-Key": server.site.key})
        answer = connection.getresponse()
        body = answer.read()
        if answer.status == 503 and answer.headers["Retry-After"]:
            raise Refused(server.name, body)
        assert answer.status == 200, (server.name, answer.status, body)
        assert answer.headers["Content-Type"] == "application/json"
        assert answer.headers["Cache-Control"] == "no-store"
        return body
    finally:
        connection.close()


def sample(server, count=3):
    """Requests some tokens and verifies them; returns how many are valid."""
    verifier = Verifier(server.site.account)
    for number in range(count):
        vehicle = f"sample-{time.time_ns()}-{number}"
        verifier.verify(ask(server, vehicle), vehicle)
    return verifier.verified
