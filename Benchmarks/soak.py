#!/usr/bin/env python3
"""Runs tokend for half an hour at 70 % of its maximum, with key rotations, reloads and slow clients.

Verifies every token with an independent library. Memory and descriptors must not grow. Exits with status 1 if any check
fails.
"""

import argparse
import concurrent.futures
import contextlib
import json
import os
import signal
import statistics
import sys
import time

from harness import load, servers, tokens
from harness.machine import BENCHMARKS, LOAD, ROOT, WORK, description, memory, until
from harness.servers import build_load
from harness.site import Site
from harness.slow import SlowClients


def main():
    options = parse()
    build_load()
    # The service has the other core to itself.
    os.sched_setaffinity(0, {int(LOAD)})
    with contextlib.ExitStack() as stack:
        server = stack.enter_context(servers.tokend(Site(WORK / "site-soak"), name="tokend-soak"))
        tokens.sample(server)
        # Before the slow clients start: together with them, full load would exceed the service's capacity.
        soak = Soak(server, options, options.share * load.closed_loop(server, 5).rate)
        stack.enter_context(SlowClients(server, options.slow))
        problems = soak.run()
    summary = json.dumps(soak.summary() | {"samples": soak.samples}, indent=1) + "\n"
    (BENCHMARKS / "results").mkdir(exist_ok=True)
    (BENCHMARKS / "results/soak.json").write_text(summary)
    print(json.dumps(soak.summary(), indent=1))
    if options.publish and not problems:
        publish(soak.summary())
    for problem in problems:
        print(f"soak: {problem}", file=sys.stderr)
    sys.exit(bool(problems))


def publish(summary):
    """Writes the summary into docs/soak.json."""
    machine = description()
    (ROOT / "docs/soak.json").write_text(json.dumps(machine | summary, indent=1, ensure_ascii=False) + "\n")


class Soak:
    """One service under load, slice by slice."""

    def __init__(self, server, options, rate):
        self.server, self.options, self.rate = server, options, rate
        self.verifier = tokens.Verifier(server.site.account)
        self.samples, self.rotations, self.refused = [], 0, 0
        # Rotations and verifications take only the time that the load generator leaves. If they delayed it, it would send
        # the requests of the delay at once, and the service would refuse a part of them.
        self.checks = concurrent.futures.ThreadPoolExecutor(1, initializer=run_when_idle)

    def run(self):
        say(f"{self.rate:.0f} requests a second for {self.options.minutes} minutes")
        end = time.monotonic() + self.options.minutes * 60
        next_rotation = time.monotonic() + self.options.rotate
        bodies = []
        while time.monotonic() < end:
            # Verifies the results of one slice while the next one runs.
            part = load.OpenLoop(self.server, self.rate, self.options.slice, 64, every=1)
            rotates = time.monotonic() >= next_rotation
            if rotates:
                next_rotation += self.options.rotate
            check = self.checks.submit(self.check, bodies, rotates)
            counts, bodies = part.finish()
            check.result()
            self.sample(counts)
        self.verifier.verify_all(bodies)
        return self.problems()

    def check(self, bodies, rotates):
        if rotates:
            self.rotate()
        self.verifier.verify_all(bodies)

    def rotate(self):
        """Rotates the account's key, as an operator does, and waits until the service signs with the new one."""
        account = self.server.site.account
        new = account.with_suffix(".new")
        Site.new_account(new)
        self.verifier.add(new)
        wanted = json.loads(new.read_text())["private_key_id"]
        os.replace(new, account)
        self.server.process.send_signal(signal.SIGHUP)
        until(lambda: self.signing_key() == wanted, "the new key to sign", pause=0.05)
        self.rotations += 1

    def signing_key(self):
        """Returns the ID of the current signing key; None if the service refuses the request because of load."""
        vehicle = f"rotation-{time.time_ns()}"
        try:
            return self.verifier.verify(tokens.ask(self.server, vehicle), vehicle)
        except tokens.Refused:
            return None

    def sample(self, counts):
        # Like logrotate: the service creates a new file after the old one is renamed.
        (self.server.site.folder / "audit.jsonl").unlink(missing_ok=True)
        refused = counts["statuses"].get("503", 0)
        self.refused += refused
        self.samples.append({
            "memory": memory(self.server.pid),
            "descriptors": len(os.listdir(f"/proc/{self.server.pid}/fd")),
            "answers": counts["answers"],
            "p99": counts["accepted"]["p99"],
        })
        last = self.samples[-1]
        say(f"{last['memory']:.1f} MiB, {last['descriptors']} descriptors, p99 {last['p99']} us, "
            f"{refused} refused, {self.verifier.verified} tokens verified, {self.rotations} rotations")

    def quarters(self, name):
        """Returns the medians of the second and the last quarter of all samples."""
        values = [sample[name] for sample in self.samples]
        quarter = max(1, len(values) // 4)
        return statistics.median(values[quarter:2 * quarter] or values), statistics.median(values[-quarter:])

    def problems(self):
        problems = []
        for name, slack in {"memory": 4, "descriptors": 8}.items():
            before, after = self.quarters(name)
            if after > before * 1.05 + slack:
                problems.append(f"{name} grew from {before:.1f} to {after:.1f}")
        answers = sum(sample["answers"] for sample in self.samples)
        if self.refused > answers / 10_000:
            problems.append(f"{self.refused} of {answers} requests were refused at {self.options.share:.0%} load")
        if self.verifier.verified < answers - self.refused:
            problems.append(f"{answers} answers, but only {self.verifier.verified} tokens verified")
        if not self.rotations and self.options.minutes * 60 > 2 * self.options.rotate:
            problems.append("no key was rotated")
        return problems

    def summary(self):
        return {
            "minutes": self.options.minutes,
            "answers": sum(sample["answers"] for sample in self.samples),
            "refused": self.refused,
            "verified": self.verifier.verified,
            "rotations": self.rotations,
            "memory, second quarter and last": self.quarters("memory"),
            "descriptors, second quarter and last": self.quarters("descriptors"),
            "worst p99 of a slice in us": max(sample["p99"] for sample in self.samples),
        }


def run_when_idle():
    """Puts the current thread, and the programs that it starts, behind all others."""
    os.sched_setscheduler(0, os.SCHED_IDLE, os.sched_param(0))


def parse():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--minutes", type=float, default=30, help="duration in minutes (default: 30)")
    parser.add_argument("--share", type=float, default=0.7, help="load as a share of the maximum (default: 0.7)")
    parser.add_argument("--rotate", type=float, default=60, help="seconds between key rotations (default: 60)")
    parser.add_argument("--slow", type=int, default=32, help="concurrent slow clients (default: 32)")
    parser.add_argument("--publish", action="store_true", help="write the summary into docs/soak.json")
    parser.add_argument("--slice", type=float, default=10, help="seconds between samples (default: 10)")
    return parser.parse_args()


def say(text):
    print(time.strftime("%H:%M:%S"), text, file=sys.stderr, flush=True)


if __name__ == "__main__":
    main()
