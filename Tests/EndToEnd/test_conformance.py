"""tokenctl fetch --conformance: tokend passes, and each fault of a server fails the check that is about it."""

import json
import subprocess
import time
import urllib.parse

import pytest

from build import BUILD
from servers import Handler, Server
from tokenctl import base64url

FAILURE, UNAVAILABLE = 1, 2
KEPT = "Bearer s3cret"


class Response:
    """What a server that keeps the contract sends, for a fault to change."""

    def __init__(self, request):
        path = urllib.parse.urlsplit(request.path).path.split("/")
        self.kind, self.id = path[-2], urllib.parse.unquote(path[-1])
        self.fields, self.authorization = request.headers, request.headers["Authorization"]
        self.now = int(time.time())
        email = f"{self.kind}@fleet.example"
        self.header = {"alg": "RS256", "typ": "JWT", "kid": "key-1"}
        self.claims = {
            "iss": email, "sub": email, "aud": "https://fleetengine.googleapis.com/", "iat": self.now - 60,
            "exp": self.now + 3540, "authorization": {"tripid" if self.kind == "consumer" else "vehicleid": self.id},
        }  # fmt: skip
        self.headers = {"Content-Type": "application/json", "Cache-Control": "no-store"}
        self.status = 200 if self.authorization == KEPT else 401
        self.error, self.extra, self.without = {"error": {"message": "Not allowed."}}, {}, ()
        self.body = None

    @property
    def bytes(self):
        if self.body is not None:
            return self.body
        if self.status != 200:
            return json.dumps(self.error).encode()
        header, claims = (base64url(json.dumps(part).encode()) for part in (self.header, self.claims))
        token = f"{header}.{claims}.c2ln"
        expiry = self.claims["exp"]
        body = {
            "token": token, "jwt": token, "expiresInSeconds": expiry - self.now, "expirationTimestamp": expiry * 1000,
            "expiration_timestamp_ms": expiry * 1000,
        } | self.extra  # fmt: skip
        return json.dumps({name: value for name, value in body.items() if name not in self.without}).encode()


class TokenServer(Server):
    class Handler(Handler):
        def do_GET(self):
            self.server.paths.append(self.path)
            response = Response(self)
            self.server.fault(response)
            self.send(response.status, response.bytes, headers=response.headers)

    def __init__(self):
        super().__init__(self.Handler)
        self.fault, self.paths = lambda response: None, []


@pytest.fixture(scope="module")
def server():
    server = TokenServer()
    yield server
    server.stop()


@pytest.fixture
def check(server, tmp_path):
    def check(*arguments, url=server.url, fault=lambda response: None):
        server.fault, server.paths = fault, []
        (tmp_path / "headers").write_text(f"Authorization: {KEPT}\n")
        result = fetch(url, "--id", "vehicle-1", "--header-file", tmp_path / "headers", *arguments)
        assert "s3cret" not in result.stdout and "eyJ" not in result.stdout + result.stderr
        return result

    return check


def fetch(url, *arguments, kind="driver"):
    command = [BUILD / "tokenctl", "fetch", "--conformance", url, "--kind", kind, *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, timeout=60)


def levels(result):
    return {check["number"]: check["level"] for check in json.loads(result.stdout)["checks"]}


def test_server_that_keeps_the_contract_passes_with_two_requests(check, server):
    result = check()
    assert (result.returncode, result.stderr) == (0, "")
    lines = result.stdout.splitlines()
    assert len(lines) == 11 and lines[0] == "ok    1   https with a trusted certificate, or this machine"
    assert lines[-1] == "0 failed, 10 ok"
    assert len(server.paths) == 2


def test_tokend_in_development_passes(development):
    result = fetch(development.url, "--id", "v1", "-o", "json")
    # A developer's machine knows no callers.
    assert {number for number, level in levels(result).items() if level != "ok"} == {10}
    assert result.returncode == 0


def test_tokend_in_production_passes(serve_solo, tmp_path):
    service = serve_solo(["consumer", "driver"])
    (tmp_path / "headers").write_text(f"Authorization: Bearer {service.key}\n")
    result = fetch(service.url, "--id", "v1", "--header-file", tmp_path / "headers")
    assert result.stdout.endswith("\n0 failed, 10 ok\n"), result.stdout


def claims(**changes):
    return lambda response: response.claims.update(changes)


def times(iat=-60, exp=3540):
    return lambda response: response.claims.update(iat=response.now + iat, exp=response.now + exp)


def headers(**changes):
    return lambda response: response.headers.update({name.replace("_", "-"): value for name, value in changes.items()})


def change(**changes):
    return lambda response: response.__dict__.update(changes)


def where(condition, **changes):
    return lambda response: response.__dict__.update(changes) if condition(response) else None


def extra(**members):
    return lambda response: response.extra.update(
        {name: value(response) if callable(value) else value for name, value in members.items()}
    )


def for_id(value):
    return lambda response: response.claims.update(authorization={"vehicleid": value(response.id)})


FAULTS = [
    (2, "failure", change(status=500)),
    (2, "failure", lambda response: (change(status=302)(response), headers(Location="https://example.com/")(response))),
    (3, "failure", change(body=b"<html>")),
    (3, "failure", change(body=b"[]")),
    (3, "failure", change(body=b"{}" + b" " * 65536)),
    (3, "warning", headers(Content_Type="text/plain")),
    (4, "failure", change(without=("token", "jwt"))),
    (4, "failure", extra(token="abc", jwt="abc")),
    (4, "warning", change(without=("token",))),
    (4, "warning", change(without=("jwt",))),
    (5, "failure", change(without=("expiresInSeconds", "expirationTimestamp", "expiration_timestamp_ms"))),
    (5, "failure", extra(expirationTimestamp=lambda response: response.claims["exp"])),
    (5, "failure", extra(expirationTimestamp=lambda response: str(response.claims["exp"] * 1000))),
    (5, "failure", extra(expiresInSeconds=3540.5)),
    (5, "failure", extra(expiresInSeconds=3_540_000)),
    (6, "failure", times(exp=290)),
    (6, "warning", times(exp=3000)),
    (6, "failure", times(exp=3700)),
    (7, "failure", lambda response: response.header.pop("kid")),
    (7, "failure", lambda response: response.header.update(alg="HS256")),
    (7, "failure", claims(sub="another@fleet.example")),
    (7, "failure", claims(aud="https://fleetengine.googleapis.com")),
    (7, "failure", times(iat=0.5)),
    (7, "failure", times(iat=700)),
    (8, "failure", for_id(lambda id: "*")),
    (8, "failure", for_id(lambda id: id + "-3")),
    (8, "failure", lambda response: response.claims.update(authorization={"tripid": response.id})),
    (8, "failure", lambda response: response.claims.update(authorization={"vehicleid": response.id, "tripid": response.id})),
    (8, "failure", lambda response: response.claims.pop("authorization")),
    (9, "warning", headers(Cache_Control="max-age=60")),
    (9, "warning", headers(Age="1")),
    (9, "warning", headers(Set_Cookie="a=b")),
    (10, "failure", where(lambda response: not response.authorization, status=200)),
    (10, "failure", where(lambda response: not response.authorization, status=302)),
]


@pytest.mark.parametrize("number, level, fault", FAULTS, ids=[f"{number}-{row}" for row, (number, *_) in enumerate(FAULTS)])
def test_fault_fails_the_check_that_is_about_it(check, number, level, fault):
    result = check("-o", "json", fault=fault)
    assert levels(result)[number] == level, result.stdout
    assert result.returncode == (FAILURE if "failure" in levels(result).values() else 0)


def test_failure_and_warning_are_lines_with_what_they_break(check):
    fault = lambda response: (times(exp=290)(response), headers(Age="1")(response))  # noqa: E731
    lines = check(fault=fault).stdout.splitlines()
    assert lines[5] == (
        "FAIL  6   290 s are left. Both SDKs require 300 s, Google's web samples 3,300 s, and Fleet Engine accepts 3,600 s at most."
    )
    assert lines[8] == "warn  9   Age tells that a cache responded. A cache may keep a token, or give it to others."
    assert lines[-1] == "1 failed, 1 warning, 8 ok"


def test_untrusted_certificate_fails_the_first_check(check, serve_solo):
    result = check(url=serve_solo(["driver"], tls=True).url)
    assert result.stdout.startswith("FAIL  1   certificate not trusted") and result.returncode == FAILURE


def test_nothing_is_sent_after_a_response_without_a_token(check, server):
    result = check("-o", "json", fault=change(status=429))
    assert len(server.paths) == 1
    assert {number for number, level in levels(result).items() if level == "skipped"} == {5, 6, 7, 8, 10}


@pytest.mark.parametrize(
    "fields, others",
    [
        ({"Cookie": "session=s3cret; theme=dark"}, {}),
        ({"X-Session": "a s3cret"}, {}),
        ({"authorization": KEPT, "x-api-key": "s3cret", "cookie": "a=s3cret", "X-Tenant": "t"}, {"X-Tenant": "t"}),
    ],
)
def test_each_credential_is_left_out(server, tmp_path, fields, others):
    sent = []
    server.fault = lambda response: sent.append(response.fields) or change(status=200)(response)
    (tmp_path / "headers").write_text("".join(f"{name}: {value}\n" for name, value in fields.items()))
    fetch(server.url, "--id", "vehicle-1", "--header-file", tmp_path / "headers")
    assert [{name: request[name] for name in fields if name in request} for request in sent] == [fields, others]


def test_the_id_has_its_place_in_the_url_of_another_server(check, server):
    result = check(url=server.url + "/fleet/{id}?v=1", fault=for_id(lambda id: id))
    assert result.returncode == 0, result.stdout
    assert server.paths == ["/fleet/vehicle-1?v=1"] * 2


def test_server_without_a_response_is_unavailable(check):
    closed = Server(Handler)
    closed.stop()
    result = check(url=f"{closed.url}/{{id}}?key=s3cret")
    assert (result.returncode, result.stdout) == (UNAVAILABLE, "")
    assert f"Cannot fetch a token from {closed.url}/vehicle-1: " in result.stderr and "s3cret" not in result.stderr
