#!/usr/bin/env python3
"""Serves what a million vehicles request in their peak minute, for ten minutes, and compares with the plan.

harness/fleet.py has the run. The plan is Examples/FleetSimulator's, from docs/performance.json and what the run has measured.
"""

import argparse
import json
import math
import os
import re
import statistics
import subprocess
import sys

from harness import report
from harness.fleet import AFTER, Run
from harness.machine import BENCHMARKS, ROOT

SIMULATOR = ROOT / ".build/examples/release/FleetSimulator"
PAGE, RESULT, IMAGES = ROOT / "docs/scale.md", ROOT / "docs/scale.json", ROOT / "docs/images"
PEAK = "at the peak (the busiest minute)"


def main():
    options = parse()
    result = None
    if not options.plan_only:
        rate = options.rate or float(planned(PEAK).replace(",", ""))
        result = Run(options.minutes * 60, rate, "resumed" if options.resumed else "full").result()
        series = result.pop("series")
        result["rows"] = rows(result)
        print(json.dumps(result, indent=1, ensure_ascii=False))
        draw(result, series, IMAGES / "million.svg" if options.publish else BENCHMARKS / "results/million.svg")
    if options.publish:
        publish(result)
    if result and (failed := {name: result[name] for name in ("refused", "broken", "wrong") if result[name]}):
        sys.exit(f"scale: {failed}")


def publish(result):
    """Writes the page: what the run has found, and then the plan, which uses it."""
    if result:
        # Beside what rate_script.py measured.
        others = {"rateScript": json.loads(RESULT.read_text())["rateScript"]}
        RESULT.write_text(json.dumps(result | others, indent=1, ensure_ascii=False) + "\n")
        report.replace("run", report_of(result), PAGE)
        report.replace("costs", costs(result), PAGE)
    done = subprocess.run([SIMULATOR, "plan", ROOT / "docs", IMAGES / "scale.svg"], check=True, capture_output=True, text=True)
    report.replace("plan", done.stdout, PAGE)


def planned(what):
    """Returns what the page plans for a million vehicles."""
    return re.search(rf"^\| {re.escape(what)} \|.*\| (.*) \|$", PAGE.read_text(), re.M)[1]


def rows(result):
    """Returns the plan beside the run."""
    after, latency = result["p99After"], result["latency"]
    return [{"what": what, "plan": plan, "run": run} for what, plan, run in (
        ("tokens a second", planned(PEAK), f"{result['answers'] / result['seconds']:,.0f}"),
        ("refused, or broken", "0", f"{result['refused'] + result['broken']:,}"),
        (f"wrong, of {result['verified']:,} that were verified", "0", f"{result['wrong']:,}"),
        ("cores in use", planned("cores at the peak"), f"{result['cpu']['tokend'] / result['seconds']:.2f}"),
        ("memory of both replicas at most, MiB", planned("memory of all replicas, MiB"), f"{sum(result['memory'].values()):.0f}"),
        ("audit bytes a token", f"{json.loads(RESULT.read_text())['auditBytes']:,}", f"{result['auditBytes']:,}"),
        ("latency with the handshake: p50; p99, ms", "–", f"{latency['p50']:.1f}; {latency['p99']:.1f}"),
        (f"p99 in the {AFTER} s after the rotation; the restart; the outage's begin, ms", "–",
         "; ".join(f"{after[what]:.1f}" for what in ("rotation", "restart", "outage"))),
    )]


def report_of(result):
    machine, at = result["machine"], {what: f"{moment:.0f}" for what, moment in result["events"].items()}
    lines = [
        f"{machine['cpu']}, {machine['time'][:10]}, commit {machine['commit']}: {result['answers']:,} tokens in {result['seconds']:,.0f} s",
        f"by one `tokend` on one core, each on a new TLS connection (ECDSA, {result['handshakes']} handshake) from an address of its own",
        f"through HAProxy, with an ID token (ES256). At {at['rotation']} s keys are rotated, at {at['restart']} s the replica restarts while",
        f"a second one takes over, and from {at['outage']} to {at['recovery']} s the issuer answers 503.", "",
        "| a million vehicles at their peak | plan | run |", "|---|--:|--:|",
        *(f"| {row['what']} | {row['plan']} | {row['run']} |" for row in result["rows"]), "",
        "![Latency and cores during the run](images/million.svg)",
    ]
    return "\n".join(lines) + "\n"


def costs(result):
    """Returns the page's paragraph on what the plan is computed from."""
    signed = statistics.median(figures["cold tokend"] for figures in json.loads(report.PUBLISHED.read_text())["rounds"])
    return (
        "**Costs** are those of [the run](#compared-with-a-run) ([scale.json](scale.json)), with a TLS handshake and an ID token to verify:\n"
        f"a core issues {result['tokensPerCore']:,.0f} tokens a second. With API keys, from a proxy that ends TLS, it is [{signed:,.0f}](performance.md).\n"
    )


def draw(result, series, path):
    import matplotlib

    matplotlib.use("svg")
    # Makes the output reproducible.
    matplotlib.rcParams.update({"svg.hashsalt": "scale", "svg.fonttype": "none", "font.size": 9})
    from matplotlib import pyplot

    figure, (upper, lower) = pyplot.subplots(2, figsize=(9, 4.5), sharex=True)
    seconds, cores, half, most = zip(*series)
    upper.plot(seconds, most, color="#b3541e", linewidth=0.8, label="p99")
    upper.plot(seconds, half, color="#1f5fa8", linewidth=0.8, label="p50")
    upper.set(ylabel="latency of each second, ms", yscale="log",
              title=f"{result['rate']:,.0f} tokens a second, commit {result['machine']['commit']}")
    upper.legend(loc="upper right")
    lower.plot(seconds, [math.nan if value is None else value for value in cores], color="#1f5fa8", linewidth=0.8)
    lower.set(ylabel="cores in use", xlabel="seconds", ylim=(0, 1.05))
    for what, moment in result["events"].items():
        for axis in (upper, lower):
            axis.axvline(moment, color="#888888", linewidth=0.8)
        lower.text(moment, 0.03, f" {what}")
    figure.tight_layout()
    figure.savefig(path, metadata={"Date": None})


def parse():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--minutes", type=float, default=10, help="duration (default: 10)")
    parser.add_argument("--rate", type=float, help="tokens a second (default: the plan's at the peak)")
    parser.add_argument("--resumed", action="store_true", help="resume TLS sessions; otherwise each handshake is a full one")
    parser.add_argument("--plan-only", action="store_true", help="no run: use the figures of the last one")
    parser.add_argument("--publish", action="store_true", help="write docs/scale.md, docs/scale.json and the pictures")
    return parser.parse_args()


if __name__ == "__main__":
    main()
