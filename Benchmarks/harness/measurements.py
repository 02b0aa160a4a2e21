"""The measurements of each round: the name of each figure, and how it is measured.

A measurement gets the stage and the round's figures so far, and adds its own to them.
"""

import math
import statistics
import time

from . import load, servers, tokens
from .machine import BOTH, WORK, memory
from .site import Site

# Enough that eight signatures wait while eight are made, on each of two cores.
# Some starts meet a stall of the machine; the median of several does not.
STARTS = 7


def openssl(stage, figures):
    figures["openssl"] = load.limit(stage.seconds, stage.by_cpu)


def in_process(stage, figures):
    figures["mint"] = load.in_process("mint", stage.seconds, stage.by_cpu)
    figures["issue"] = load.in_process("issue", stage.seconds, stage.by_cpu)


def cold(name):
    def measure(stage, figures):
        figures[f"cold {name}"] = stage.rate(stage.cold(name))

    return measure


def reused(name):
    def measure(stage, figures):
        figures[f"reused {name}"] = stage.rate(stage.reused(name))

    return measure


def two_cores(stage, figures):
    """Measures a server on both cores, and records the load generator's share of them."""
    run = stage.cold("tokend on two cores", BOTH)
    figures["cold tokend on two cores"] = run.rate
    figures["cold tokend on one core"] = stage.cold("tokend").rate
    figures["load's share of two cores"] = run.load_cpu / run.seconds


def tail(stage, figures):
    """Measures latencies at 70 % of the same server's maximum, measured just before."""
    server = stage.server("tokend")
    most = stage.cold("tokend").rate
    calm, bodies = load.OpenLoop(server, 0.7 * most, stage.seconds, 64, every=100).finish()
    _verify(server, bodies)
    for name, kind in {"": "accepted", "undisturbed ": "undisturbed"}.items():
        figures[f"{name}p50 at 70 %"], figures[f"{name}p99 at 70 %"] = calm[kind]["p50"], calm[kind]["p99"]
    figures["share of the time in which the machine stalled"] = calm["stalled"] / calm["seconds"]
    figures["unanswered"] = calm["unanswered"] / calm["due"]


def _verify(server, bodies):
    tokens.Verifier(server.site.account).verify_all(bodies)


def against_work(stage, figures):
    """Measures both tails at 70 % of the maximum of the Go peer with the same work."""
    peer = stage.server("Go with the same work")
    rate = 0.7 * stage.cold("Go with the same work").rate
    for name, server in {"Go with the same work": peer, "tokend": stage.server("tokend")}.items():
        counts, bodies = load.OpenLoop(server, rate, stage.seconds, 64, every=100).finish()
        _verify(server, bodies)
        figures[f"p99 of {name} at 70 % of that Go"] = counts["accepted"]["p99"]
        figures[f"undisturbed p99 of {name} at 70 % of that Go"] = counts["undisturbed"]["p99"]


def peers(stage, figures):
    """Measures each peer's latencies at 70 % of its own maximum, measured just before, and its memory after that."""
    for name in ["Go", "Node", "Java"]:
        server = stage.server(name)
        rate = 0.7 * stage.cold(name).rate
        calm, bodies = load.OpenLoop(server, rate, stage.seconds, 64, every=100).finish()
        _verify(server, bodies)
        figures[f"p50 of {name} at 70 %"], figures[f"p99 of {name} at 70 %"] = calm["accepted"]["p50"], calm["accepted"]["p99"]
        figures[f"resident {name}"] = memory(server.pid)


def grants(stage, figures):
    """Measures the service's CPU time for a reused response, with one grant and with 10,000."""
    for count in (1, 10_000):
        with servers.tokend(Site(WORK / "site-grants", grants=count), name="tokend-grants") as server:
            load.closed_loop(server, stage.warm_up, ids=1, first=1, connections=32)
            run = load.closed_loop(server, stage.seconds, ids=1, first=1, connections=32)
            figures[f"CPU µs with {count:,} grants"] = run.server_cpu / run.answers * 1e6


def exit_when_idle(stage, figures):
    """Measures the seconds from SIGTERM to the end of an idle service that need not drain."""
    with servers.tokend(Site(WORK / "site-exit"), name="tokend-exit") as server:
        tokens.sample(server, 1)
        begin = time.monotonic()
        server.process.terminate()
        server.process.wait(60)
        figures["exit tokend"] = time.monotonic() - begin


def start(stage, figures):
    """Measures the time from process start to the first complete token, in milliseconds: the median of several starts."""
    makers = {"tokend": servers.tokend, "Go": servers.go, "Java": servers.java, "Node": servers.node}
    times = {name: [] for name in makers}
    for _ in range(STARTS):
        for name, make in makers.items():
            times[name].append(_start(make))
    for name, milliseconds in times.items():
        figures[f"start {name}"] = statistics.median(milliseconds)


def _start(make):
    site = Site(WORK / "site-start")
    begin = time.monotonic()
    server = make(site)
    try:
        server.ready()
        body = tokens.ask(server, "first")
        milliseconds = (time.monotonic() - begin) * 1000
        tokens.Verifier(site.account).verify(body, "first")
        return milliseconds
    finally:
        server.stop()


def resident(figures, mints, scopes):
    """Measures the memory of a fresh service after many mints."""
    with servers.tokend(Site(WORK / "site-memory"), name="tokend-memory") as server:
        tokens.sample(server)
        figures["memory at first"] = memory(server.pid)
        done, first = 0, int(time.time()) * 1_000
        while done < mints:
            seconds = min(30, math.ceil((mints - done) / rate)) if done else 1
            run = load.closed_loop(server, seconds, scopes, first=first + done % scopes)
            done, rate = done + run.answers, run.rate
        figures["memory after"] = memory(server.pid)
        figures["anonymous memory after"] = memory(server.pid, "RssAnon")
        figures["memory at most"] = memory(server.pid, "VmHWM")
        figures["mints"] = done
        tokens.sample(server)


MEASUREMENTS = {
    "openssl": openssl,
    "in-process": in_process,
    "cold-tokend": cold("tokend"),
    "cold-go": cold("Go"),
    "cold-go-work": cold("Go with the same work"),
    "cold-java": cold("Java"),
    "cold-node": cold("Node"),
    "reused-tokend": reused("tokend"),
    "reused-go": reused("Go with a map"),
    "reused-go-work": reused("Go with a map and the same work"),
    "reused-nginx": reused("nginx"),
    "two-cores": two_cores,
    "tail": tail,
    "tail-go-work": against_work,
    "tail-peers": peers,
    "grants": grants,
    "start": start,
    "exit": exit_when_idle,
}
