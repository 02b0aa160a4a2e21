#!/usr/bin/env python3
"""Measures bursts, overload and fairness: who waits, who is refused, and how long it takes.

Each row is the median of several rounds on release binaries, with tokend on one core and the load on the other.
"""

import argparse
import http.client
import json
import re
import selectors
import socket
import statistics
import time

from harness import load, report, tokens
from harness.machine import ROOT, WORK, description
from harness.servers import build_load, tokend
from harness.site import Site

PUBLISHED = ROOT / "docs/bursts.json"
# What is on the page; all is in the file.
IN_SHORT = ("burst with all defaults", "burst against the maximum: last", "closed loop of 256", "overload: share",
            "overload: accepted p99", "quiet beside noisy")
BURST = 1000
MUCH = {"perMinute": 10_000_000, "burst": 1_000_000}
# So many that the queue is full before all of them wait: with fewer, an open loop is a closed one.
OPEN = {"person": MUCH, "machine": MUCH, "connections": 8192}


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seconds", type=int, default=30, help="of an overload")
    parser.add_argument("--only", help="rows whose name contains this")
    parser.add_argument("--publish", action="store_true", help="write the rows into docs/bursts.json and docs/performance.md")
    options = parser.parse_args()
    if options.publish and options.only:
        parser.error("only all rows can be published")
    build_load()
    rows = {title: row for row in ROWS if (options.only or "") in (title := row.__name__.replace("_", " "))}
    if not rows:
        parser.error(f"no row's name contains {options.only}")
    results = {}
    for number in range(options.rounds):
        for title, row in rows.items():
            for name, value in row(options).items():
                results.setdefault(f"{title}: {name}", []).append(value)
            print(f"round {number + 1}: {title}", flush=True)
    print("\n".join(lines(results)))
    if options.publish:
        publish(results)


def lines(results):
    yield "| what | median | min – max | rounds |"
    yield "|---|--:|---|--:|"
    for name, values in results.items():
        low, median, high = (report.number(pick(values)) for pick in (min, statistics.median, max))
        yield f"| {name} | {median} | {low} – {high} | {len(values)} |"


def publish(results):
    """Writes the rows, with the machine and the commit."""
    machine = description()
    PUBLISHED.write_text(json.dumps({"machine": machine, "rows": results}, indent=1, ensure_ascii=False) + "\n")
    table = "\n".join(lines({name: values for name, values in results.items() if name.startswith(IN_SHORT)}))
    report.replace("bursts", f"{machine['cpu']}, {machine['time'][:10]}, commit {machine['commit']}.\n\n{table}\n")


def site(**options):
    # All defaults: the harness's own sites have a rate that is never reached.
    limits = options.pop("limits", {})
    site = Site(WORK / "site-bursts", **options)
    site.limits = limits
    site.write()
    return site


def burst(server, count):
    """Sends requests at once, each on a connection of its own; returns how many were refused, and the last one's seconds."""
    selector = selectors.DefaultSelector()
    sockets = [socket.create_connection(("127.0.0.1", server.port), 60) for _ in range(count)]
    start = time.perf_counter()
    received, finished, broken = {}, {}, 0
    for number, connection in enumerate(sockets):
        connection.setblocking(False)
        vehicle = f"burst-{time.time_ns()}-{number}"
        connection.send(f"GET /token/driver/{vehicle} HTTP/1.1\r\nHost: x\r\nX-API-Key: {server.site.key}\r\n\r\n".encode())
        selector.register(connection, selectors.EVENT_READ)
        received[connection] = b""
    while len(finished) + broken < count:
        for key, _ in selector.select(60):
            connection = key.fileobj
            try:
                data = connection.recv(65536)
            except OSError:
                data = b""
            received[connection] += data
            if data and not is_whole(received[connection]):
                continue
            if data:
                finished[connection] = time.perf_counter() - start
            else:
                broken += 1
            selector.unregister(connection)
            connection.close()
    statuses = [int(received[connection][9:12]) for connection in finished]
    return {"refused": count - statuses.count(200), "last": max(finished.values(), default=0)}


def is_whole(data):
    head, found, body = data.partition(b"\r\n\r\n")
    length = re.search(rb"content-length: (\d+)", head, re.IGNORECASE)
    return bool(found and length and len(body) >= int(length.group(1)))


def burst_with_all_defaults(_):
    with tokend(site()) as server:
        result = burst(server, BURST)
    return {"refused": result["refused"], "last response, ms": result["last"] * 1000}


def burst_against_the_maximum(_):
    with tokend(site(limits={"person": MUCH, "machine": MUCH})) as server:
        rate = load.closed_loop(server, 5).rate
        result = burst(server, BURST)
    return {"refused": result["refused"], "last response × maximum / 1,000": result["last"] * rate / BURST}


def closed_loop_of_256(_):
    """In turns, and by medians: the best of several runs would be the luckiest one."""
    rates = {count: [] for count in (8, 64, 256)}
    with tokend(site(limits={"person": MUCH, "machine": MUCH})) as server:
        for _ in range(3):
            for count, values in rates.items():
                # A refusal fails the run.
                values.append(load.closed_loop(server, 2, connections=count).rate)
    medians = {count: statistics.median(values) for count, values in rates.items()}
    return {"share of the best": medians.pop(256) / max(medians.values())}


def overload(options):
    with tokend(site(limits=OPEN)) as server:
        maximum = load.closed_loop(server, 5).rate
        counts, bodies = load.OpenLoop(server, 2 * maximum, options.seconds, 1000, every=100).finish()
        tokens.Verifier(server.site.account).verify_all(bodies)
    rate = counts["statuses"]["200"] / options.seconds
    return {"share of the maximum": rate / maximum, "tokens a second": rate,
            "refused a second": counts["statuses"].get("503", 0) / options.seconds,
            "accepted p50, ms": counts["accepted"]["p50"] / 1000, "accepted p99, ms": counts["accepted"]["p99"] / 1000}


def quiet_beside_noisy(options):
    """A caller with ten requests a second beside one at five times the maximum, on a thousand connections.

    Reading and refusing the requests of the noisy one takes all that a core has.
    """
    plan = site(limits=OPEN)
    path = plan.folder / "quiet.keys"
    path.write_text(plan._new_key() + "\n")
    path.chmod(0o600)
    plan.callers["quiet"] = {"apiKeys": {"file": path.name}}
    plan.grants["any"]["callers"].append("quiet")
    plan.write()
    refused, latencies = 0, []
    with tokend(plan) as server:
        maximum = load.closed_loop(server, 5).rate
        noisy = load.OpenLoop(server, 5 * maximum, options.seconds, BURST)
        connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=30)
        time.sleep(2)
        for number in range(10 * (options.seconds - 4)):
            start = time.perf_counter()
            connection.request(
                "GET", f"/token/driver/quiet-{time.time_ns()}-{number}", headers={"X-API-Key": plan.keys[-1]}
            )
            answer = connection.getresponse()
            answer.read()
            refused += answer.status != 200
            latencies.append(time.perf_counter() - start)
            time.sleep(max(0, 0.1 - latencies[-1]))
        noisy.finish()
    return {"refused": refused, "p99, ms": sorted(latencies)[int(len(latencies) * 0.99)] * 1000}


ROWS = [burst_with_all_defaults, burst_against_the_maximum, closed_loop_of_256, overload, quiet_beside_noisy]

if __name__ == "__main__":
    main()
