#!/usr/bin/env python3
"""Runs the tests that wait for time or threads again and again beside a load, and names each that failed even once.

    stress.py ROUNDS [NAME...]    `make stress N=20 NAMES="test_redis Reloader"`; names select files of pytest and suites of Swift

The load is a process of `openssl speed` for each processor, and the tests of pytest and of Swift beside each other. The
programs and the Swift tests are built before. `.build/stress.log` has the output of what failed.
"""

import collections
import concurrent.futures
import os
import pathlib
import re
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parents[1]
LOG = ROOT / ".build/stress.log"
FILES = [
    "test_connections", "test_floods", "test_hostile_module", "test_http2", "test_iam", "test_lifecycle", "test_limits",
    "test_neighbours", "test_redis", "test_reload", "test_revocation", "test_rotation", "test_stalls", "test_strangers",
]  # fmt: skip
# As in the Makefile: what only computes is left out.
COMPUTATIONS = r"^(ExpiringCache|FleetToken|JOSE|StrictCoding)Tests[.]|[.](AdmissionQueue|FairQueue|GrantProperty)Tests/"


def commands(names):
    files = [f"{name}.py" for name in FILES if not names or name in names]
    suites = [name for name in names if not name.startswith("test_")]
    if files:
        options = ["-q", "-rfE", "-m", "not alone", "-n", "4", "--dist", "loadfile", "--no-loadscope-reorder"]
        yield [ROOT / ".build/venv/bin/pytest", *options, *files], ROOT / "Tests/EndToEnd"
    if suites or not names:
        selection = ["--filter", "|".join(suites)] if suites else ["--skip", COMPUTATIONS]
        swift = [os.environ.get("SWIFT", "swift"), "test", "--skip-build", "--no-parallel", "--ignore-lock"]
        yield [*swift, "-Xswiftc", "-index-ignore-system-modules", "-Xswiftc", "-index-ignore-clang-modules", *selection], ROOT


def failures(command, folder):
    """The tests that failed; the command itself if it failed and names none."""
    result = subprocess.run(command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    if result.returncode:
        # What has failed and will not soon again is to be read.
        with LOG.open("a") as log:
            log.write(result.stdout)
    found = set(re.findall(r"(?m)^(?:FAILED|ERROR) (\S+)", result.stdout)) | set(re.findall(r"✘ Test (.+?) failed after", result.stdout))
    return found or ({f"{pathlib.Path(command[0]).name} ended with {result.returncode}"} if result.returncode else set())


def main(rounds, names):
    load = [subprocess.Popen(["openssl", "speed", "-seconds", "86400", "rsa2048"], stdout=-3, stderr=-3) for _ in range(os.cpu_count())]
    counts, start = collections.Counter(), time.monotonic()
    try:
        for number in range(1, rounds + 1):
            with concurrent.futures.ThreadPoolExecutor() as pool:
                found = set().union(*pool.map(lambda command: failures(*command), commands(names)))
            counts.update(found)
            print(f"round {number} of {rounds}, {time.monotonic() - start:.0f} s: {', '.join(sorted(found)) or 'no failure'}", flush=True)
    finally:
        for process in load:
            process.kill()
    print("".join(f"failed {count} of {rounds} times: {name}\n" for name, count in counts.most_common()), end="")
    return 1 if counts else 0


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]), sys.argv[2:]))
