"""tokend dev from the outside, and PyJWT as an independent verifier of every kind of token."""

import json
import re
import shlex
import subprocess
import time

import jwt
import pytest

import kinds
from secrecy import MARKERS
from wire import exchange

AUDIENCE = "https://fleetengine.googleapis.com/"

SCOPES = [
    (
        "GET" if "path" in case else "POST",
        case.get("path", f"/token/{case['kind']}"),
        None if "path" in case else case["request"],
        case["claims"],
    )
    for case in kinds.CASES
]


def ask(service, path, method="GET", body=None):
    response = exchange(service.port, path, method=method, body=None if body is None else json.dumps(body).encode())
    assert response.status == 200, response.body
    return response.json


def test_pyjwt_verifies_every_kind(development):
    service = development
    keys = jwt.PyJWKSet.from_dict(ask(service, "/.well-known/jwks.json"))
    issuers = set()
    for method, path, body, authorization in SCOPES:
        response = ask(service, path, method, body)
        header = jwt.get_unverified_header(response["token"])
        assert header == {"alg": "RS256", "typ": "JWT", "kid": header["kid"]}
        claims = jwt.decode(
            response["token"], keys[header["kid"]], algorithms=["RS256"], audience=AUDIENCE, options={"strict_aud": True}
        )
        assert set(claims) == {"iss", "sub", "aud", "iat", "exp", "authorization"}
        assert claims["authorization"] == authorization
        assert claims["iss"] == claims["sub"]
        assert type(claims["iat"]) is int and type(claims["exp"]) is int
        assert claims["exp"] - claims["iat"] == 3600
        assert claims["exp"] - time.time() <= 3540
        issuers.add(claims["iss"])
    assert len(issuers) == len(set(kinds.ROLES.values())), "one account for each role"


def test_banner_has_a_curl_line_that_works_when_pasted(development):
    service = development
    line = next(line for line in service.banner.splitlines() if line.strip().startswith("curl "))
    response = json.loads(subprocess.run(shlex.split(line), capture_output=True, check=True, timeout=60).stdout)
    assert response["token"].count(".") == 2
    assert "Google rejects these tokens" in service.banner


def test_log_is_for_people_and_holds_no_token_and_no_id(start, development):
    # With keys that are there: new ones take seconds.
    service = start(keys=development.process.folder)
    for method, path, body, _ in SCOPES:
        ask(service, path, method, body)
    for path in ["/token/driver/%2A", "/token/driver/a%0Ab", "/nowhere%1b[31m", "/token/driver/secret-id/x"]:
        assert exchange(service.port, path).status in (400, 404)
    assert service.stop() == 0
    log = service.log.read_text()
    assert len(re.findall(r"info tokend: request latency=\S+ requestMethod=\w+ requestUrl=\S+ status=\d+", log)) >= len(SCOPES) + 4
    text = log + service.banner.replace("token/consumer/trip-1", "")
    assert not MARKERS.search(text.encode())
    for private in ["trip-1", "secret-id", "\x1b"]:
        assert private not in text


def test_a_place_of_production_is_refused(start):
    with pytest.raises(AssertionError, match="KUBERNETES_SERVICE_HOST"):
        start(environment={"KUBERNETES_SERVICE_HOST": "10.0.0.1"})
