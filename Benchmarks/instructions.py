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

from harness.machine import BENCHMARKS, MINT, WORK

PROGRAM = WORK / "MintBenchmark"
# The same key each time: generating primes takes more instructions than everything measured.
KEYS = WORK / "mint-keys"
# Operations that sign are the slowest under valgrind, and vary least.
COUNTS = {"sign": 40, "mint": 40, "issue": 40}
FEW, MANY = 200, 1_000
# Attributes instructions to components by the names of function and linked object.
OWNERS = {
    "libcrypto": r"\[.*libcrypto",
    "Swift's libraries": r"\[.*(libswift|Foundation|libdispatch)",
    "C library": r"\[.*(libc\.|libm\.|ld-|vgpreload)",
}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--only", action="append", help="run only this operation; may be repeated")
    options = parser.parse_args()
    # Valgrind cannot read Swift's debug information; the symbol table has the function names.
    subprocess.run(["strip", "--strip-debug", "-o", PROGRAM, MINT], check=True)
    known = operations()
    names = options.only or known
    rows = {name: count(name) for name in names}
    (BENCHMARKS / "results").mkdir(exist_ok=True)
    (BENCHMARKS / "results/instructions.json").write_text(json.dumps(rows, indent=1) + "\n")
    print("\n".join(lines(rows)))


def operations():
    """Returns the names of all operations, each run once."""
    done = subprocess.run([PROGRAM, "--keys", KEYS, "--count", "1"], capture_output=True, text=True, check=True)
    return [line.split("\t")[0] for line in done.stdout.splitlines()]


def count(name):
    """Returns the instructions of one operation, by component."""
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
    owners = ["all", "libcrypto", "this project"]
    yield "| step | " + " | ".join(owners) + " |"
    yield "|---|" + "--:|" * len(owners)
    for name, counts in rows.items():
        yield f"| {name} | " + " | ".join(f"{round(counts[owner]):,}" for owner in owners) + " |"


if __name__ == "__main__":
    main()
