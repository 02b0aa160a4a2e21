"""tokenctl fetch --conformance: tokend passes, and each fault of a server fails the check that is about it."""

import base64
import functools
import json
import subprocess
import time
import urllib.parse

import pytest

from build import BUILD
from servers import Handler, Server

FAILURE, UNAVAILABLE = 1, 2
KEPT = "Bearer s3cret"


def base64url(value):
    return base64.urlsafe_b64encode(json.dumps(value).encode()).rstrip(b"=").decode()


class Answer:
    """What a server that keeps the contract answers, for a fault to change."""

    def __init__(self, request):
        path = urllib.parse.urlsplit(request.path).path.split("/")
        self.kind, self.id = path[-2], urllib.parse.unquote(path[-1])
        self.fields, self.authorization = request.headers, request.headers["Authorization"]
        self.must_be_new = request.headers["Fleet-Token-Reuse"] == "no"
        self.now = int(time.time())
        email = f"{self.kind}@fleet.example"
        self.header = {"alg": "RS256", "typ": "JWT", "kid": "key-1"}
        self.claims = {
            "iss": email, "sub": email, "aud": "https://fleetengine.googleapis.com/", "iat": self.now - 60 - self.must_be_new,
            "exp": self.now + 3540, "authorization": {"tripid" if self.kind == "consumer" else "vehicleid": self.id},
        }  # fmt: skip
        self.headers = {"Content-Type": "application/json", "Cache-Control": "no-store"}
        self.status = 401 if self.authorization != KEPT else 403 if self.id == "foreign" else 200
        if not 1 <= len(self.id) <= 64:
            self.status = 400
        self.error, self.extra, self.without = {"error": {"message": "Not allowed."}}, {}, ()
        self.body = None

    @property
    def bytes(self):
        if self.body is not None:
            return self.body
        if self.status != 200:
            return json.dumps(self.error).encode()
        token = f"{base64url(self.header)}.{base64url(self.claims)}.c2ln"
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
            answer = Answer(self)
            self.server.fault(answer)
            self.send(answer.status, answer.bytes, headers=answer.headers)

    def __init__(self):
        super().__init__(self.Handler)
        self.fault, self.paths = lambda answer: None, []


@pytest.fixture(scope="module")
def server():
    server = TokenServer()
    yield server
    server.stop()


@pytest.fixture
def check(server, tmp_path):
    def check(*arguments, url=server.url, fault=lambda answer: None):
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


def test_server_that_keeps_the_contract_passes_with_nine_requests(check, server):
    result = check("--other-id", "foreign")
    assert (result.returncode, result.stderr) == (0, "")
    lines = result.stdout.splitlines()
    assert len(lines) == 19 and lines[0] == "ok    1   https with a trusted certificate, or this machine"
    assert lines[-1] == "0 failed, 18 ok"
    assert len(server.paths) == 9


def test_tokend_in_development_passes(development):
    result = fetch(development.url, "--id", "v1", "-o", "json")
    # A developer's machine knows no callers.
    assert {number for number, level in levels(result).items() if level != "ok"} == {14, 15}
    assert result.returncode == 0


def test_tokend_in_production_passes(serve_solo, tmp_path):
    service = serve_solo(["consumer", "driver"])
    (tmp_path / "headers").write_text(f"Authorization: Bearer {service.key}\n")
    result = fetch(service.url, "--id", "v1", "--header-file", tmp_path / "headers")
    assert result.stdout.endswith("\n0 failed, 18 ok\n"), result.stdout


def claims(**changes):
    return lambda answer: answer.claims.update(changes)


def times(iat=-60, exp=3540):
    return lambda answer: answer.claims.update(iat=answer.now + iat, exp=answer.now + exp)


def headers(**changes):
    return lambda answer: answer.headers.update({name.replace("_", "-"): value for name, value in changes.items()})


def change(**changes):
    return lambda answer: answer.__dict__.update(changes)


def where(condition, **changes):
    return lambda answer: answer.__dict__.update(changes) if condition(answer) else None


def extra(**members):
    return lambda answer: answer.extra.update(
        {name: value(answer) if callable(value) else value for name, value in members.items()}
    )


def for_id(value):
    return lambda answer: answer.claims.update(authorization={"vehicleid": value(answer.id)})


FAULTS = [
    (2, "failure", change(status=500)),
    (2, "failure", lambda answer: (change(status=302)(answer), headers(Location="https://example.com/")(answer))),
    (3, "failure", change(body=b"<html>")),
    (3, "failure", change(body=b"[]")),
    (3, "failure", change(body=b"{}" + b" " * 65536)),
    (3, "warning", headers(Content_Type="text/plain")),
    (4, "failure", change(without=("token", "jwt"))),
    (4, "failure", extra(token="abc", jwt="abc")),
    (4, "warning", change(without=("token",))),
    (4, "warning", change(without=("jwt",))),
    (5, "failure", change(without=("expiresInSeconds", "expirationTimestamp", "expiration_timestamp_ms"))),
    (5, "failure", extra(expirationTimestamp=lambda answer: answer.claims["exp"])),
    (5, "failure", extra(expirationTimestamp=lambda answer: str(answer.claims["exp"] * 1000))),
    (5, "failure", extra(expiresInSeconds=3540.5)),
    (5, "failure", extra(expiresInSeconds=3_540_000)),
    (6, "failure", extra(expiresInSeconds=3600)),
    (6, "failure", extra(expirationTimestamp=lambda answer: answer.claims["exp"] * 1000 + 9000)),
    (7, "failure", times(exp=290)),
    (7, "warning", times(exp=3000)),
    (7, "failure", times(exp=3700)),
    (8, "failure", lambda answer: answer.header.pop("kid")),
    (8, "failure", lambda answer: answer.header.update(alg="HS256")),
    (8, "failure", claims(sub="another@fleet.example")),
    (8, "failure", claims(aud="https://fleetengine.googleapis.com")),
    (8, "failure", times(iat=0.5)),
    (8, "failure", times(iat=700)),
    (9, "failure", for_id(lambda id: "*")),
    (9, "failure", for_id(lambda id: id + "-3")),
    (9, "failure", lambda answer: answer.claims.update(authorization={"tripid": answer.id})),
    (9, "failure", lambda answer: answer.claims.update(authorization={"vehicleid": answer.id, "tripid": answer.id})),
    (9, "failure", lambda answer: answer.claims.pop("authorization")),
    (10, "warning", claims(iss="one@fleet.example", sub="one@fleet.example")),
    (11, "failure", for_id(lambda id: "vehicle-1")),
    (11, "failure", where(lambda answer: answer.id == "vehicle-1-2", status=500)),
    (11, "failure", where(lambda answer: answer.id == "vehicle-1-2", body=b"{}")),
    (12, "failure", for_id(lambda id: urllib.parse.quote(id))),
    (12, "failure", where(lambda answer: " " in answer.id, status=500)),
    (13, "warning", where(lambda answer: not answer.id, status=200)),
    (13, "warning", where(lambda answer: len(answer.id) > 64, status=200)),
    (14, "failure", where(lambda answer: not answer.authorization, status=200)),
    (14, "failure", where(lambda answer: not answer.authorization, status=302)),
    (15, "failure", where(lambda answer: answer.authorization not in (None, KEPT), status=403)),
    (15, "failure", where(lambda answer: answer.authorization not in (None, KEPT), status=400)),
    (16, "warning", lambda answer: answer.claims.update(iat=answer.now // 1000 * 1000 - 600, exp=answer.now // 1000 * 1000)),
    (17, "warning", headers(Cache_Control="max-age=60")),
    (17, "warning", headers(Age="1")),
    (17, "warning", headers(Set_Cookie="a=b")),
    (18, "warning", where(lambda answer: answer.status == 401, body=b"Unauthorized")),
    (18, "warning", lambda answer: change(error={"error": answer.id})(answer)),
    (18, "warning", where(lambda answer: not answer.id, status=503)),
]


@pytest.mark.parametrize("number, level, fault", FAULTS, ids=[f"{number}-{row}" for row, (number, *_) in enumerate(FAULTS)])
def test_fault_fails_the_check_that_is_about_it(check, number, level, fault):
    result = check("-o", "json", fault=fault)
    assert levels(result)[number] == level, result.stdout
    assert result.returncode == (FAILURE if "failure" in levels(result).values() else 0)


def test_failure_and_warning_are_lines_with_what_they_break(check):
    lines = check("--other-id", "foreign", fault=times(exp=290)).stdout.splitlines()
    assert lines[6] == (
        "FAIL  7   290 s are left. Both SDKs require 300 s, Google's web samples 3,300 s, and Fleet Engine accepts 3,600 s at most."
    )
    assert lines[-1] == "1 failed, 1 warning, 16 ok"


def test_access_to_an_id_of_another_fails(check):
    result = check("--other-id", "vehicle-2", "-o", "json")
    assert levels(result)[11] == "failure" and result.returncode == FAILURE


def test_untrusted_certificate_fails_the_first_check(check, serve_solo):
    result = check(url=serve_solo(["driver"], tls=True).url)
    assert result.stdout.startswith("FAIL  1   certificate not trusted") and result.returncode == FAILURE


def test_nothing_is_sent_after_429(check, server):
    def fault(answer):
        if len(server.paths) == 3:
            answer.status = 429

    result = check("-o", "json", fault=fault)
    assert len(server.paths) == 3
    assert {number for number, level in levels(result).items() if level == "skipped"} == {10, 12, 13, 14, 15, 16}
    assert levels(result)[18] == "warning", "429 without Retry-After"


@pytest.mark.parametrize(
    "fields, without, wrong",
    [
        ({"Cookie": "session=s3cret; theme=dark"}, {}, {"Cookie": "conformance-wrong"}),
        ({"X-Session": "a s3cret"}, {}, {"X-Session": "conformance-wrong"}),
        (
            {"authorization": KEPT, "x-api-key": "s3cret", "cookie": "a=s3cret", "X-Tenant": "t"},
            {"X-Tenant": "t"},
            {"authorization": "Bearer conformance-wrong", "x-api-key": "conformance-wrong", "cookie": "conformance-wrong"},
        ),
    ],
)
def test_each_credential_is_left_out_and_replaced(server, tmp_path, fields, without, wrong):
    sent = []
    server.fault = lambda answer: sent.append(answer.fields) or change(status=200)(answer)
    (tmp_path / "headers").write_text("".join(f"{name}: {value}\n" for name, value in fields.items()))
    fetch(server.url, "--id", "vehicle-1", "--header-file", tmp_path / "headers")
    none, false = [{name: request[name] for name in fields if name in request} for request in sent[-2:]]
    assert (len(sent), none, false) == (9, without, without | wrong)


def test_keys_and_place_of_the_id_of_another_server(check, server):
    fault = lambda answer: (  # noqa: E731
        answer.claims.update(authorization={"vehicleid": answer.id}),
        extra(result=lambda answer: {"jwt": "", "expires": answer.claims["exp"]})(answer),
    )
    url = server.url + "/fleet/{id}?v=1"
    result = check("--expiry-key", "result.expires", "--unit", "secondsSince1970", "-o", "json", url=url, fault=fault)
    # Its path has no kind, which the second kind needs.
    assert {number for number, level in levels(result).items() if level != "ok"} == {10}, result.stdout
    assert server.paths[0] == "/fleet/vehicle-1?v=1"


def test_server_without_a_response_is_unavailable(check):
    closed = Server(Handler)
    closed.stop()
    result = check(url=closed.url)
    assert (result.returncode, result.stdout) == (UNAVAILABLE, "") and "Cannot fetch a token" in result.stderr
