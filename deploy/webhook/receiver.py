#!/usr/bin/env python3
"""A sample authorization webhook for tokend, as a starting point for your own.

It verifies the signature and time of each request, and decides by a table:

    [{"caller": "driver-app", "subject": "u-1", "kind": "trusted_delivery_driver", "ids": ["van-1"], "tasks": ["t-1"]}]

    (umask 077; openssl rand -hex 32 > secret)
    receiver.py --table table.json --secret-file secret

With two secret files it accepts either secret, so that you can rotate the secret without downtime. Requests have no side
effects, so replays within the time window are harmless and are not tracked.
"""

import argparse
import hashlib
import hmac
import http.server
import json
import pathlib
import re
import time

WINDOW = 60  # seconds, for clock difference and network latency
MAXIMUM_BODY = 64 * 1024


def is_genuine(secrets, headers, body, now):
    """Returns whether the body has a recent signature made with one of the secrets."""
    timestamp = headers.get("Fleet-Token-Timestamp", "")
    if not re.fullmatch("[0-9]{1,12}", timestamp) or abs(now - int(timestamp)) > WINDOW:
        return False
    given = headers.get("Fleet-Token-Signature", "").encode()
    message = timestamp.encode() + b"." + body
    expected = [b"v1=" + hmac.new(secret, message, hashlib.sha256).hexdigest().encode() for secret in secrets]
    return any([hmac.compare_digest(given, signature) for signature in expected])


def is_allowed(table, question):
    """Returns whether one entry of the table allows the whole request."""
    caller, ids, tasks = question["caller"], set(question.get("ids", [])), set(question.get("tasks", []))
    return any(
        (entry["caller"], entry["subject"], entry["kind"]) == (caller["name"], caller["subject"], question["kind"])
        # Without IDs the token would give access to everything. The empty set is a subset of every set, so check it here.
        and ids and ids <= set(entry["ids"]) and tasks <= set(entry.get("tasks", []))
        for entry in table
    )


def members(pairs):
    """Returns an object's members; refuses duplicate names."""
    if len(dict(pairs)) < len(pairs):
        raise ValueError("duplicate name")
    return dict(pairs)


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    timeout = 5
    # Send each response in one write: separate writes can be delayed 40 ms by Nagle's algorithm and delayed ACKs.
    wbufsize = -1
    disable_nagle_algorithm = True

    def do_POST(self):
        length = self.headers.get("Content-Length", "")
        if not re.fullmatch("[0-9]{1,9}", length) or int(length) > MAXIMUM_BODY:
            self.close_connection = True
            return self.answer(413, {"allow": False})
        body = self.rfile.read(int(length))
        if not is_genuine(self.server.secrets, self.headers, body, time.time()):
            return self.answer(401, {"allow": False})
        try:
            allow = is_allowed(self.server.table, json.loads(body, object_pairs_hook=members))
        except (KeyError, TypeError, ValueError, RecursionError):
            return self.answer(400, {"allow": False})
        self.answer(200, {"allow": allow})

    def answer(self, status, value):
        body = json.dumps(value).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)


class Receiver(http.server.ThreadingHTTPServer):
    """Listens on this machine only; for other machines, put a server that terminates TLS in front."""

    def __init__(self, port, secrets, table):
        super().__init__(("127.0.0.1", port), Handler)
        self.secrets, self.table = secrets, table


def main():
    parser = argparse.ArgumentParser(description="A sample authorization webhook for tokend.")
    parser.add_argument("--table", required=True, help="JSON file with the allowed requests")
    parser.add_argument("--secret-file", required=True, action="append", help="file with the shared secret; may be repeated")
    parser.add_argument("--port", type=int, default=8300, help="port on 127.0.0.1")
    arguments = parser.parse_args()
    secrets = [pathlib.Path(path).read_bytes().rstrip(b"\r\n") for path in arguments.secret_file]
    if any(len(secret) < 32 for secret in secrets):
        parser.error("a secret must have at least 32 bytes: (umask 077; openssl rand -hex 32 > FILE)")
    table = json.loads(pathlib.Path(arguments.table).read_bytes(), object_pairs_hook=members)
    receiver = Receiver(arguments.port, secrets, table)
    print(f"Listening on http://127.0.0.1:{receiver.server_port}", flush=True)
    receiver.serve_forever()


if __name__ == "__main__":
    main()
