"""Load: wrk for maximum throughput, and openloop for a constant rate independent of responses."""

import dataclasses
import itertools
import json
import os
import subprocess
import tempfile
import time

from .machine import BENCHMARKS, LOAD, SERVER, WORK, cpu_seconds, pinned, run

# Each run uses new IDs, so that no token from before is reused.
_first = itertools.count(int(time.time()) * 1_000_000, 10_000_000)


@dataclasses.dataclass
class Run:
    """The result of a wrk run: responses, duration, and the CPU seconds of wrk and the server."""

    answers: int
    seconds: float
    load_cpu: float
    server_cpu: float

    @property
    def rate(self):
        return self.answers / self.seconds


def closed_loop(server, seconds, ids=0, connections=8, cores=LOAD, keys=None, first=None):
    """Sends requests as fast as responses arrive; `ids` is the number of IDs, 0 for a new one each time.

    Eight connections keep a signing core busy.

    Any response except a 2xx fails the run, so that errors are never measured.
    """
    # A shared machine can stall for a second, which is not the server's fault.
    for _ in range(3):
        run = _closed_loop(server, seconds, ids, connections, cores, keys, first)
        if run.answers:
            return run
    raise RuntimeError(f"{server.name} answers nothing; its log ends: {server.log.read_text()[-1000:]}")


def _closed_loop(server, seconds, ids, connections, cores, keys, first):
    environment = {"API_KEY": server.site.key, "IDS": str(ids), "FIRST": str(next(_first) if first is None else first)}
    if keys:
        environment["KEYS"] = str(keys)
    before = cpu_seconds(server.pid)
    done, cpu = run(
        cores, "wrk", "-t1", f"-c{connections}", f"-d{seconds}s", "--timeout", "10s", "-s", BENCHMARKS / "Load/requests.lua",
        f"http://127.0.0.1:{server.port}", environment=environment, timeout=seconds + 60,
    )
    counts = json.loads(done.stderr)
    if counts["refused"] or counts["errors"]:
        raise RuntimeError(f"{server.name}: {counts}; its log ends: {server.log.read_text()[-1000:]}")
    return Run(counts["answers"], counts["seconds"], cpu, cpu_seconds(server.pid) - before)


def new_connections(server, seconds, kind, threads=32):
    """Requests tokens over TLS, each on a connection of its own; 0 seconds: one of each thread, all at once.

    Of a closed loop any refusal fails the run.
    """
    command = [WORK / "connections", server.port, threads, seconds, next(_first), kind]
    done, _ = run(LOAD, *command, environment={"API_KEY": server.site.key}, timeout=seconds + 120)
    counts = json.loads(done.stdout)
    if not counts["answers"] or (seconds and counts["refused"] + counts["broken"]):
        raise RuntimeError(f"{server.name}: {counts}; its log ends: {server.log.read_text()[-1000:]}")
    return counts


class OpenLoop:
    """A running openloop process."""

    def __init__(self, server, rate, seconds, connections, ids=0, cores=LOAD, every=0):
        self.server, self.timeout = server, seconds + 60
        self.bodies, self.counts = tempfile.TemporaryFile("w+"), tempfile.TemporaryFile("w+")
        command = [WORK / "openloop", server.port, rate, seconds, connections, next(_first), ids, every]
        environment = os.environ | {"API_KEY": server.site.key}
        self.process = subprocess.Popen(
            pinned(cores, *command), stdout=self.bodies, stderr=self.counts, env=environment
        )

    def finish(self):
        """Returns the counts, and every so many bodies of answers with a token.

        A connection that broke or a status other than 200 and 503 fails the run.
        """
        self.process.wait(self.timeout)
        with self.bodies, self.counts:
            self.bodies.seek(0)
            self.counts.seek(0)
            text = self.counts.read()
            if self.process.returncode:
                raise RuntimeError(f"openloop, asking {self.server.name}: {text}")
            counts = json.loads(text)
            if counts["errors"] or set(counts["statuses"]) - {"200", "503"} or "200" not in counts["statuses"]:
                raise RuntimeError(f"{self.server.name}: {counts}")
            if counts["statuses"].get("503", 0) != counts["retryAfter"]:
                raise RuntimeError(f"{self.server.name}: a refusal has no Retry-After: {counts}")
            return counts, self.bodies.read().splitlines()


def limit(seconds, by_cpu):
    """Returns openssl's sequential RSA-2048 signatures per second on the servers' core."""
    clock = [] if by_cpu else ["-elapsed"]
    done, _ = run(SERVER, "openssl", "speed", "-mr", *clock, "-seconds", seconds, "rsa2048")
    # +F2:2:2048:SIGNATURES-A-SECOND:VERIFICATIONS-A-SECOND
    fields = [line.split(":") for line in done.stdout.splitlines() if line.startswith("+F2:")]
    return float(fields[0][3])
