"""An issuer of callers' tokens: one key for each algorithm, and PyJWT, which shares no code with the service."""

import time

import jwt
from cryptography.hazmat.primitives.asymmetric import ec, ed25519, rsa

CURVES = {"ES256": ec.SECP256R1(), "ES384": ec.SECP384R1(), "ES512": ec.SECP521R1()}
ALGORITHMS = ["RS256", "RS384", "RS512", "PS256", "PS384", "PS512", *CURVES, "EdDSA"]


def private_key(algorithm):
    if algorithm in CURVES:
        return ec.generate_private_key(CURVES[algorithm])
    if algorithm == "EdDSA":
        return ed25519.Ed25519PrivateKey.generate()
    return rsa.generate_private_key(public_exponent=65537, key_size=2048)


class Issuer:
    """Signs tokens; its key IDs are the algorithms' names."""

    def __init__(self, name, audience="tokend", algorithms=ALGORITHMS):
        self.name, self.audience = name, audience
        self.keys = {algorithm: private_key(algorithm) for algorithm in algorithms}

    def key_set(self):
        algorithms = jwt.algorithms.get_default_algorithms()
        keys = [
            algorithms[name].to_jwk(key.public_key(), as_dict=True) | {"kid": name, "alg": name, "use": "sig"}
            for name, key in self.keys.items()
        ]
        return {"keys": [{name: value for name, value in key.items() if name != "key_ops"} for key in keys]}

    def token(self, algorithm="ES256", key=None, headers=None, **claims):
        """A token for a user; a claim that is None is left out."""
        now = int(time.time())
        claims = {"iss": self.name, "aud": self.audience, "sub": "u-1", "iat": now, "exp": now + 600} | claims
        claims = {name: value for name, value in claims.items() if value is not None}
        return jwt.encode(claims, key or self.keys[algorithm], algorithm, {"kid": algorithm} | (headers or {}))
