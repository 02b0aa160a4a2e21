"""`tokenctl doctor --live`: what Fleet Engine says of the tokens, with a Fleet Engine that tests script."""

import re

import jwt
import pytest

from servers import Handler, Server, reply
from test_doctor import CONSUMER, DRIVER, fake, key_file, patient  # noqa: F401

CLAIMS = {"vehicles": "vehicleid", "trips": "tripid"}


def error(code, status, *reasons):
    details = [{"@type": "type.googleapis.com/google.rpc.ErrorInfo", "reason": reason} for reason in reasons]
    return reply(code, {"error": {"code": code, "status": status, "message": "SECRET", "details": details}})


class FleetEngine(Server):
    """Checks each request as Google would, and gives the scripted response to those without a mistake."""

    class Handler(Handler):
        def do_GET(self):
            self.server.respond(self)

    def __init__(self, fake):
        self.fake, self.requests, self.complaints, self.responses = fake, [], [], {}
        super().__init__(self.Handler)

    def respond(self, handler):
        self.requests.append(handler.path)
        place = re.fullmatch(r"/v1/providers/my-project/(vehicles|trips)/(doctor-[a-z0-9]+)", handler.path)
        token = handler.headers["Authorization"].removeprefix("Bearer ")
        claims = self.fake.verify(token, jwt.decode(token, options={"verify_signature": False})["iss"])
        if not place or claims["authorization"] != {CLAIMS[place[1]]: place[2]}:
            self.complaints.append(f"{handler.path} {claims}")
        self.responses.get(place and place[1], error(404, "NOT_FOUND"))(handler)


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
        (reply(200, {}), "ok", ["Fleet Engine accepts driver tokens"]),
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
        (reply(404, b"<html>SECRET</html>"), "FAIL", ["unexpected (status 404)", "--fleet-engine"]),
        (reply(302, Location="http://127.0.0.1:1/"), "FAIL", ["unexpected (status 302)"]),
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
    result = patient.site.doctor("--live", "--fleet-engine", engine.url, input="y\n")
    assert result.returncode == 64
    assert "Confirm with --yes" in result.stderr
    assert engine.requests == []
