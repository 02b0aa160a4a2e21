#!/usr/bin/env python3
"""Counts the instructions of each step in process with callgrind, and writes them as a table.

Counts hardly change from run to run, as times do. An operation's count is the difference between two runs, so that the
start of the program is not in it.
"""

import argparse
import json
import re
import subprocess
import tempfile

from harness import report
from harness.machine import BENCHMARKS, MINT, WORK

PROGRAM = WORK / "MintBenchmark"
# The same key each time: looking for primes takes more instructions than all that is counted.
KEYS = WORK / "mint-keys"
# Those that sign take longest under valgrind, and they vary least.
COUNTS = {"sign": 40, "mint": 40, "issue": 40}
FEW, MANY = 200, 1_000
# Whose an instruction is, by the names of its function and of what was linked.
OWNERS = {
    "libcrypto": r"\[.*libcrypto",
    "swift-crypto": r"CCryptoBoringSSL",
    "Swift's libraries": r"\[.*(libswift|Foundation|libdispatch)",
    "C library": r"\[.*(libc\.|libm\.|ld-|vgpreload)",
}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--only", action="append", help="this operation alone; may be repeated")
    parser.add_argument("--publish", action="store_true", help="write the table into docs/performance.md")
    options = parser.parse_args()
    # Valgrind stumbles over Swift's debugging information; the functions' names are elsewhere.
    subprocess.run(["strip", "--strip-debug", "-o", PROGRAM, MINT], check=True)
    known = operations()
    names = options.only or known
    rows = {name: count(name) for name in names}
    (BENCHMARKS / "results").mkdir(exist_ok=True)
    (BENCHMARKS / "results/instructions.json").write_text(json.dumps(rows, indent=1) + "\n")
    table = "\n".join(lines(rows)) + "\n"
    print(table)
    if options.publish:
        report.replace("instructions", table)


def operations():
    """The names of all, each done once."""
    done = subprocess.run([PROGRAM, "--keys", KEYS, "--count", "1"], capture_output=True, text=True, check=True)
    return [line.split("\t")[0] for line in done.stdout.splitlines()]


def count(name):
    """Instructions of one operation, by what they belong to."""
    few = COUNTS.get(name, FEW)
    many = 2 * few if name in COUNTS else MANY
    start, end = callgrind(name, few), callgrind(name, many)
    return {owner: (end[owner] - start[owner]) / (many - few) for owner in end}


def callgrind(name, operations):
    with tempfile.NamedTemporaryFile() as file:
        command = ["valgrind", "--tool=callgrind", f"--callgrind-out-file={file.name}", PROGRAM, "--keys", KEYS]
        subprocess.run([*command, "--only", name, "--count", str(operations)], capture_output=True, check=True)
        text = subprocess.run(
            ["callgrind_annotate", "--threshold=100", "--show-percs=no", file.name],
            capture_output=True, text=True, check=True,
        ).stdout
    totals = dict.fromkeys(["all", *OWNERS, "this project"], 0)
    # COUNT  FILE:FUNCTION [OBJECT]
    for line in re.finditer(r"^ *([\d,]+) +(?!PROGRAM)(\S.*)$", text, re.M):
        instructions = int(line[1].replace(",", ""))
        owner = next((name for name, pattern in OWNERS.items() if re.search(pattern, line[2])), "this project")
        totals[owner] += instructions
        totals["all"] += instructions
    return totals


def lines(rows):
    owners = list(next(iter(rows.values())))
    yield "| step | " + " | ".join(owners) + " |"
    yield "|---|" + "--:|" * len(owners)
    for name, counts in rows.items():
        yield f"| {name} | " + " | ".join(f"{round(counts[owner]):,}" for owner in owners) + " |"


if __name__ == "__main__":
    main()
