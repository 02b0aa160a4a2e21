"""A run with the token traffic of a large fleet: two replicas of tokend behind HAProxy, and an issuer of ID tokens.

One tokend on one core serves all of it; the second takes over while the first restarts. Each app has an address, a new TLS
connection, and an ID token of its own, made before the run. Meanwhile the signing keys are rotated, the first replica restarts,
and the issuer is unavailable. PyJWT verifies a sample of the tokens, and all around the rotation, with the keys that the service
has published.
"""

import json
import math
import os
import re
import ssl
import subprocess
import sys
import threading
import time
import urllib.error
import urllib.request

import jwt

from . import servers
from .machine import LOAD, RELEASE, SERVER, WORK, description, free_port, memory, pinned
from .site import Site

from provider import Provider  # of Tests/EndToEnd

KINDS = {"consumer": "tripid", "driver": "vehicleid"}
# When things happen, as shares of the run.
PUBLISH, ROTATE, RESTART, OUTAGE, RECOVERY = 0.1, 0.2, 0.4, 0.6, 0.8
# The seconds before and after a rotation in which every token is verified; of those after each event there is a p99.
BEFORE, AFTER = 5, 15
# One response in so many is verified. One request in so many is an app's second one, so many seconds after its first.
SAMPLE, REPEATS, PAUSE = 50, 12, 30
HAPROXY = """\
defaults
    mode tcp
    maxconn 4000
    timeout connect 2s
    timeout client 30s
    timeout server 30s
listen tokens
    bind 127.0.0.1:{port}
    # Like a load balancer that passes connections through: the service sees the apps' addresses.
    source 0.0.0.0 usesrc clientip
    option redispatch 1
    option httpchk
    http-check send meth GET uri /readyz ver HTTP/1.1 hdr Host localhost
    default-server check inter 500ms fall 2 rise 2
    server first 127.0.0.1:{first.port} port {first.admin_port}
    server second 127.0.0.1:{second.port} port {second.admin_port} backup
"""


class Replica:
    """One of two services with the same keys. All limits are defaults."""

    def __init__(self, name, site, issuer):
        self.name, self.site, self.server, self.starts = name, site, None, 0
        self.port, self.admin_port = free_port(), free_port()
        self.configuration, self.trail = site.folder / f"{name}.yaml", site.folder / f"{name}.jsonl"
        issuer = {"issuer": issuer.name, "audiences": ["tokend"], "algorithms": ["ES256"], "caFile": str(issuer.authority.certificate)}
        grant = {"callers": ["app"]}
        self.configuration.write_text(json.dumps({
            "version": 1,
            "service": {"listen": f"127.0.0.1:{self.port}", "tls": {"certificate": "tls.crt", "key": "tls.key"}, "drainSeconds": 2},
            "admin": {"listen": f"127.0.0.1:{self.admin_port}"},
            "kinds": {kind: {"serviceAccount": f"{kind}.json"} | {
                key: {"serviceAccount": f"{kind}-{key}.json"} for key in ("next", "previous")} for kind in KINDS},
            "callers": {"app": {"jwt": issuer}},
            "grants": {"riders": grant | {"kinds": ["consumer"], "ids": "{claims.trip_ids}"},
                       "drivers": grant | {"kinds": ["driver"], "ids": "{claims.vehicle_id}"}},
            "audit": {"file": self.trail.name},
            "log": {"level": "warning"},
        }))

    def start(self):
        self.starts += 1
        command = [RELEASE / "tokend", "serve", "--config", self.configuration]
        self.server = servers.Server(f"{self.name}-{self.starts}", self.site, command, SERVER, port=self.port).ready()

    def get(self, path):
        with urllib.request.urlopen(f"http://127.0.0.1:{self.admin_port}{path}", timeout=5) as response:
            return response.read().decode()

    def status(self, token):
        """Returns the status of a request with a caller's token."""
        request = urllib.request.Request(f"https://127.0.0.1:{self.port}/token/driver/x", headers={"Authorization": f"Bearer {token}"})
        try:
            with urllib.request.urlopen(request, timeout=15, context=ssl._create_unverified_context()) as response:
                return response.status
        except urllib.error.HTTPError as error:
            return error.code


class Watch(threading.Thread):
    """Notes each second what the programs have used, and which keys the service publishes."""

    def __init__(self, replicas, others):
        super().__init__(daemon=True)
        self.replicas, self.others, self.over = replicas, others, threading.Event()
        # CPU seconds by program and process; keys by ID, with the time when they were seen first; MiB at most by replica.
        self.used, self.keys, self.memory, self.samples = {}, {}, {}, []

    def run(self):
        while not self.over.wait(1):
            self.look()

    def look(self):
        programs = {f"tokend {replica.name}": replica.server.pid for replica in self.replicas} | self.others
        for name, pid in programs.items():
            try:
                self.used[name, pid] = cpu_time(pid)
            except OSError:
                pass  # It has ended.
        for replica in self.replicas:
            try:
                self.memory[replica.name] = max(self.memory.get(replica.name, 0), memory(replica.server.pid))
                for key in json.loads(replica.get("/.well-known/jwks.json"))["keys"]:
                    self.keys.setdefault(key["kid"], (jwt.PyJWK(key).key, time.monotonic()))
            except (OSError, IndexError):
                pass  # It restarts.
        self.samples.append((time.monotonic(), self.cpu("tokend")))

    def cpu(self, program):
        return sum(seconds for (name, _), seconds in self.used.items() if name.startswith(program))


def cpu_time(pid):
    """Returns the CPU time of a process, user and system, in seconds."""
    with open(f"/proc/{pid}/stat") as file:
        return sum(map(int, file.read().rpartition(")")[2].split()[11:13])) / os.sysconf("SC_CLK_TCK")


class Run:
    """So many seconds with so many tokens a second; the handshakes are "full" or "resumed"."""

    def __init__(self, seconds, rate, handshakes):
        self.seconds, self.rate, self.handshakes = seconds, rate, handshakes
        self.site = Site(WORK / "site-scale", tls="ec")
        folder = self.site.folder
        for kind in KINDS:
            for name in (kind, f"{kind}-new"):
                Site.new_account(folder / f"{name}.json")
        self.issuer = Provider(folder, algorithms=["ES256"])
        self.first, self.second = self.replicas = [Replica(name, self.site, self.issuer) for name in ("first", "second")]
        self.callers, self.responses = folder / "callers", folder / "responses"
        self.events, self.strangers, self.signing_keys = {}, [], set()
        say("makes the callers' ID tokens")
        with self.callers.open("w") as file:
            # The number of requests at random moments varies by its square root.
            for number in range(math.ceil(self.rate * self.seconds * 1.01) + 100):
                path, claims = self.request(number)
                file.write(f"{path} {self.issuer.token(exp=int(time.time()) + 7_200, **claims)}\n")

    def request(self, number):
        """Returns the path of a request, and the claims of its caller."""
        earlier = number - round(PAUSE * self.rate) // REPEATS * REPEATS - 1
        if number % REPEATS == 0 and earlier >= 0:
            number = earlier
        # As in the plan, two of three are riders.
        if number % 3:
            return f"/token/consumer/trip-{number}", {"sub": f"rider-{number}", "trip_ids": [f"trip-{number}"]}
        return f"/token/driver/vehicle-{number}", {"sub": f"driver-{number}", "vehicle_id": f"vehicle-{number}"}

    def result(self):
        port, configuration = free_port(), self.site.folder / "haproxy.cfg"
        configuration.write_text(HAPROXY.format(port=port, first=self.first, second=self.second))
        servers.build_load()
        try:
            for replica in self.replicas:
                replica.start()
            with servers.Server("haproxy", self.site, ["/usr/sbin/haproxy", "-db", "-f", configuration], LOAD, port=port) as proxy:
                time.sleep(2)  # for its first checks
                self.load(proxy)
        finally:
            for replica in self.replicas:
                if replica.server:
                    replica.server.stop()
        return self.evaluate()

    def load(self, proxy):
        rotation = ROTATE * self.seconds
        command = [WORK / "connections", proxy.port, 1_000, self.seconds, self.rate, self.handshakes, self.callers, SAMPLE,
                   rotation - BEFORE, rotation + AFTER]
        self.watch = Watch(self.replicas, {"proxy": proxy.pid})
        self.watch.look()
        with self.responses.open("w") as output:
            generator = subprocess.Popen(pinned(LOAD, *command), stdout=output)
        began = time.monotonic()
        self.watch.others["load"] = generator.pid
        self.watch.start()
        for share, what, action in (
            (PUBLISH, "next keys", self.publish_next), (ROTATE, "rotation", self.rotate), (RESTART, "restart", self.restart),
            (OUTAGE, "outage", self.outage), (RECOVERY, "recovery", self.recover),
        ):
            time.sleep(max(0, began + share * self.seconds - time.monotonic()))
            say(what)
            self.events[what] = round(time.monotonic() - began, 1)
            action()
        while generator.poll() is None:
            time.sleep(0.1)
        self.watch.over.set()
        self.watch.join()
        self.watch.look()

    def publish_next(self):
        for kind in KINDS:
            os.replace(self.site.folder / f"{kind}-new.json", self.site.folder / f"{kind}-next.json")

    def rotate(self):
        for kind in KINDS:
            command = [RELEASE / "tokenctl", "keys", "promote", "--config", self.first.configuration, "--kind", kind]
            subprocess.run(pinned(LOAD, *command), check=True, capture_output=True)

    def restart(self):
        self.first.server.stop()
        self.first.start()

    def outage(self):
        """The issuer answers 503. Tokens of an unknown key make the service fetch its keys, each ten seconds at most."""
        for path in self.issuer.pages:
            self.issuer.page(path, b"", 503)
        stranger = self.issuer.token(headers={"kid": "unknown"})
        for _ in range(max(1, round((RECOVERY - OUTAGE) * self.seconds / 11) - 1)):
            self.strangers.append(self.first.status(stranger))
            time.sleep(11 if self.seconds > 120 else 0)
        name = 'fleet_token_jwks_refresh_total{issuer="app",result="failed"}'
        self.failed_fetches = float(re.search(rf"^{re.escape(name)} (\S+)$", self.first.get("/metrics"), re.M)[1])

    def recover(self):
        self.issuer.describe()
        self.issuer.publish()

    def evaluate(self):
        """Returns the figures of the run, and a row for each second: the cores in use, and the latencies."""
        lines = [line for line in self.responses.read_text().splitlines() if line]
        counts = json.loads(lines.pop())
        latencies, verified, wrong = [], 0, 0
        for line in lines:
            number, due, latency, status, body = line.split(" ", 4)
            due, latency = int(due) / 1e6, int(latency) / 1e3
            if status == "200":
                latencies.append((due, latency))
                if body != "-":
                    verified += 1
                    wrong += not self.is_right(int(number), body, counts["started"] + due + latency / 1e3)
        cpu = {name: self.watch.cpu(name) for name in ("tokend", "proxy", "load")}
        all_of_them = [latency for _, latency in latencies]
        after = {what: percentile([latency for due, latency in latencies if 0 <= due - moment < AFTER], 99)
                 for what, moment in self.events.items()}
        return {
            "machine": description(), "seconds": self.seconds, "rate": self.rate, "handshakes": self.handshakes,
            "answers": len(latencies), "refused": counts["refused"], "broken": counts["broken"], "verified": verified, "wrong": wrong,
            "signingKeys": len(self.signing_keys), "failedFetches": self.failed_fetches, "strangers": self.strangers,
            "tokensPerCore": len(latencies) / cpu["tokend"], "cpu": cpu, "memory": self.watch.memory,
            "requestBytes": round(counts["sent"] / len(lines)), "responseBytes": round(counts["received"] / len(lines)),
            "auditBytes": round(sum(replica.trail.stat().st_size for replica in self.replicas) / len(latencies)),
            "latency": {f"p{share}": percentile(all_of_them, share) for share in (50, 99, 99.9)}, "p99After": after, "events": self.events,
            "series": self.series(latencies, counts["started"]),
        }

    def series(self, latencies, started):
        each = {}
        for due, latency in latencies:
            each.setdefault(int(due), []).append(latency)
        samples = self.watch.samples
        cores = {int(end - started): (after - before) / (end - begin)
                 for (begin, before), (end, after) in zip(samples, samples[1:])}
        return [(second, cores.get(second, cores.get(second - 1)), percentile(values, 50), percentile(values, 99))
                for second, values in sorted(each.items())]

    def is_right(self, number, body, moment):
        """Whether a token is the one that its caller requested, signed by a key that had been published before."""
        _, _, kind, identifier = self.request(number)[0].split("/")
        try:
            response = json.loads(body)
            kid = jwt.get_unverified_header(response["token"])["kid"]
            key, published = self.watch.keys[kid]
            claims = jwt.decode(response["token"], key, algorithms=["RS256"], audience="https://fleetengine.googleapis.com/")
            assert claims["authorization"] == {KINDS[kind]: identifier} and claims["exp"] - claims["iat"] == 3_600, claims
            assert claims["iss"] == claims["sub"] == "driver@benchmark.invalid" and published <= moment, claims
            self.signing_keys.add(kid)
            return True
        except (jwt.PyJWTError, AssertionError, ValueError, KeyError) as error:
            say(f"wrong: {error!r}: {body[:100]}")
            return False


def percentile(values, share):
    """Returns the value that a share of all, in percent, do not exceed; 0 if there are none."""
    return sorted(values)[max(0, math.ceil(len(values) * share / 100) - 1)] if values else 0


def say(text):
    print(time.strftime("%H:%M:%S"), text, file=sys.stderr, flush=True)
