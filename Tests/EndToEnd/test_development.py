"""tokend dev from the outside, and PyJWT as an independent verifier of every kind of token."""

import concurrent.futures
import json
import os
import pty
import re
import select
import shlex
import subprocess
import time
import urllib.request

import jwt
import pytest

from build import BUILD
from production import patience
from secrecy import MARKERS

AUDIENCE = "https://fleetengine.googleapis.com/"

SCOPES = [
    ("GET", "/token/consumer/trip-1", None, {"tripid": "trip-1"}),
    ("GET", "/token/driver/vehicle-1", None, {"vehicleid": "vehicle-1"}),
    ("GET", "/token/delivery_driver/van-1", None, {"deliveryvehicleid": "van-1"}),
    ("GET", "/token/trusted_delivery_driver/van-1", None, {"deliveryvehicleid": "van-1"}),
    ("GET", "/token/trusted_delivery_driver/van-1?taskId=t", None, {"deliveryvehicleid": "van-1", "taskid": "t"}),
    ("GET", "/token/delivery_consumer/parcel-1", None, {"trackingid": "parcel-1"}),
    ("GET", "/token/delivery_task/task-1", None, {"taskid": "task-1"}),
    ("GET", "/token/server", None, {"tripid": "*", "vehicleid": "*"}),
    ("GET", "/token/fleet_reader", None, {"taskid": "*", "trackingid": "*", "deliveryvehicleid": "*"}),
    ("GET", "/token/delivery_server", None, {"taskid": "*", "trackingid": "*", "deliveryvehicleid": "*"}),
    ("POST", "/token/delivery_server", {"taskIds": ["a", "b"]}, {"taskids": ["a", "b"]}),
]


def ask(url, method="GET", body=None):
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(url, data, {"Content-Type": "application/json"} if data else {}, method=method)
    with urllib.request.urlopen(request, timeout=30) as answer:
        return json.load(answer)


def test_pyjwt_verifies_every_kind(development):
    service = development
    keys = jwt.PyJWKSet.from_dict(ask(service.url + "/.well-known/jwks.json"))
    issuers = set()
    for method, path, body, authorization in SCOPES:
        answer = ask(service.url + path, method, body)
        header = jwt.get_unverified_header(answer["token"])
        assert header == {"alg": "RS256", "typ": "JWT", "kid": header["kid"]}
        claims = jwt.decode(
            answer["token"], keys[header["kid"]], algorithms=["RS256"], audience=AUDIENCE, options={"strict_aud": True}
        )
        assert set(claims) == {"iss", "sub", "aud", "iat", "exp", "authorization"}
        assert claims["authorization"] == authorization
        assert claims["iss"] == claims["sub"]
        assert type(claims["iat"]) is int and type(claims["exp"]) is int
        assert claims["exp"] - claims["iat"] == 3600
        assert claims["exp"] - time.time() <= 3540
        issuers.add(claims["iss"])
    assert len(issuers) == 8, "one account for each role"


def test_banner_has_a_curl_line_that_works_when_pasted(development):
    service = development
    line = next(line for line in service.banner.splitlines() if line.strip().startswith("curl "))
    answer = json.loads(subprocess.run(shlex.split(line), capture_output=True, check=True, timeout=60).stdout)
    assert answer["token"].count(".") == 2
    assert "Google rejects these tokens" in service.banner


def test_log_is_json_and_holds_no_token_and_no_id(start):
    service = start()
    for method, path, body, _ in SCOPES:
        ask(service.url + path, method, body)
    for path in ["/token/driver/%2A", "/token/driver/a%0Ab", "/nowhere%1b[31m", "/token/driver/secret-id/x"]:
        with pytest.raises(urllib.error.HTTPError):
            ask(service.url + path)
    code, log = service.stop()
    assert code == 0
    lines = [json.loads(line) for line in log.splitlines()]
    assert sum(line.get("http.response.status_code") is not None for line in lines) >= len(SCOPES) + 4
    text = log + service.banner.replace("token/consumer/trip-1", "")
    assert not MARKERS.search(text.encode())
    for private in ["trip-1", "secret-id", "\x1b"]:
        assert private not in text


def test_a_key_is_created_on_first_use(start, tmp_path):
    service = start()
    folder = tmp_path / "keys"
    assert [file.name for file in folder.iterdir()] == [".gitignore"]
    with concurrent.futures.ThreadPoolExecutor(8) as pool:
        tokens = list(pool.map(lambda number: ask(f"{service.url}/token/driver/v-{number}")["token"], range(8)))
    assert len({jwt.get_unverified_header(token)["kid"] for token in tokens}) == 1, "one key for all"
    assert {file.name for file in folder.iterdir()} == {".gitignore", "driver.json"}


def test_a_terminals_log_is_for_a_person(tmp_path):
    terminal, end = pty.openpty()
    command = [BUILD / "tokend", "dev", "--port", "0", "--admin-port", "0", "--keys", tmp_path / "keys"]
    service = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=end, text=True)
    try:
        os.close(end)
        url = next(re.search(r"http://\S+", line)[0] for line in service.stdout if "ready" in line)
        ask(url + "/token/consumer/trip-9")
        with pytest.raises(urllib.error.HTTPError):
            ask(url + "/token/consumer/a%2Fb")
        log = b""
        while b"INVALID_ID" not in log:
            assert select.select([terminal], [], [], patience())[0], log
            log += os.read(terminal, 4096)
    finally:
        service.terminate()
        assert service.wait(60) == 0
    lines = log.decode().splitlines()
    assert re.fullmatch(r"\d\d:\d\d:\d\d  200  GET /token/consumer/trip-9  \d+\.\d ms", lines[-2]), lines
    assert re.match(r"\d\d:\d\d:\d\d  400  GET /token/consumer/a%2Fb  INVALID_ID", lines[-1]), lines


@pytest.mark.parametrize(
    "arguments, environment, hint",
    [
        (["--host", "0.0.0.0"], {}, "loopback"), ([], {"KUBERNETES_SERVICE_HOST": "10.0.0.1"}, "KUBERNETES_SERVICE_HOST"),
        (["--service-account", "driver=missing.json"], {}, "missing.json"),
        (["--service-account", "pilot=x.json"], {}, "--service-account"), (["--keys", "/dev/null/keys"], {}, "/dev/null/keys"),
    ],
)  # fmt: skip
def test_unsafe_or_wrong_setting_is_refused(start, arguments, environment, hint):
    with pytest.raises(RuntimeError) as refusal:
        start(*arguments, environment=environment)
    assert hint in str(refusal.value)
    assert "Fatal error" not in str(refusal.value)
