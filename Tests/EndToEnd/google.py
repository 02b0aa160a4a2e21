"""Google's endpoints, as strict about what they are sent as Google documents.

One server stands in for four hosts: the metadata server, the IAM Credentials API, the public keys, and Fleet Engine.
`standing` makes it respond otherwise than it should.
"""

import functools
import json
import re
import secrets
import time
import urllib.parse

import jwt
from cryptography.hazmat.primitives.asymmetric import rsa

from servers import Handler, Server, reply

CLAIMS = {"vehicles": "vehicleid", "trips": "tripid"}
ACCOUNT = re.compile(r"[a-z0-9-]+@[a-z0-9.-]+\.gserviceaccount\.com")


def status(code, name="INTERNAL", reason=None, **headers):
    details = [{"@type": "type.googleapis.com/google.rpc.ErrorInfo", "reason": reason}] if reason else []
    return reply(code, {"error": {"code": code, "message": "In words.", "status": name, "details": details}}, **headers)


@functools.cache
def key_of(account):
    """The ID and the key of an account, as long as the tests run."""
    return secrets.token_hex(20), rsa.generate_private_key(65537, 2048)


class Google(Server):
    class Handler(Handler):
        def do_GET(self):
            self.respond(b"")

        def do_POST(self):
            self.respond(self.rfile.read(int(self.headers["Content-Length"])))

        def respond(self, sent):
            google, self.sent = self.server, sent
            endpoint, *arguments = google.route(self)
            google.requests.append(endpoint)
            if endpoint in google.standing:
                return google.standing[endpoint](self)
            getattr(google, endpoint)(self, *arguments)

    def __init__(self, *accounts):
        # `standing` has what a test wants an endpoint to do in place of what it should.
        self.requests, self.complaints, self.standing = [], [], {}
        # How the metadata server names this machine's account; and Fleet Engine's responses by collection.
        self.identity_name, self.fleet = "tokend@my-project.iam.gserviceaccount.com", {}
        # What the metadata server has handed out.
        self.tokens = set()
        # Each account's keys by their IDs, all published; the last one signs.
        self.accounts = {account: dict([key_of(account)]) for account in accounts}
        super().__init__(self.Handler)
        self.host = f"127.0.0.1:{self.server_port}"

    def verify(self, token, account):
        """The claims of a token, checked with the published key that it names."""
        header = jwt.get_unverified_header(token)
        assert header == {"alg": "RS256", "typ": "JWT", "kid": header["kid"]}
        key = self.accounts[account][header["kid"]].public_key()
        return jwt.decode(token, key, ["RS256"], audience="https://fleetengine.googleapis.com/", issuer=account)

    def complain(self, handler, what, code=400):
        self.complaints.append(f"{handler.command} {handler.path}: {what}")
        status(code, "INVALID_ARGUMENT")(handler)

    def route(self, handler):
        url = urllib.parse.urlsplit(handler.path)
        path = url.path if not url.query and not url.fragment else None
        if (handler.command, path) == ("GET", "/computeMetadata/v1/instance/service-accounts/default/token"):
            return ["metadata"]
        match = re.fullmatch(r"/v1/projects/-/serviceAccounts/([^/:]+):signJwt", path or "")
        if handler.command == "POST" and match:
            return ["sign_jwt", urllib.parse.unquote(match[1])]
        match = re.fullmatch(r"/service_accounts/v1/jwk/([^/]+)", path or "")
        if handler.command == "GET" and match:
            return ["keys", urllib.parse.unquote(match[1])]
        match = re.fullmatch(r"/v1/providers/my-project/(vehicles|trips)/(tokend-check-[a-z0-9]+)", path or "")
        if handler.command == "GET" and match:
            return ["fleet_engine", match[1], match[2]]
        if (handler.command, path) == ("GET", "/computeMetadata/v1/instance/service-accounts/default/email"):
            return ["identity", self.identity_name]
        if (handler.command, path) == ("GET", "/computeMetadata/v1/project/numeric-project-id"):
            return ["identity", "123456789012"]
        return ["unknown"]

    def unknown(self, handler):
        self.complain(handler, "there is nothing here", 404)

    def identity(self, handler, name):
        if handler.headers.get_all("Metadata-Flavor") != ["Google"]:
            return self.complain(handler, "there is no Metadata-Flavor: Google", 403)
        handler.send(200, name.encode(), headers={"Metadata-Flavor": "Google"})

    def fleet_engine(self, handler, collection, id):
        """Says that it has no such resource, to those whose token is for it."""
        token = handler.headers["Authorization"].removeprefix("Bearer ")
        if not any(jwt.get_unverified_header(token)["kid"] in keys for keys in self.accounts.values()):
            return status(401, "UNAUTHENTICATED")(handler)
        claims = self.verify(token, jwt.decode(token, options={"verify_signature": False})["iss"])
        if claims["authorization"] != {CLAIMS[collection]: id}:
            self.complain(handler, f"the token is for {claims['authorization']}")
        self.fleet.get(collection, status(404, "NOT_FOUND"))(handler)

    def metadata(self, handler):
        if handler.headers.get_all("Metadata-Flavor") != ["Google"]:
            return self.complain(handler, "there is no Metadata-Flavor: Google", 403)
        if "X-Forwarded-For" in handler.headers or "Authorization" in handler.headers:
            return self.complain(handler, "there are header fields that have no place here", 403)
        token = "ya29." + secrets.token_urlsafe(96)
        self.tokens.add(token)
        response = {"access_token": token, "expires_in": 3600, "token_type": "Bearer"}
        handler.send(200, response, headers={"Metadata-Flavor": "Google"})

    def sign_jwt(self, handler, account):
        scheme, _, token = handler.headers.get("Authorization", "").partition(" ")
        if scheme != "Bearer" or token not in self.tokens:
            return self.complain(handler, "this access token was not handed out here", 401)
        if handler.headers.get_content_type() != "application/json":
            return self.complain(handler, "the body is not JSON")
        if not ACCOUNT.fullmatch(account):
            return self.complain(handler, "this is no account")
        if account not in self.accounts:
            return status(403, "PERMISSION_DENIED", "IAM_PERMISSION_DENIED")(handler)
        try:
            sent = json.loads(handler.sent)
            assert set(sent) <= {"payload", "delegates"} and isinstance(sent["payload"], str)
            claims = json.loads(sent["payload"])
            now = time.time()
            assert isinstance(claims, dict) and isinstance(claims["exp"], int) and now < claims["exp"] <= now + 12 * 3600
        except (ValueError, KeyError, AssertionError) as error:
            return self.complain(handler, f"the body is not one for signJwt: {error!r}")
        key_id, key = list(self.accounts[account].items())[-1]
        handler.send(200, {"keyId": key_id, "signedJwt": self.sign(sent["payload"].encode(), key_id, key)})

    @staticmethod
    def sign(payload, key_id, key):
        """Signs the payload as it came, as Google does."""
        return jwt.PyJWS().encode(payload, key, "RS256", {"typ": "JWT", "kid": key_id})

    def keys(self, handler, account):
        if account not in self.accounts:
            return status(404, "NOT_FOUND")(handler)
        algorithm = jwt.algorithms.RSAAlgorithm
        keys = []
        for key_id, key in self.accounts[account].items():
            numbers = algorithm.to_jwk(key.public_key(), as_dict=True)
            keys.append({"kid": key_id, "alg": "RS256", "use": "sig"} | {name: numbers[name] for name in ("kty", "n", "e")})
        handler.send(200, {"keys": keys})
