#!/usr/bin/env python3
"""Measures tokend beside its peers, on one core, and prints the README's table.

    bench.py                        all servers, three rounds
    bench.py --against OTHER        tokend beside another tokend, in turns: the ratio of each round, and their median
    bench.py --only tokend --rows signed,reused
    bench.py --smoke                one short round, to see that everything works
"""

import argparse
import asyncio
import pathlib
import statistics
import sys

import load
from servers import COMMANDS, LOAD, SHIP, Server, build_peers

SCRIPT = pathlib.Path(__file__).with_name("requests.lua")
# The tokens a second that 350,000 vehicles request at their peak.
FLEET = 100


def signed(make, options):
    with make() as server:
        load.most(server, 1, SCRIPT, LOAD)
        return {"signed, kept connections: tokens a second": load.most(server, options.seconds, SCRIPT, LOAD)}


def tls(make, options):
    with make(tls=True) as server:
        return {"signed, a new TLS connection each: tokens a second": load.most(server, options.seconds, SCRIPT, LOAD, tls=True)}


def reused(make, options):
    with make() as server:
        return {"reused: tokens a second": load.most(server, options.seconds, SCRIPT, LOAD, reuse=True)}


def latency(make, options):
    """At one rate for all, which the slowest can serve."""
    with make() as server:
        answers = asyncio.run(load.constant(server, options.rate, options.seconds))
        return {f"p99 at {options.rate} a second, ms": answers.accepted(0.99), f"refused at {options.rate} a second": answers.refused}


def fleet(make, options):
    with make() as server:
        before = server.cpu_seconds()
        answers = asyncio.run(load.constant(server, FLEET, 2 * options.seconds))
        return {f"CPU time for a token at {FLEET} a second, µs": (server.cpu_seconds() - before) / answers.statuses[200] * 1e6}


def burst(make, options):
    with make(tls=True) as server:
        answers = asyncio.run(load.burst(server, options.burst))
        return {f"{options.burst:,} new TLS connections at once: last response, ms": answers.slowest,
                f"{options.burst:,} new TLS connections at once: refused": answers.refused}  # fmt: skip


def neighbours(make, options):
    """A quiet caller beside one that asks for more than the maximum."""
    with make(callers=2) as server:
        most = load.most(server, 1, SCRIPT, LOAD)

        async def both():
            noisy = asyncio.create_task(load.constant(server, 1.2 * most, options.seconds, 256, server.keys[1]))
            answers = await load.constant(server, 20, options.seconds, 4)
            await noisy
            return answers

        answers = asyncio.run(both())
        return {"quiet caller beside a noisy one: p99, ms": answers.accepted(0.99),
                "quiet caller beside a noisy one: refused": answers.refused}  # fmt: skip


def overload(make, options):
    with make() as server:
        most = load.most(server, options.seconds, SCRIPT, LOAD)
        answers = asyncio.run(load.constant(server, 2 * most, options.overload, 512))
        return {"twice the maximum: share of the maximum": answers.statuses.get(200, 0) / options.overload / most,
                "twice the maximum: slowest response, ms": answers.slowest}  # fmt: skip


ROWS = {"signed": signed, "tls": tls, "reused": reused, "latency": latency, "fleet": fleet, "burst": burst,
        "neighbours": neighbours, "overload": overload}  # fmt: skip
# What only tokend has: fair turns, and refusals before the queue is too long.
OURS = {"neighbours", "overload"}


def main():
    options = parse()
    programs = {"tokend": SHIP / "tokend"}
    if options.against:
        programs["the other"] = options.against
    names = [*programs] if options.against else options.only or [*programs, *COMMANDS]
    build_peers(names)
    figures = {}
    for number in range(options.rounds):
        # The servers take turns, so that a change of the machine's speed meets all.
        for row in options.rows:
            for name in names if number % 2 == 0 else reversed(names):
                if name in COMMANDS and row in OURS:
                    continue
                print(f"round {number + 1} of {options.rounds}: {row}, {name}", file=sys.stderr, flush=True)
                measured = ROWS[row](lambda name=name, **how: Server(name, programs.get(name), **how), options)
                for title, value in measured.items():
                    figures.setdefault(title, {}).setdefault(name, []).append(value)
    print("\n".join(table(figures, names, options.against)))


def table(figures, names, against):
    yield "| on one core | " + " | ".join([*names, *(["ratio: median (min – max)"] if against else [])]) + " |"
    yield "|---|" + "--:|" * (len(names) + bool(against))
    for title, values in figures.items():
        cells = [written(statistics.median(values[name])) if name in values else "–" for name in names]
        if against:
            ratios = [a / b for a, b in zip(values["tokend"], values["the other"], strict=True) if b]
            cells.append(f"{statistics.median(ratios):.2f} ({min(ratios):.2f} – {max(ratios):.2f})" if ratios else "–")
        yield f"| {title} | " + " | ".join(cells) + " |"


def written(value):
    return f"{value:,.0f}" if value >= 100 or value == 0 else f"{value:.2f}" if value < 10 else f"{value:.1f}"


def parse():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--against", type=pathlib.Path, help="another tokend to measure beside")
    parser.add_argument("--only", type=lambda text: text.split(","), help="these servers: tokend,Go,Node,Hummingbird,Java")
    parser.add_argument("--rows", type=lambda text: text.split(","), default=[*ROWS], help="these rows: " + ",".join(ROWS))
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--seconds", type=int, default=5, help="seconds for each figure")
    parser.add_argument("--rate", type=int, default=400, help="requests a second of the row with latencies")
    parser.add_argument("--smoke", action="store_true")
    options = parser.parse_args()
    options.burst, options.overload = 1_000, 30
    if options.against:
        options.against = options.against.resolve()
    if options.smoke:
        options.rounds, options.seconds, options.overload = 1, 1, 2
    return options


if __name__ == "__main__":
    main()
