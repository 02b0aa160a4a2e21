"""`tokenctl doctor --live`: what Fleet Engine says of the tokens, with a Fleet Engine that tests script."""

import http.server
import json
import re
import threading

import jwt
import pytest

from production import tool
from test_doctor import CONSUMER, DRIVER, fake, key_file, patient  # noqa: F401

FLEET_ENGINE = "https://fleetengine.googleapis.com/"
CLAIMS = {"vehicles": "vehicleid", "trips": "tripid"}


def error(code, status, *reasons):
    details = [{"@type": "type.googleapis.com/google.rpc.ErrorInfo", "reason": reason} for reason in reasons]
    return code, json.dumps({"error": {"code": code, "status": status, "message": "SECRET", "details": details}})


NOT_FOUND = error(404, "NOT_FOUND")


class FleetEngine(http.server.ThreadingHTTPServer):
    """Checks each request as Google would, and gives the scripted response to those without a mistake."""

    def __init__(self, fake):
        super().__init__(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server_port}"
        self.fake, self.requests, self.complaints = fake, [], []
        self.responses = {}
        threading.Thread(target=self.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True).start()

    def response(self, method, path, authorization):
        self.requests.append(path)
        place = re.fullmatch(r"/v1/providers/my-project/(vehicles|trips)/(doctor-[a-z0-9]+)", path)
        token = authorization.removeprefix("Bearer ")
        header, issuer = jwt.get_unverified_header(token), jwt.decode(token, options={"verify_signature": False})["iss"]
        key = self.fake.accounts[issuer][header["kid"]].public_key()
        claims = jwt.decode(token, key, algorithms=["RS256"], audience=FLEET_ENGINE)
        if method != "GET" or not place or claims["authorization"] != {CLAIMS[place[1]]: place[2]}:
            self.complaints.append(f"{method} {path} {claims}")
        return self.responses.get(place and place[1], NOT_FOUND)

    def stop(self):
        self.shutdown()
        self.server_close()


class Handler(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        status, body = self.server.response(self.command, self.path, self.headers["Authorization"])
        self.send_response(status)
        if status == 302:
            self.send_header("Location", "http://127.0.0.1:1/")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body.encode())

    def log_message(self, *_):
        pass


@pytest.fixture
def engine(fake):  # noqa: F811
    engine = FleetEngine(fake)
    yield engine
    engine.stop()
    assert engine.complaints == []


def live(patient, engine, *options):  # noqa: F811
    report = patient.see_doctor("--live", "--yes", "--fleet-engine", engine if isinstance(engine, str) else engine.url, *options)
    assert "SECRET" not in report
    return report


def test_accepted_tokens_are_ok(patient, engine):  # noqa: F811
    report = live(patient, engine)
    assert "FAIL" not in report
    for kind, account in [("driver", DRIVER), ("consumer", CONSUMER)]:
        assert f"Fleet Engine accepts {kind} tokens of {account} in my-project." in report
    assert len(engine.requests) == 2


@pytest.mark.parametrize(
    ("response", "level", "texts"),
    [
        ((200, "{}"), "ok", ["Fleet Engine accepts driver tokens"]),
        (
            error(403, "PERMISSION_DENIED", "IAM_PERMISSION_DENIED"), "FAIL",
            ["does not have roles/fleetengine.driverSdkUser in my-project",
             f"gcloud projects add-iam-policy-binding my-project --member=serviceAccount:{DRIVER} --role=roles/fleetengine.driverSdkUser"],
        ),
        (
            error(403, "PERMISSION_DENIED", "SERVICE_DISABLED"), "FAIL",
            ["The Fleet Engine API is not enabled in my-project", "gcloud services enable fleetengine.googleapis.com --project=my-project"],
        ),
        (error(401, "UNAUTHENTICATED"), "FAIL", ["rejected the token", "key", "clock", "my-project is not the account's project"]),
        (error(503, "UNAVAILABLE"), "warn", ["unavailable or overloaded", "Run this check again"]),
        (error(429, "RESOURCE_EXHAUSTED"), "warn", ["unavailable or overloaded"]),
        ((404, "<html>SECRET</html>"), "FAIL", ["unexpected (status 404)", "--fleet-engine"]),
        ((302, ""), "FAIL", ["unexpected (status 302)"]),
        (error(400, "INVALID_ARGUMENT"), "FAIL", ["unexpected (status 400, INVALID_ARGUMENT)"]),
    ],
    ids=["found", "role", "API", "token", "outage", "quota", "no-API-there", "redirect", "invalid"],
)
def test_each_response_says_what_to_do(patient, engine, response, level, texts):  # noqa: F811
    engine.responses["vehicles"] = response
    report = live(patient, engine)
    [line] = [line for line in report.splitlines() if re.match(r"\S+ +kinds.driver ", line) and texts[0] in line]
    assert line.startswith(level)
    for text in texts:
        assert text in line
    assert f"Fleet Engine accepts consumer tokens of {CONSUMER}" in report, "the other kind is checked as well"


def test_an_unreachable_fleet_engine_fails(patient, engine):  # noqa: F811
    engine.stop()
    report = live(patient, "http://127.0.0.1:1")
    assert len(re.findall(r"^FAIL .*Fleet Engine at http://127.0.0.1:1 is unreachable: .*refused", report, re.M)) == 2, report


def test_nothing_is_called_without_a_yes(patient, engine):  # noqa: F811
    result = tool(
        "tokenctl", "doctor", "--config", patient.site.write().name, "--live", "--fleet-engine", engine.url,
        check=False, cwd=patient.folder, input="y\n",
    )
    assert result.returncode == 64
    assert "Confirm with --yes" in result.stderr
    assert engine.requests == []
