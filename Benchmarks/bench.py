#!/usr/bin/env python3
"""Compares tokend with alternatives and with the limits of the machine.

Each round measures all subjects in a different order. Ratios compare figures of one round, so that a temporary slowdown of
the machine affects both sides. See docs/performance.md.
"""

import argparse
import json
import random
import sys
import time

from harness import report
from harness.machine import description, stolen
from harness.measurements import MEASUREMENTS, resident
from harness.servers import build_peers
from harness.stage import Stage

BRIEF = {"rounds": 3, "seconds": 2}
SMOKE = {"rounds": 1, "seconds": 1, "mints": 5_000, "scopes": 1_000}


def main():
    options = parse()
    if options.render:
        record = json.loads(report.PUBLISHED.read_text())
        return report.publish(record["machine"], record["settings"], record["rounds"])
    build_peers()
    names = options.only or [*MEASUREMENTS]
    settings = vars(options) | {"only": names}
    rounds = []
    with Stage(options.seconds, options.by_cpu) as stage:
        for number in range(options.rounds):
            figures, before = {}, stolen()
            order = [name for name in names if name != "memory"]
            random.Random(number).shuffle(order)
            for name in order:
                say(f"round {number + 1} of {options.rounds}: {name}")
                MEASUREMENTS[name](stage, figures)
            figures["seconds stolen by the hypervisor"] = stolen() - before
            rounds.append(figures)
        if "memory" in names:
            say(f"memory: {options.mints} mints over {options.scopes} scopes")
            resident(rounds[0], options.mints, options.scopes)
    machine = description()
    path = report.write(machine, settings, rounds, options.publish)
    print("\n".join(f"{name}: {value}" for name, value in machine.items()))
    print("\n" + "\n".join(report.figures(rounds)) + "\n\n" + report.table(rounds, with_limits=True))
    say(f"all of it is in {path}")
    if options.publish:
        report.publish(machine, settings, rounds)


def parse():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=5, help="rounds (default: 5)")
    parser.add_argument("--seconds", type=int, default=6, help="seconds for each figure (default: 6)")
    parser.add_argument("--mints", type=int, default=1_000_000, help="tokens for the memory measurement")
    parser.add_argument("--scopes", type=int, default=100_000, help="different IDs for the memory measurement")
    parser.add_argument("--only", action="append", choices=[*MEASUREMENTS, "memory"], help="run only this measurement; may be repeated; memory runs only so")
    parser.add_argument("--by-cpu", action="store_true", help="count the servers' CPU seconds and not the clock's: "
                        "for a look on a machine that others use, too")
    parser.add_argument("--brief", action="store_true", help="three short rounds")
    parser.add_argument("--smoke", action="store_true", help="run one round of one second each, to check that everything works")
    parser.add_argument("--publish", action="store_true", help="write the tables into docs/performance.md")
    parser.add_argument("--render", action="store_true", help="write the tables of docs/performance.json again; measure nothing")
    options = parser.parse_args()
    if options.brief:
        vars(options).update(BRIEF)
    if options.smoke:
        vars(options).update(SMOKE)
    return options


def say(text):
    print(time.strftime("%H:%M:%S"), text, file=sys.stderr, flush=True)


if __name__ == "__main__":
    main()
