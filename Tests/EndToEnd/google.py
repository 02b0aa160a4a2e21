"""Google's endpoints for signing without a key file: as strict about what they are sent as Google documents.

One server stands in for four hosts: the metadata server, the OAuth server, the IAM Credentials API, and the public keys.
`always` makes it answer otherwise than it should.
"""

import http.server
import json
import re
import secrets
import threading
import time
import urllib.parse

import jwt
from cryptography.hazmat.primitives.asymmetric import rsa

ACCOUNT = re.compile(r"[a-z0-9-]+@[a-z0-9.-]+\.gserviceaccount\.com")
AUDIENCE = "https://oauth2.googleapis.com/token"
SCOPES = {"https://www.googleapis.com/auth/iam", "https://www.googleapis.com/auth/cloud-platform"}


def status(code, name="INTERNAL", reason=None, **headers):
    details = [{"@type": "type.googleapis.com/google.rpc.ErrorInfo", "reason": reason}] if reason else []
    error = {"code": code, "message": "In words.", "status": name, "details": details}
    return lambda handler: handler.reply(code, {"error": error}, headers)


def hang_up(handler):
    handler.close_connection = True


def hang(handler):
    """No answer until the test lets go."""
    handler.server.released.wait(60)
    handler.close_connection = True


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self):
        self.answer(b"")

    def do_POST(self):
        self.answer(self.rfile.read(int(self.headers["Content-Length"])))

    def answer(self, sent):
        google, self.sent = self.server, sent
        endpoint, *arguments = google.route(self)
        with google.lock:
            google.requests.append(endpoint)
            misbehaviour = google.standing.get(endpoint)
        try:
            (misbehaviour or getattr(google, endpoint))(self, *([] if misbehaviour else arguments))
        except OSError:
            pass  # The service hung up, as it should when an answer is too long or too late.

    def reply(self, code, value, headers=(), length=None):
        data = value.encode() if isinstance(value, str) else json.dumps(value).encode()
        self.send_response(code)
        self.send_header("Content-Type", "application/json; charset=UTF-8")
        for name, text in dict(headers).items():
            self.send_header(name.replace("_", "-"), text)
        self.send_header("Content-Length", str(len(data) if length is None else length))
        self.end_headers()
        self.wfile.write(data)
        if length is not None:
            self.close_connection = True

    def log_message(self, *_):
        pass


class Google(http.server.ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 256

    def __init__(self, *accounts):
        super().__init__(("127.0.0.1", 0), Handler)
        self.host = f"127.0.0.1:{self.server_port}"
        self.lock = threading.Lock()
        self.released = threading.Event()
        self.requests, self.complaints = [], []
        self.standing = {}
        # What the metadata server hands out, by its expiry; and how long a new one lives.
        self.tokens, self.lifetime = {}, 3600
        # Whose assertions the OAuth server takes: the public key for each address and key ID.
        self.callers = {}
        self.accounts = {}
        for account in accounts:
            self.accounts[account] = {}
            self.rotate(account)
        threading.Thread(target=self.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True).start()

    # What tests do

    def always(self, endpoint, answer):
        with self.lock:
            self.standing[endpoint] = answer

    def behave(self):
        with self.lock:
            self.standing = {}

    def rotate(self, account):
        """Signs with a new key from now on; the old ones stay published."""
        key = rsa.generate_private_key(public_exponent=65537, key_size=2048)
        self.accounts[account] = self.accounts[account] | {secrets.token_hex(20): key}

    def count(self, endpoint):
        return self.requests.count(endpoint)

    def verify(self, token, account):
        """The claims of a token, checked with the published key that it names."""
        header = jwt.get_unverified_header(token)
        assert header == {"alg": "RS256", "typ": "JWT", "kid": header["kid"]}
        key = self.accounts[account][header["kid"]].public_key()
        return jwt.decode(token, key, ["RS256"], audience="https://fleetengine.googleapis.com/", issuer=account)

    # What it does

    def complain(self, handler, what, code=400):
        self.complaints.append(f"{handler.command} {handler.path}: {what}")
        status(code, "INVALID_ARGUMENT")(handler)

    def route(self, handler):
        url = urllib.parse.urlsplit(handler.path)
        path = url.path if not url.query and not url.fragment else None
        if (handler.command, path) == ("GET", "/computeMetadata/v1/instance/service-accounts/default/token"):
            return ["metadata"]
        if (handler.command, path) == ("POST", "/token"):
            return ["oauth"]
        match = re.fullmatch(r"/v1/projects/-/serviceAccounts/([^/:]+):signJwt", path or "")
        if handler.command == "POST" and match:
            return ["sign_jwt", urllib.parse.unquote(match[1])]
        match = re.fullmatch(r"/service_accounts/v1/jwk/([^/]+)", path or "")
        if handler.command == "GET" and match:
            return ["keys", urllib.parse.unquote(match[1])]
        return ["unknown"]

    def unknown(self, handler):
        self.complain(handler, "there is nothing here", 404)

    def new_token(self, handler, **headers):
        token = "ya29." + secrets.token_urlsafe(96)
        with self.lock:
            self.tokens[token] = time.time() + self.lifetime
        answer = {"access_token": token, "expires_in": self.lifetime, "token_type": "Bearer"}
        handler.reply(200, answer, headers)

    def metadata(self, handler):
        if handler.headers.get_all("Metadata-Flavor") != ["Google"]:
            return self.complain(handler, "there is no Metadata-Flavor: Google", 403)
        if "X-Forwarded-For" in handler.headers or "Authorization" in handler.headers:
            return self.complain(handler, "there are header fields that have no place here", 403)
        self.new_token(handler, Metadata_Flavor="Google")

    def oauth(self, handler):
        if handler.headers["Content-Type"] != "application/x-www-form-urlencoded":
            return self.complain(handler, "this is no form")
        form = urllib.parse.parse_qs(handler.sent.decode(), strict_parsing=True)
        grant = ["urn:ietf:params:oauth:grant-type:jwt-bearer"]
        if set(form) != {"grant_type", "assertion"} or form["grant_type"] != grant or len(form["assertion"]) != 1:
            return self.complain(handler, "this is not a JWT bearer grant")
        try:
            assertion = form["assertion"][0]
            header = jwt.get_unverified_header(assertion)
            issuer = jwt.decode(assertion, options={"verify_signature": False})["iss"]
            claims = jwt.decode(
                assertion,
                self.callers[issuer, header["kid"]],
                ["RS256"],
                audience=AUDIENCE,
                options={"require": ["iss", "aud", "iat", "exp", "scope"], "strict_aud": True},
            )
        except (jwt.InvalidTokenError, KeyError) as error:
            self.complaints.append(f"the assertion is not valid: {error!r}")
            return handler.reply(400, {"error": "invalid_grant", "error_description": "Invalid JWT Signature."})
        if not set(claims["scope"].split()) <= SCOPES or claims["exp"] - claims["iat"] > 3600:
            return self.complain(handler, "the assertion asks for too much")
        self.new_token(handler)

    def sign_jwt(self, handler, account):
        scheme, _, token = handler.headers.get("Authorization", "").partition(" ")
        if scheme != "Bearer" or token not in self.tokens:
            return self.complain(handler, "this access token was not handed out here", 401)
        if self.tokens[token] <= time.time():
            return status(401, "UNAUTHENTICATED", "ACCESS_TOKEN_EXPIRED")(handler)
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
        handler.reply(200, {"keyId": key_id, "signedJwt": self.sign(sent["payload"].encode(), key_id, key)})

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
        handler.reply(200, {"keys": keys})

    def handle_error(self, *_):
        pass

    def stop(self):
        self.released.set()
        self.shutdown()
        self.server_close()
