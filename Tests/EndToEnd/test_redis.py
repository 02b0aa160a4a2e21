"""Limits that replicas share in Redis: with a real redis-server, and three services as an operator runs them."""

import concurrent.futures
import re
import time

import pytest

import certificates
from good_caller import GoodCaller
from production import until
from ports import free_port
from redis_server import REDIS, FalseRedis, Redis
from secrecy import MARKERS

pytestmark = pytest.mark.skipif(REDIS is None, reason="redis-server is missing: Debian's package redis-server")

PATH = "/token/driver/v-1"
LITTLE = {"perMinute": 1, "burst": 30}
AWAY = "Redis is unavailable"


@pytest.fixture
def redis(tmp_path):
    servers = []

    def start(*options, false=None, port=None):
        servers.append(FalseRedis(false) if false is not None else Redis(tmp_path, *options, port=port))
        return servers[-1]

    yield start
    for server in servers:
        server.stop()


@pytest.fixture
def replicas(make_site, serve):
    """Starts several services with the same keys and callers, each with its own folder and audit trail."""

    def start(port, count=3, **limits):
        site = make_site()
        services = []
        for number in range(count):
            site.configuration["audit"] = {"file": f"audit-{number}.jsonl"}
            site.configuration["limits"] = {"redis": {"address": f"127.0.0.1:{port}"}} | limits
            services.append(serve(site))
        return site, services

    return start


def is_up(service):
    return service.metric("fleet_token_redis_up") == 1


def wait_up(services):
    until(lambda: all(map(is_up, services)), "the services to find Redis")


def wait_down(services):
    until(lambda: not any(map(is_up, services)), "the services to notice")


def test_burst_is_one_for_all_replicas_and_so_are_failures(redis, replicas):
    site, services = replicas(redis().port, machine=LITTLE, unauthenticated=LITTLE)
    wait_up(services)
    for key, status in [(site.key, 200), (None, 401)]:
        answers = [services[n % 3].ask(PATH, key=key) for n in range(40)]
        assert [answer.status for answer in answers] == [status] * 30 + [429] * 10
        assert 1 <= int(answers[-1].headers["Retry-After"]) <= 60


def test_global_limit_holds_within_5_percent_under_load(redis, replicas):
    """Six threads ask three replicas as fast as they can, for some times the burst."""
    # The bucket is full again after five seconds, which no thread of a loaded machine waits for.
    # And one token each 50 ms: Redis counts whole milliseconds.
    rate, burst, seconds = 1200, 100, 5
    site, services = replicas(redis().port, machine={"perMinute": rate, "burst": burst})
    wait_up(services)
    start = time.monotonic()
    served, refused = [], []

    def load(service):
        while time.monotonic() < start + seconds:
            is_served = service.ask(PATH, key=site.key).status == 200
            (served if is_served else refused).append(time.monotonic())

    with concurrent.futures.ThreadPoolExecutor(6) as pool:
        list(pool.map(load, services * 2))
    allowed = burst + rate / 60 * (max(served + refused) - start)
    # From one refusal to another no token of the bucket is left over, even if the threads are slow.
    assert refused, "the threads ask less than the limit"
    first, last = min(refused), max(refused)
    between = sum(first < moment <= last for moment in served)
    expected = rate / 60 * (last - first)
    assert len(served) <= 1.05 * allowed
    assert abs(between / expected - 1) < 0.05
    assert not any(AWAY in service.read_log() for service in services)


@pytest.mark.threat("S12")
def test_nobody_can_be_read_in_redis(redis, replicas):
    server = redis()
    # A bucket is in Redis until it is full again: for a second at this rate.
    site, services = replicas(server.port, count=1, machine={"perMinute": 60, "burst": 10})
    wait_up(services)
    services[0].ask(PATH, key=site.key)
    services[0].ask(PATH, key="nobody")
    keys = server.ask("KEYS", "*").decode()
    assert len(re.findall(r"fleet-token:caller:[A-Za-z0-9_-]{43}\r", keys)) == 1
    assert len(re.findall(r"fleet-token:address:[A-Za-z0-9_-]{43}\r", keys)) == 1
    assert "backend" not in keys and "127.0.0.1" not in keys
    # And nothing stays.
    name = re.search(r"fleet-token:caller:\S+", keys).group()
    assert 0 < int(server.ask("PTTL", name)[1:]) <= 1000


def test_killing_redis_under_load_costs_no_good_caller_an_error(redis, serve_solo):
    server = redis()
    service = serve_solo(redis={"address": f"127.0.0.1:{server.port}"})
    wait_up([service])
    with GoodCaller(service) as caller:
        for _ in range(3):
            server.stop()
            wait_down([service])
            server.start()
            wait_up([service])
    caller.report("Redis killed three times")


def test_redis_that_comes_back_is_used_again(redis, replicas):
    server = redis()
    site, services = replicas(server.port, machine=LITTLE)
    wait_up(services)
    server.stop()
    wait_down(services)
    # Each on its own.
    assert [service.ask(PATH, key=site.key).status for service in services for _ in range(31)] == ([200] * 30 + [429]) * 3
    # Under load, the next attempt to connect may come late.
    until(lambda: all("Connection refused" in service.read_log() for service in services), "an attempt to connect")
    server.start()
    wait_up(services)
    # It has forgotten all, the script too.
    assert [services[n % 3].ask(PATH, key=site.key).status for n in range(40)] == [200] * 30 + [429] * 10
    # The outage is over when Redis has been healthy for ten seconds.
    until(lambda: all("Redis is available again" in service.read_log() for service in services), "the log to say so")
    for service in services:
        log = service.read_log()
        assert (log.count("Redis is available again"), log.count("Rate limits are shared through Redis")) == (1, 1)
        # Once, however often it was tried.
        assert log.count(AWAY) == log.count("Connection refused") == 1


def test_password(redis, replicas, make_site, serve):
    password = "p4ssw0rd-of-redis-0123456789"
    server = redis("--requirepass", password)

    def start(password, **settings):
        site = make_site()
        site.secret_file("redis-password", password)
        site.configuration["limits"] = {"redis": {"address": f"127.0.0.1:{server.port}"} | settings}
        return serve(site)

    wait_up([start(password, passwordFile="redis-password")])
    wait_up([start(password, passwordFile="redis-password", user="default")])
    for settings, code in [({"passwordFile": "redis-password"}, "WRONGPASS"), ({}, "NOAUTH")]:
        service = start(password[::-1], **settings)
        until(lambda: AWAY in service.log.read_text(), "the log to say so")
        assert code in service.read_log() and "passwordFile" in service.read_log()
        assert service.ask(PATH, key=service.site.key).status == 200


@pytest.mark.parametrize(
    "reply",
    [
        b"HTTP/1.1 400 Bad Request\r\n\r\n",
        b":-1\r\n",
        b":0\r\n:0\r\n",
        b"-ERR eyJhbGciOi\r\nforged\r\n",
        b"+" + b"a" * 1000000,
        b"",
    ],
    ids=lambda reply: repr(reply[:24]),
)
def test_nonsense_from_redis_is_an_outage(redis, replicas, reply):
    server = redis(false=reply)
    site, services = replicas(server.port, count=1, machine=LITTLE)
    until(lambda: AWAY in services[0].log.read_text(), "the log to say so")
    assert [services[0].ask(PATH, key=site.key).status for _ in range(31)] == [200] * 30 + [429]
    asked = server.asked
    until(lambda: server.asked > asked, "another try")
    log = services[0].read_log()
    assert log.count(AWAY) == 1 and not MARKERS.search(log.encode()) and "forged" not in log


# TLS


@pytest.fixture
def over_tls(redis, make_site, serve, tmp_path):
    """Starts Redis with a certificate for some names, and a service that connects to it by a host's name."""

    def start(host, names):
        root = certificates.authority(tmp_path)
        own = certificates.leaf(tmp_path, "redis", root, names, subject=host)
        port = free_port()
        redis(
            "--tls-port", str(port), "--tls-cert-file", own.certificate, "--tls-key-file", own.key,
            "--tls-ca-cert-file", root.certificate, "--tls-auth-clients", "no",
        )  # fmt: skip
        site = make_site()
        settings = {"address": f"{host}:{port}", "tls": {"caFile": str(root.certificate)}}
        site.configuration["limits"] = {"redis": settings, "machine": LITTLE}
        return serve(site)

    return start


@pytest.mark.parametrize("host", ["localhost", "127.0.0.1"])
def test_limits_are_shared_over_tls(over_tls, host):
    service = over_tls(host, "DNS:localhost, IP:127.0.0.1")
    wait_up([service])
    assert [service.ask(PATH, key=service.key).status for _ in range(31)] == [200] * 30 + [429]
    assert AWAY not in service.read_log()


def test_certificate_that_does_not_name_the_host_is_not_trusted(over_tls):
    service = over_tls("localhost", "DNS:cache.example")
    until(lambda: "certificate not trusted" in service.log.read_text(), "the log to say so")
    assert not is_up(service)
