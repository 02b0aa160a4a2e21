#!/usr/bin/env python3
"""Measures how a request's cost grows with scopes, callers and grants, and plots it into results/growth.svg.

The cost is the service's own time on the core for each answer, which hardly depends on what else the machine does.
"""

import argparse
import json
import random
import statistics
import sys
import time

from harness import load, servers, tokens
from harness.machine import BENCHMARKS, WORK, cpu_seconds, memory
from harness.site import Site

POINTS = {
    "scopes": [1, 10, 100, 1_000, 10_000, 100_000],
    "callers": [1, 10, 100, 1_000, 10_000],
    "grants": [1, 10, 100, 1_000, 10_000],
}


def main():
    options = parse()
    servers.build_peers()
    points = [(name, count) for name, counts in POINTS.items() for count in counts]
    if options.smoke:
        options.rounds, options.seconds = 1, 1
        points = [(name, count) for name, count in points if count in (1, 100)]
    rounds = {point: [] for point in points}
    for number in range(options.rounds):
        random.Random(number).shuffle(points)
        for point in points:
            rounds[point].append(measure(*point, options.seconds))
            print(time.strftime("%H:%M:%S"), number + 1, *point, rounds[point][-1], file=sys.stderr, flush=True)
    curves = {
        name: [
            {"count": count} | {
                key: statistics.median(values[key] for values in rounds[name, count]) for key in ("microseconds", "memory")
            }
            for count in counts if (name, count) in rounds
        ]
        for name, counts in POINTS.items()
    }
    (BENCHMARKS / "results").mkdir(exist_ok=True)
    (BENCHMARKS / "results/growth.json").write_text(json.dumps(curves, indent=1) + "\n")
    draw(curves, options.output)


def measure(name, count, seconds):
    """Microseconds of CPU for each answer, and MiB, at one point."""
    site = Site(
        WORK / "site-growth",
        callers=count if name == "callers" else 1,
        grants=count if name == "grants" else 1,
    )
    scopes = count if name == "scopes" else 1
    keys = site.keys_file() if name == "callers" else None
    with servers.tokend(site, name="tokend-growth") as server:
        tokens.sample(server, 1)
        # Use each scope and key at least once, to fill the caches.
        asked = 0
        while asked < max(scopes, count if keys else 1):
            asked += load.closed_loop(server, 1, scopes, keys=keys, first=asked % scopes).answers
        before = cpu_seconds(server.pid)
        run = load.closed_loop(server, seconds, scopes, keys=keys, first=0)
        return {
            "microseconds": (cpu_seconds(server.pid) - before) / run.answers * 1e6,
            "memory": memory(server.pid),
        }


def draw(curves, path):
    import matplotlib

    matplotlib.use("svg")
    # Makes the output reproducible.
    matplotlib.rcParams.update({"svg.hashsalt": "growth", "svg.fonttype": "none", "font.size": 9})
    from matplotlib import pyplot

    figure, axes = pyplot.subplots(2, len(curves), figsize=(9, 4.5), sharex="col", sharey="row")
    for column, (name, points) in zip(axes.T, curves.items()):
        counts = [point["count"] for point in points]
        for axis, key in zip(column, ("microseconds", "memory")):
            axis.plot(counts, [point[key] for point in points], marker="o", color="#1f5fa8")
            axis.set_xscale("log")
            axis.set_ylim(bottom=0)
            axis.grid(alpha=0.3)
        column[1].set_xlabel(name)
    axes[0, 0].set_ylabel("CPU µs a request")
    axes[1, 0].set_ylabel("resident MiB")
    top = [max(point[key] for points in curves.values() for point in points) for key in ("microseconds", "memory")]
    for axis, most in zip(axes[:, 0], top):
        axis.set_ylim(0, most * 1.15)
    figure.tight_layout()
    path.parent.mkdir(parents=True, exist_ok=True)
    figure.savefig(path, metadata={"Date": None})


def parse():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=3, help="rounds (default: 3)")
    parser.add_argument("--seconds", type=int, default=3, help="seconds for each point (default: 3)")
    parser.add_argument("--smoke", action="store_true", help="one round of a second over few points")
    parser.add_argument("--brief", action="store_true", help="one round of two seconds for each point")
    options = parser.parse_args()
    if options.brief:
        options.rounds, options.seconds = 1, 2
    options.output = BENCHMARKS / "results/growth.svg"
    return options


if __name__ == "__main__":
    main()
