#!/usr/bin/env python3
"""Measures the Fleet Engine emulator in CPU time: its start, requests on one core, and whether its memory grows.

    make release release-emulator
    .build/venv/bin/python Benchmarks/emulator.py [FOLDER of tokend [FOLDER of the emulator]]

CPU time and not wall time, so that other load on the machine matters little. Exits with status 1 if a bound is missed:
start in less than 100 ms, 1,000 requests a second on one core with 10,000 trips, and no growth.
"""

import http.client
import itertools
import json
import os
import pathlib
import sys
import tempfile

ROOT = pathlib.Path(__file__).parents[1]
folders = sys.argv[1:] or [str(ROOT / ".build" / "ship")]
os.environ.setdefault("FLEET_TOKEN_BUILD", folders[0])
os.environ.setdefault("FLEET_ENGINE_EMULATOR_BUILD", folders[-1])
sys.path.append(str(ROOT / "FleetEngineEmulator" / "Tests"))

from apis import Grpc  # noqa: E402
from conftest import Emulator, Tokend  # noqa: E402
from fleet import name  # noqa: E402

TRIPS, VEHICLES, ROUND = 10_000, 500, int(os.environ.get("ROUND", 20_000))
PLACE = {"latitude": 25.0478, "longitude": 121.517}
TRIP = {"tripType": "EXCLUSIVE", "pickupPoint": {"point": PLACE}, "dropoffPoint": {"point": PLACE}}
VEHICLE = {
    "vehicleState": "ONLINE", "supportedTripTypes": ["EXCLUSIVE"], "maximumCapacity": 4, "vehicleType": {"category": "AUTO"},
}
UPDATE = "vehicleState,lastLocation,remainingTimeSeconds,remainingDistanceMeters"


def main():
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        tokend = Tokend(folder, folder / "keys")
        emulator = Emulator(folder, "--keys", folder / "keys")
        try:
            problems = list(measure(Process(emulator.process.pid), emulator, tokend))
        finally:
            emulator.stop()
            tokend.stop()
    sys.exit("\n".join(problems) or None)


def measure(process, emulator, tokend):
    """Prints the figures, and yields the bounds that are missed."""
    start = process.cpu
    print(f"start: {start * 1000:.0f} ms of CPU time until it listens, {process.memory:.0f} MiB")
    rest = Rest(emulator, tokend)
    fill(rest)
    print(f"{TRIPS:,} trips and {VEHICLES:,} vehicles: {process.memory:.0f} MiB")

    costs, memory = [], []
    for _ in range(5):
        before = process.cpu
        for number in range(ROUND):
            rest.follow(number) if number % 2 else rest.report(number)
        costs.append((process.cpu - before) / ROUND)
        memory.append(process.memory)
        print(f"REST: {costs[-1] * 1e6:.0f} µs a request, {1 / costs[-1]:,.0f} a second on one core; {memory[-1]:.0f} MiB")

    before, calls = process.cpu, 5_000
    rider = Grpc(emulator, tokend.token("consumer", "trip-0"))
    for _ in range(calls):
        rider.get_trip(name=name("trips", "trip-0"))
    rider.close()
    grpc = (process.cpu - before) / calls
    print(f"gRPC: {grpc * 1e6:.0f} µs a request, {1 / grpc:,.0f} a second on one core")

    if start >= 0.1:
        yield "The start takes 100 ms or more."
    if max(*costs, grpc) > 0.001:
        yield "A core handles less than 1,000 requests a second."
    # The first rounds fill the journal, which is bounded, and the allocator's free lists.
    if memory[-1] > memory[1] * 1.03:
        yield "Memory grows."


def fill(rest):
    for number in range(VEHICLES):
        rest.send("POST", f"vehicles?vehicleId=vehicle-{number}", rest.server, VEHICLE)
    for number in range(TRIPS):
        trip = TRIP | ({"vehicleId": f"vehicle-{number}"} if number < VEHICLES else {})
        rest.send("POST", f"trips?tripId=trip-{number}", rest.server, trip)


class Process:
    def __init__(self, pid):
        self.pid = pid

    @property
    def cpu(self):
        """Seconds of CPU time, of the user and of the system."""
        fields = pathlib.Path(f"/proc/{self.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    @property
    def memory(self):
        """Resident MiB."""
        return int(pathlib.Path(f"/proc/{self.pid}/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 2**20


class Rest:
    """Riders who follow and drivers who report, each with a token of its own, on connections that stay."""

    def __init__(self, emulator, tokend):
        connections = [http.client.HTTPConnection(emulator.rest) for _ in range(8)]
        self.connections = itertools.cycle(connections)
        self.server = tokend.token("server")
        self.riders = [tokend.token("consumer", f"trip-{number}") for number in range(VEHICLES)]
        self.drivers = [tokend.token("driver", f"vehicle-{number}") for number in range(VEHICLES)]

    def follow(self, number):
        number %= VEHICLES
        self.send("GET", f"trips/trip-{number}", self.riders[number])

    def report(self, number):
        seconds, number = number % 60, number % VEHICLES
        place = {"location": PLACE, "updateTime": f"2026-11-22T00:00:{seconds:02}Z"}
        body = {
            "vehicleState": "ONLINE", "lastLocation": place, "remainingTimeSeconds": seconds,
            "remainingDistanceMeters": seconds * 10,
        }
        self.send("PUT", f"vehicles/vehicle-{number}?updateMask={UPDATE}", self.drivers[number], body)

    def send(self, verb, path, token, body=None):
        connection = next(self.connections)
        fields = {"Authorization": f"Bearer {token}", "Content-Type": "application/json"}
        connection.request(verb, f"/v1/providers/demo-fleet/{path}", body and json.dumps(body), fields)
        answer = connection.getresponse()
        text = answer.read()
        assert answer.status == 200, text


main()
