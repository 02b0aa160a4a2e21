"""The sample webhook receiver: who may ask, how it responds, and how it is started."""

import hashlib
import hmac
import importlib.util
import json
import pathlib
import threading
import time

import pytest
from wire import exchange


FOLDER = pathlib.Path(__file__).parents[2] / "deploy" / "webhook"
SECRET = b"0123456789abcdef0123456789abcdef"
OLD_SECRET = b"fedcba9876543210fedcba9876543210"
TABLE = [
    {"caller": "app", "subject": "u-1", "kind": "driver", "ids": ["v1", "v2"]},
    {"caller": "app", "subject": "u-1", "kind": "trusted_delivery_driver", "ids": ["v1"], "tasks": ["t1"]},
    {"caller": "app", "subject": "u-2", "kind": "trusted_delivery_driver", "ids": ["v2"], "tasks": ["t2"]},
]

specification = importlib.util.spec_from_file_location("receiver", FOLDER / "receiver.py")
receiver = importlib.util.module_from_spec(specification)
specification.loader.exec_module(receiver)


@pytest.fixture(scope="module")
def port():
    server = receiver.Receiver(0, [SECRET, OLD_SECRET], TABLE)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield server.server_port
    server.shutdown()
    server.server_close()


def question(kind="driver", subject="u-1", caller="app", **members):
    names = {"method": "jwt", "name": caller, "subject": subject, "claims": {}}
    return json.dumps({"caller": names, "kind": kind, **members}).encode()


def signed(body, secret=SECRET, age=0):
    timestamp = str(int(time.time()) - age)
    signature = hmac.new(secret, timestamp.encode() + b"." + body, hashlib.sha256).hexdigest()
    return {"Fleet-Token-Timestamp": timestamp, "Fleet-Token-Signature": "v1=" + signature}


def post(port, body, headers):
    response = exchange(port, "/authorize", headers.items(), method="POST", body=body)
    return response.status, response.json["allow"]


def test_takes_the_signature_that_the_service_makes():
    """The same vector is in the service's tests; the digits come from openssl dgst -sha256 -hmac."""
    headers = {
        "Fleet-Token-Timestamp": "1795211460",
        "Fleet-Token-Signature": "v1=326e30ebef8f38abb2395867ee7c422900fa994a2a20ec7919e9a6a084ddc55b",
    }
    body = b'{"kind":"driver","ids":["v1"]}'
    assert receiver.is_genuine([SECRET], headers, body, 1795211460)
    assert not receiver.is_genuine([OLD_SECRET], headers, body, 1795211460)


@pytest.mark.parametrize(
    "body, allow",
    [
        (question(ids=["v1"]), True),
        (question(ids=["v3"]), False),
        (question(ids=["v1", "v3"]), False),
        (question(ids=["v1"], subject="u-2"), False),
        (question(ids=["v1"], caller="other"), False),
        (question(ids=["v1"], kind="consumer"), False),
        (question("trusted_delivery_driver", ids=["v1"]), True),
        (question("trusted_delivery_driver", ids=["v1"], tasks=["t1"]), True),
        (question("trusted_delivery_driver", ids=["v1"], tasks=["t2"]), False),
        (question("trusted_delivery_driver", ids=["v2"], tasks=["t2"]), False),
        (question("driver", ids=["v1"], tasks=["t1"]), False),
        (question("server"), False),
    ],
)
def test_one_entry_must_allow_all_of_it(port, body, allow):
    # While the secret is rotated, the receiver accepts both.
    assert post(port, body, signed(body)) == post(port, body, signed(body, OLD_SECRET)) == (200, allow)


@pytest.mark.parametrize("age", [61, 3600, 10**9, -90, -3600])
def test_refuses_what_is_replayed_later(port, age):
    body = question(ids=["v1"])
    assert post(port, body, signed(body, age=age)) == (401, False)


SIGNATURE, TIMESTAMP = "Fleet-Token-Signature", "Fleet-Token-Timestamp"


@pytest.mark.parametrize(
    "field, change",
    [
        (SIGNATURE, None), (TIMESTAMP, None), (SIGNATURE, lambda text: ""), (SIGNATURE, lambda text: text[3:]),
        (SIGNATURE, str.upper), (SIGNATURE, lambda text: text[:-1]), (SIGNATURE, lambda text: "v2" + text[2:]),
        (SIGNATURE, lambda text: "v1=\u00e9"), (TIMESTAMP, lambda text: "+" + text), (TIMESTAMP, lambda text: text + ".0"),
        (TIMESTAMP, lambda text: "9" * 5000),
    ],
)  # fmt: skip
def test_refuses_what_is_not_signed(port, field, change):
    body = question(ids=["v1"])
    headers = signed(body)
    value = headers.pop(field)
    if change:
        headers[field] = change(value)
    assert post(port, body, headers) == (401, False)


@pytest.mark.parametrize(
    "body",
    [
        b"", b"[]", b"nonsense", b"[" * 60000, question(ids="v1").replace(b'"v1"', b"1"), question(ids=[["v1"]]),
        question(ids=["v1"]).replace(b'"kind"', b'"kind": "server", "kind"'),
        b'{"caller": null, "kind": "driver", "ids": ["v1"]}', b'{"kind": "driver", "ids": ["v1"]}',
    ],
)  # fmt: skip
def test_refuses_a_signed_body_that_is_no_question(port, body):
    assert post(port, body, signed(body)) == (400, False)
