#!/usr/bin/env python3
"""Computes what fleets ask of the service, and holds the computation against a run of 1,000 vehicles on loopback.

The plan is Examples/FleetSimulator's, from the costs in docs/performance.json and the bytes that the run measures. The run
has an outage near its end, when many tokens are due for a refresh. Counts do not depend on the load of the machine.
"""

import argparse
import collections
import json
import os
import socket
import subprocess
import time

from harness import report, servers
from harness.machine import ROOT, WORK
from harness.site import Site

SIMULATOR = ROOT / ".build/examples/release/FleetSimulator"
PAGE, RESULT, PICTURE = ROOT / "docs/scale.md", ROOT / "docs/scale.json", ROOT / "docs/images/scale.svg"
# The SDK's interval between two calls, and the lifetime of a token as the service reports it, in seconds.
INTERVAL, LIFETIME = 10, 3_540


def main():
    options = parse()
    if not options.plan_only:
        result = run(options)
        print(json.dumps(result, indent=1))
        if options.publish:
            # Beside what rate_script.py measured.
            RESULT.write_text(json.dumps(json.loads(RESULT.read_text()) | result, indent=1) + "\n")
    if options.publish:
        report.replace("plan", simulator("plan", ROOT / "docs", PICTURE), PAGE)
        report.replace("run", comparison(json.loads(RESULT.read_text())), PAGE)


def run(options):
    """Returns what a run came to, with what the plan expects of it, and the bytes of a token."""
    # All vehicles have one address and one key.
    site = Site(WORK / f"site-scale-{os.getpid()}", limits={"connections": 4_096})
    trail = site.folder / "audit.jsonl"
    environment = os.environ | {"FLEET_TOKEN_API_KEY": site.key}
    with servers.tokend(site, name="tokend-scale") as server:
        request, response = exchange(server.port, environment)
        lines = len(trail.read_text().splitlines())
        audit_bytes = trail.stat().st_size / lines
        url = f"http://127.0.0.1:{server.port}"
        command = [SIMULATOR, url, str(options.seconds), str(options.vehicles), str(INTERVAL)]
        if options.outage[0] == 0:
            server.stop()
        began = time.time()
        fleet = subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True)
        time.sleep(max(0, began + options.outage[0] - time.time()))
        server.stop()
        answered = answers(trail, began, first=lines)
    time.sleep(max(0, began + options.outage[1] - time.time()))
    with servers.tokend(site, name="tokend-scale"):
        statistics = fleet.communicate()[0].strip()
        answered += answers(trail, began)
    expected = simulator("expect", options.seconds, options.vehicles, LIFETIME, *options.outage)
    expected, failed = zip(*([int(word) for word in line.split()[:2]] for line in expected.splitlines()))
    begin, end = (moment // INTERVAL for moment in options.outage)
    rows = [
        {"what": what, "plan": sum(expected[first:last]), "run": sum(answered[n] for n in range(first, last))}
        for what, first, last in (
            ("all tokens", 0, len(expected)),
            ("tokens before the outage", 0, begin),
            ("tokens in the first ten seconds after the outage", end, end + 1),
            ("tokens in the first minute after the outage", end, end + 6),
        )
    ]
    # "…, 9214 fetches, 8214 of them failed"
    failures = int(statistics.split(", ")[-1].split()[0])
    rows.append({"what": "failed requests", "plan": sum(failed), "run": failures})
    return {
        "seconds": options.seconds,
        "vehicles": options.vehicles,
        "outage": options.outage,
        "statistics": statistics,
        "requestBytes": request,
        "responseBytes": response,
        "auditBytes": round(audit_bytes),
        "rows": rows,
    }


def answers(trail, began, first=0):
    """Returns the tokens that an audit trail records for each ten seconds since a time."""
    counts = collections.Counter()
    for line in trail.read_text().splitlines()[first:]:
        record = json.loads(line)
        # In whole seconds.
        age = record["time"] - int(began)
        if record["decision"] == "allow":
            counts[age // INTERVAL] += 1
    return counts


def exchange(port, environment):
    """Returns the bytes of a request of the client library, and of the service's response."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        url = f"http://127.0.0.1:{listener.getsockname()[1]}"
        process = subprocess.Popen([SIMULATOR, url, "1", "1"], env=environment, stdout=subprocess.DEVNULL)
        client, _ = listener.accept()
        with client:
            request = client.recv(65_536)
        process.kill()
        process.wait()
    with socket.create_connection(("127.0.0.1", port)) as connection:
        connection.sendall(request)
        response = connection.recv(65_536)
    if not response.startswith(b"HTTP/1.1 200 "):
        raise RuntimeError(f"the client's request was refused: {response[:200]}")
    return len(request), len(response)


def simulator(*arguments):
    return subprocess.run([SIMULATOR, *map(str, arguments)], check=True, capture_output=True, text=True).stdout


def comparison(result):
    lines = [f"| {result['vehicles']:,} vehicles in {result['seconds']:,} s | plan | run |", "|---|--:|--:|"]
    lines += [f"| {row['what']} | {row['plan']:,} | {row['run']:,} |" for row in result["rows"]]
    return "\n".join(lines) + "\n"


def parse():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--plan-only", action="store_true", help="no run: use the figures of the last one")
    parser.add_argument("--soon", action="store_true",
                        help="a run of four minutes: all vehicles come online in an outage, and no token is refreshed")
    parser.add_argument("--smoke", action="store_true", help="a run of a minute, to check that everything works")
    parser.add_argument("--publish", action="store_true", help="write docs/scale.md, docs/scale.json and the picture")
    options = parser.parse_args()
    # A refresh is due after 2,640 to 2,940 seconds.
    options.seconds, options.vehicles, options.outage = 3_120, 1_000, (2_700, 3_000)
    if options.soon:
        options.seconds, options.outage = 240, (0, 120)
    if options.smoke:
        options.seconds, options.vehicles, options.outage = 60, 50, (20, 40)
    return options


if __name__ == "__main__":
    main()
