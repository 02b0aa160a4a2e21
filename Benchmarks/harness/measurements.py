"""The measurements of each round: the name of each figure, and how it is measured.

A measurement gets the stage and the round's figures so far, and adds its own to them.
"""

import functools
import math
import statistics
import time

from . import load, servers, tokens
from .machine import BOTH, WORK, cpu_seconds, memory
from .site import Site

# All with the same work: authentication, a grant, a limit, reuse, an audit line, metrics.
SUBJECTS = ("tokend", "Go", "Node", "Swift", "Java")
# Some starts meet a stall of the machine; the median of several does not.
STARTS = 7
BURST = 1_000
# Tokens a second of a fleet of 200,000 vehicles.
FLEET = 100


def openssl(stage, figures):
    figures["openssl"] = load.limit(stage.seconds, stage.by_cpu)


def signed(name, stage, figures):
    figures[f"cold {name}"] = stage.rate(stage.signed(name))


def reused(name, stage, figures):
    figures[f"reused {name}"] = stage.rate(stage.reused(name))


def new_connections(name, stage, figures):
    """Measures tokens a second, each on a new TLS connection, with full handshakes and with resumed ones."""
    server = stage.server(f"TLS {name}")
    for kind in ("full", "resumed"):
        load.new_connections(server, stage.warm_up, kind)
        counts = load.new_connections(server, stage.seconds, kind)
        # A server may decline to resume; the figure says how it was.
        figures[f"{kind} handshakes {name}"] = counts["answers"] / counts["last"]
        figures[f"share of resumed handshakes {name}"] = counts["resumed"] / counts["answers"]


def bursts(name, stage, figures):
    """Measures the seconds to the last of many simultaneous responses, over new TLS connections and over none."""
    counts = load.new_connections(stage.server(f"TLS {name}"), 0, "full", threads=BURST)
    figures[f"TLS burst {name}, ms"] = counts["last"] * 1_000
    figures[f"TLS burst {name}, refused"] = counts["refused"] + counts["broken"]


def two_cores(stage, figures):
    """Measures a server on both cores, and records the load generator's share of them."""
    run = stage.signed("two-core tokend", BOTH)
    figures["cold tokend on two cores"] = run.rate
    figures["cold tokend on one core"] = stage.signed("tokend").rate
    figures["load's share of two cores"] = run.load_cpu / run.seconds


def latencies(stage, figures):
    """Measures latencies of all at one load: 60 % of the maximum of the slowest; then at 60 % of tokend's."""
    most = {name: figures.get(f"cold {name}") or stage.signed(name).rate for name in SUBJECTS}
    for title, rate in {"slowest": 0.6 * min(most.values()), "tokend": 0.6 * most["tokend"]}.items():
        for name in SUBJECTS:
            # Past 90 % of its maximum a server has no latency but a queue.
            if rate < 0.9 * most[name]:
                counts, bodies = load.OpenLoop(stage.server(name), rate, stage.seconds, 64, every=100).finish()
                tokens.Verifier(stage.server(name).site.account).verify_all(bodies)
                for figure in ("p50", "p99"):
                    figures[f"{figure} of {name} at 60 % of {title}"] = counts["accepted"][figure]
                    figures[f"undisturbed {figure} of {name} at 60 % of {title}"] = counts["undisturbed"][figure]


def fleet(name, stage, figures):
    """Measures the CPU time for each token at a constant low rate, and the memory after all load so far."""
    server = stage.server(name)
    before = cpu_seconds(server.pid)
    counts, _ = load.OpenLoop(server, FLEET, 2 * stage.seconds, 64).finish()
    figures[f"CPU µs of {name} at {FLEET} a second"] = (cpu_seconds(server.pid) - before) / counts["statuses"]["200"] * 1e6
    figures[f"resident {name}"] = memory(server.pid)


def grants(stage, figures):
    """Measures the service's CPU time for a reused response, with one grant and with 10,000."""
    for count in (1, 10_000):
        with servers.tokend(Site(WORK / "site-grants", grants=count), name="tokend-grants") as server:
            load.closed_loop(server, stage.warm_up, ids=1, first=1, connections=32)
            run = load.closed_loop(server, stage.seconds, ids=1, first=1, connections=32)
            figures[f"CPU µs with {count:,} grants"] = run.server_cpu / run.answers * 1e6


def start(stage, figures):
    """Measures the time from process start to the first complete token, in milliseconds: the median of several starts."""
    times = {name: [] for name in SUBJECTS}
    for _ in range(STARTS):
        for name in SUBJECTS:
            times[name].append(_start(name))
    for name, milliseconds in times.items():
        figures[f"start {name}"] = statistics.median(milliseconds)


def _start(name):
    site = Site(WORK / "site-start")
    begin = time.monotonic()
    server = servers.start(name, site)
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
        done, rate, first = 0, 0, int(time.time()) * 1_000
        while done < mints:
            seconds = min(30, math.ceil((mints - done) / rate)) if rate else 1
            run = load.closed_loop(server, seconds, scopes, first=first + done % scopes)
            done, rate = done + run.answers, run.rate
        figures["memory after"] = memory(server.pid)
        figures["anonymous memory after"] = memory(server.pid, "RssAnon")
        figures["memory at most"] = memory(server.pid, "VmHWM")
        figures["mints"] = done
        tokens.sample(server)


def _each(names, **measures):
    return {f"{title}-{name}".lower().replace(" ", "-"): functools.partial(measure, name)
            for title, measure in measures.items() for name in names}


MEASUREMENTS = {
    "openssl": openssl,
    **_each(SUBJECTS, signed=signed, reused=reused, connections=new_connections, burst=bursts, fleet=fleet),
    **_each(("bare Go", "bare Node"), signed=signed),
    **_each(("nginx",), reused=reused),
    "two-cores": two_cores,
    "latencies": latencies,
    "grants": grants,
    "start": start,
}
