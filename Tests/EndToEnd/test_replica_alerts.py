"""The alerts for each replica, fired by what the running service shows when it is in trouble."""

import contextlib
import resource
import socket
import time

import pytest

from production import until
from test_observability import FOLDER, needs_promtool, promtool
from test_stalls import PATH, pipe, stall, stalling  # noqa: F401

pytestmark = needs_promtool

ALERTS = {
    "FleetTokenCapacity": "page",
    "FleetTokenReplicaDown": "ticket",
    "FleetTokenNotReady": "ticket",
    "FleetTokenRestarting": "ticket",
    "FleetTokenClockOff": "page",
    "FleetTokenDescriptorsLow": "ticket",
    "FleetTokenAuditStalled": "ticket",
    "FleetTokenEventLoopSlow": "ticket",
}
NAMES = ["fleet_token_build_info", "fleet_token_ready", "fleet_token_audit_stalled", "fleet_token_clock_timestamp_seconds",
         "fleet_token_event_loop_lag_seconds_bucket", "process_start_time_seconds", "process_open_fds", "process_max_fds"]  # fmt: skip


class Scrape:
    """What Prometheus reads at a time; its own clock begins in 1970, so the service's is moved there."""

    def __init__(self, service):
        self.page, now = service.metrics(), time.time()
        self.samples = {}
        for line in self.page.splitlines():
            name, _, value = line.rpartition(" ")
            bare, _, labels = name.partition("{")
            if bare in NAMES:
                labels = ", ".join(filter(None, ['job="tokend"', 'instance="a"', labels.rstrip("}")]))
                self.samples[f"{bare}{{{labels}}}"] = float(value)
        (self.clock,) = [name for name in self.samples if name.startswith("fleet_token_clock")]
        self.offset = self.samples[self.clock] - now
        assert abs(self.offset) < 20

    def at(self, minute, skew):
        return self.samples | {self.clock: 60 * minute + self.offset + skew}


def firing(folder, scrapes, skew=0):
    """The replica alerts that fire after scrapes, one a minute; None is one that failed."""
    stored = [scrape.at(minute, skew) if scrape else {} for minute, scrape in enumerate(scrapes)]
    series = {name: [values.get(name, "_") for values in stored] for name in {name for values in stored for name in values}}
    series['up{job="tokend", instance="a"}'] = [int(scrape is not None) for scrape in scrapes]
    found = []
    for alert, severity in ALERTS.items():
        # The share of ready replicas has no instance.
        instance = "" if alert == "FleetTokenCapacity" else ' instance="a",'
        labels = f'alertname="{alert}", alertstate="firing",{instance} job="tokend", severity="{severity}"'
        lines = [f"rule_files: [{FOLDER / 'alerts.yaml'}]", "evaluation_interval: 1m", "tests:", "- interval: 1m", "  input_series:"]
        lines += [f"  - {{series: '{name}', values: '{' '.join(map(str, values))}'}}" for name, values in series.items()]
        lines += ["  promql_expr_test:", f"  - expr: ALERTS{{alertname=\"{alert}\", alertstate=\"firing\"}}",
                  f"    eval_time: {len(scrapes) - 1}m", f"    exp_samples: [{{value: 1, labels: 'ALERTS{{{labels}}}'}}]"]  # fmt: skip
        file = folder / "rules.yaml"
        file.write_text("\n".join(lines) + "\n")
        tested = promtool("test", "rules", file)
        output = tested.stdout + tested.stderr
        assert tested.returncode == 0 or "got: nil" in output or "got:" in output, output
        if tested.returncode == 0:
            found.append(alert)
    return found


def test_nothing_fires_while_all_is_well(site, serve, tmp_path):
    service = serve(site)
    until(lambda: service.readyz()[0] == 200, "it to be ready")
    assert firing(tmp_path, [Scrape(service)] * 30) == []


def test_replica_that_ends_is_down(site, serve, tmp_path):
    service = serve(site)
    scrape = Scrape(service)
    service.stop()
    assert firing(tmp_path, [scrape] * 5 + [None] * 20) == ["FleetTokenCapacity", "FleetTokenReplicaDown"]


def test_replica_that_waits_for_its_issuer_is_not_ready(site, serve, tmp_path):
    site.configuration["callers"]["app"] = {
        "jwt": {
            "issuer": "https://id.example", "audiences": ["tokend"], "algorithms": ["ES256"],
            "keysUrl": "https://localhost:1/keys", "required": True,
        }
    }  # fmt: skip
    service = serve(site)
    assert service.readyz()[0] == 503
    assert firing(tmp_path, [Scrape(service)] * 20) == ["FleetTokenCapacity", "FleetTokenNotReady"]


def test_replica_that_starts_again_and_again_is_restarting(site, serve, tmp_path):
    scrapes = []
    for _ in range(4):
        service = serve(site)
        until(lambda: service.readyz()[0] == 200, "it to be ready")
        scrapes += [Scrape(service)] * 3
        service.stop()
    assert firing(tmp_path, scrapes) == ["FleetTokenRestarting"]


@pytest.mark.parametrize("skew", [-90, 90])
def test_replica_with_a_wrong_clock_is_named(site, serve, tmp_path, skew):
    service = serve(site)
    until(lambda: service.readyz()[0] == 200, "it to be ready")
    assert firing(tmp_path, [Scrape(service)] * 20, skew) == ["FleetTokenClockOff"]


def test_replica_with_few_descriptors_left_is_named(site, serve, tmp_path):
    site.configuration["limits"] = {"connectionsPerAddress": 10000}
    service = serve(site)
    until(lambda: service.readyz()[0] == 200, "it to be ready")
    resource.prlimit(service.process.pid, resource.RLIMIT_NOFILE, (600, 600))
    with contextlib.ExitStack() as connections:
        for _ in range(490):
            connections.enter_context(socket.create_connection(("127.0.0.1", service.port)))
        until(lambda: "fleet_token_connections 490" in service.metrics(), "the connections")
        scrape = Scrape(service)
        assert scrape.samples['process_max_fds{job="tokend", instance="a"}'] == 600
        assert firing(tmp_path, [scrape] * 20) == ["FleetTokenDescriptorsLow"]
    until(lambda: "fleet_token_connections 0" in service.metrics(), "the connections to end")
    assert firing(tmp_path, [Scrape(service)] * 20) == []


def test_replica_with_a_stalled_trail_is_named(stalling, pipe, serve, tmp_path):  # noqa: F811
    # In this order, since the pipe's reader ends with the service.
    trail = pipe("trail")
    service = serve(stalling, output=trail.writer)
    until(lambda: service.readyz()[0] == 200, "it to be ready")
    trail.stop()
    stall(service, [])
    until(lambda: "fleet_token_audit_stalled 1" in service.metrics(), "the trail to be stalled")
    found = firing(tmp_path, [Scrape(service)] * 20)
    assert found == ["FleetTokenCapacity", "FleetTokenNotReady", "FleetTokenAuditStalled"]
    # Its name, and not a refusal of another sort.
    assert 'reason="AUDIT_UNAVAILABLE"' in service.metrics()
    trail.go_on()


def test_process_metrics_are_those_of_the_process(site, serve):
    """As procfs has them, read by another program."""
    service = serve(site)
    until(lambda: service.readyz()[0] == 200, "it to be ready")
    for _ in range(50):
        service.ask(PATH, key=site.key)
    values = dict(line.rsplit(" ", 1) for line in service.metrics().splitlines() if line.startswith("process_"))
    shown = {name: float(value) for name, value in values.items()}
    with open(f"/proc/{service.process.pid}/status") as file:
        status = dict(line.split(":", 1) for line in file if ":" in line)
    assert shown["process_resident_memory_bytes"] == pytest.approx(int(status["VmRSS"].split()[0]) * 1024, rel=0.2)
    assert shown["process_virtual_memory_bytes"] == pytest.approx(int(status["VmSize"].split()[0]) * 1024, rel=0.2)
    # The scrape's own connection is open while it counts.
    assert abs(shown["process_open_fds"] - service.resources()[0]) <= 2
    limit = resource.prlimit(service.process.pid, resource.RLIMIT_NOFILE)[0]
    assert shown["process_max_fds"] == limit
    assert 0 < shown["process_cpu_seconds_total"] < 60
    assert abs(shown["process_start_time_seconds"] - time.time()) < 120
