#!/usr/bin/env python3
"""Counts the service's heap allocations for each answer over a socket, and fails where a budget is passed.

Counts do not depend on the load of the machine. All threads count, the audit trail's writer among them; libcrypto's own
allocations are listed apart.
"""

import argparse
import collections
import http.client
import itertools
import json
import os
import re
import struct
import subprocess
import sys

from harness import servers, tokens
from harness.machine import BENCHMARKS, RELEASE, WORK
from harness.site import Site

# For each kind of answer: the most allocations and bytes, beyond which this program fails.
BUDGETS = {"reused": (32, 10 * 1024), "signed": (54, 16 * 1024)}
WARM_UP, REQUESTS = 300, 1_000
FRAMES = 30


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--stacks", action="store_true",
                        help="list where the allocations come from; FLEET_TOKEN_BUILD names binaries with symbols")
    options = parser.parse_args()
    servers.build_load()
    counts = {kind: count(kind, options.stacks) for kind in BUDGETS}
    (BENCHMARKS / "results").mkdir(exist_ok=True)
    (BENCHMARKS / "results/allocations.json").write_text(json.dumps(counts, indent=1) + "\n")
    print("\n".join(lines(counts)))
    passed = [kind for kind, budget in BUDGETS.items() if not is_within(counts[kind], budget)]
    if passed:
        sys.exit(f"allocations: passed the budget: {', '.join(passed)}")


def count(kind, with_stacks):
    """Returns the allocations and bytes of one answer, the service's and libcrypto's."""
    site = Site(WORK / "site-allocations")
    counters, stacks = site.folder / "allocations", site.folder / "stacks"
    environment = {"LD_PRELOAD": str(WORK / "allocations.so"), "ALLOCATIONS": str(counters)}
    if with_stacks:
        environment["ALLOCATION_STACKS"] = str(stacks)
    with servers.tokend(site, name="tokend-allocations", environment=environment) as server:
        connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=60)
        ids = itertools.repeat("vehicle-0") if kind == "reused" else (f"vehicle-{n}" for n in itertools.count())
        ask(connection, site.key, itertools.islice(ids, WARM_UP))
        before, first = read(counters), stack_count(stacks)
        ask(connection, site.key, itertools.islice(ids, REQUESTS))
        after = read(counters)
        connection.close()
        tokens.sample(server, 1)
        if with_stacks:
            list_stacks(kind, stacks, first, server.pid)
    each = [(end - start) / REQUESTS for start, end in zip(before, after)]
    return dict(zip(("allocations", "bytes", "libcrypto's allocations", "libcrypto's bytes"), each))


def ask(connection, key, vehicles):
    for vehicle in vehicles:
        connection.request("GET", f"/token/driver/{vehicle}", headers={"X-API-Key": key})
        answer = connection.getresponse()
        body = answer.read()
        if answer.status != 200:
            raise RuntimeError(f"{answer.status}: {body}")


def read(counters):
    """Returns the counts as the library in allocations.c keeps them."""
    return struct.unpack("4Q", counters.read_bytes())


def stack_count(stacks):
    return struct.unpack("Q", stacks.open("rb").read(8))[0] if stacks.exists() else 0


def is_within(counts, limits):
    # What is allocated once in many requests is a few thousandths.
    return round(counts["allocations"], 1) <= limits[0] and counts["bytes"] <= limits[1]


def lines(counts):
    yield "| response | allocations | bytes | libcrypto's allocations | libcrypto's bytes |"
    yield "|---|--:|--:|--:|--:|"
    for kind, each in counts.items():
        yield f"| {kind} | {' | '.join(f'{value:,.1f}' for value in each.values())} |"


def list_stacks(kind, stacks, first, pid):
    """Prints the stacks of all allocations, those with the most first."""
    size = 8 * (1 + FRAMES)
    record = struct.Struct(f"{1 + FRAMES}Q")
    with stacks.open("rb") as file:
        last = min(stack_count(stacks), 400_000)
        file.seek(8 + first * size)
        data = file.read((last - first) * size)
    found, totals = collections.Counter(), collections.Counter()
    for bytes_, *frames in record.iter_unpack(data[:len(data) // size * size]):
        stack = tuple(frame for frame in frames if frame)
        found[stack] += 1
        totals[stack] += bytes_
    names = symbols(pid)
    for stack, number in found.most_common():
        if number >= REQUESTS // 50:
            print(f"{kind}: {number / REQUESTS:.2f} allocations, {totals[stack] / REQUESTS:.0f} bytes")
            for frame in stack[1:]:
                print(f"    {names(frame)}")


def symbols(pid):
    """Returns a function that names the function at an address of the process."""
    import bisect

    binary = os.path.realpath(RELEASE / "tokend")
    base = next(int(line.split("-")[0], 16) for line in open(f"/proc/{pid}/maps") if line.strip().endswith(binary))
    nm = subprocess.run(["nm", "--defined-only", "-n", binary], capture_output=True, text=True, check=True).stdout
    demangled = subprocess.run(["swift", "demangle", "--simplified"], input=nm, capture_output=True, text=True, check=True)
    table = [(int(line[1], 16), line[2]) for line in re.finditer(r"^([0-9a-f]+) [tTwW] (.*)$", demangled.stdout, re.M)]
    starts = [address for address, _ in table]

    def name(address):
        index = bisect.bisect_right(starts, address - base) - 1
        return table[index][1] if 0 <= index and address - base < starts[-1] + 4096 else hex(address)

    return name


if __name__ == "__main__":
    main()
