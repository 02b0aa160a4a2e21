#!/usr/bin/env python3
"""Measures how long Redis's only thread takes for a request of a shared limit, by Redis's own clock.

The commands are those of Sources/TokenService/Redis/RateScript.swift, for as many buckets as there are requests of
100,000 callers. With --publish, writes the median of five rounds to docs/scale.md and docs/scale.json.
"""

import argparse
import hashlib
import json
import pathlib
import re
import socket
import statistics
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[1]
sys.path.append(str(ROOT / "Tests" / "EndToEnd"))

from redis_server import REDIS, Redis  # noqa: E402

SCRIPT = ROOT / "Sources/TokenService/Redis/RateScript.swift"
PAGE, RESULT = ROOT / "docs/scale.md", ROOT / "docs/scale.json"
ROUNDS, REQUESTS, CALLERS, BATCH = 5, 200_000, 100_000, 500
# 600 a minute and a burst of 100, in microseconds: the default of a person.
INTERVAL, CAPACITY = 100_000, 10_000_000


def source():
    """The script, without the indentation that Swift removes."""
    text = re.search(r'source = """\n(.*?)\n( *)"""', SCRIPT.read_text(), re.S)
    return "\n".join(line.removeprefix(text[2]) for line in text[1].split("\n")).encode()


def command(*words):
    words = [word if isinstance(word, bytes) else str(word).encode() for word in words]
    return b"*%d\r\n" % len(words) + b"".join(b"$%d\r\n%s\r\n" % (len(word), word) for word in words)


def measure(redis, text):
    """The microseconds of a call, as Redis counts them."""
    digest = hashlib.sha1(text).hexdigest()
    with socket.create_connection(("127.0.0.1", redis.port)) as connection:
        replies = connection.makefile("rb")

        def ask(*commands):
            connection.sendall(b"".join(commands))
            return [replies.readline() for _ in commands]

        ask(command("FLUSHALL"), command("CONFIG", "RESETSTAT"))
        assert ask(command("EVAL", text, 1, "warm", INTERVAL, CAPACITY)) == [b":0\r\n"]
        for start in range(0, REQUESTS, BATCH):
            answers = ask(*(
                command("EVALSHA", digest, 1, f"fleet-token:caller:{number % CALLERS:043}", INTERVAL, CAPACITY)
                for number in range(start, start + BATCH)
            ))  # fmt: skip
            assert set(answers) == {b":0\r\n"}, answers
        connection.sendall(command("INFO", "commandstats"))
        found = replies.read(int(replies.readline()[1:])).decode()
    calls, microseconds = re.search(r"cmdstat_evalsha:calls=(\d+),.*?usec_per_call=([\d.]+)", found).groups()
    assert int(calls) == REQUESTS
    return float(microseconds)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--publish", action="store_true", help="write docs/scale.md and docs/scale.json")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        redis = Redis(folder)
        try:
            rounds = [measure(redis, source()) for _ in range(ROUNDS)]
        finally:
            redis.stop()
    version = subprocess.run([REDIS, "--version"], check=True, capture_output=True, text=True).stdout
    result = {"microseconds": rounds, "median": statistics.median(rounds), "redis": re.search(r"v=(\S+)", version)[1]}
    print(json.dumps(result, indent=1))
    if options.publish:
        RESULT.write_text(json.dumps(json.loads(RESULT.read_text()) | {"rateScript": result}, indent=1) + "\n")
        text, count = re.subn(r"The script takes \S+ µs", f"The script takes {result['median']:.1f} µs", PAGE.read_text())
        assert count == 1
        PAGE.write_text(text)


if __name__ == "__main__":
    main()
