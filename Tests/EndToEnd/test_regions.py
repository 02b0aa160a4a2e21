"""Two sites as docs/guides/regions.md describes them: two processes and a Redis each, and what leads callers to one of them."""

import contextlib
import http.client
import socket
import threading
import time

import jwt
import pytest

from good_caller import Repeated
from production import PLENTY, exchange, until
from redis_server import REDIS, Redis
from test_discovery import provider  # noqa: F401
from test_redis import is_up
from test_rotation import AUDIENCE, NEXT, PATH, key_id, keys, promote, published, put, signing_key, with_ring  # noqa: F401

pytestmark = pytest.mark.skipif(REDIS is None, reason="redis-server is missing: Debian's package redis-server")


class Balancer:
    """Passes a connection to the first process that takes it, the nearer site's first: as DNS or anycast with health checks do."""

    def __init__(self, services):
        self.services = services
        self.listener = socket.create_server(("127.0.0.1", 0))
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self):
        while True:
            client, _ = self.listener.accept()
            # The port of a process that has ended may be another server's by now.
            for service in (each for each in self.services if each.process.poll() is None):
                try:
                    server = socket.create_connection(("127.0.0.1", service.port), 1)
                except OSError:
                    continue
                for pair in ((client, server), (server, client)):
                    threading.Thread(target=self.copy, args=pair, daemon=True).start()
                break

    @staticmethod
    def copy(source, destination):
        with contextlib.suppress(OSError):
            while data := source.recv(1 << 16):
                destination.sendall(data)
        with contextlib.suppress(OSError):
            destination.shutdown(socket.SHUT_RDWR)

    def ask(self, key):
        """The time, and the status of a request over a connection of its own."""
        try:
            return time.monotonic(), exchange(self.listener.getsockname()[1], PATH, [("X-API-Key", key)]).status
        except (OSError, http.client.HTTPException) as error:
            return time.monotonic(), repr(error)


@pytest.fixture
def start(make_site, serve, keys, provider, tmp_path_factory):  # noqa: F811
    """Starts both sites: each with files, keys and a Redis of its own, and with the same callers."""
    sites = []

    def start(**limits):
        for site in (make_site(), make_site()):
            sites.append(site)
            site.redis, site.services, site.key = Redis(tmp_path_factory.mktemp("redis")), [], sites[0].key
            with_ring(site, keys)
            (site.folder / "api-keys").write_bytes((sites[0].folder / "api-keys").read_bytes())
            site.discover(provider, caFile=str(provider.authority.certificate))
            site.configuration["limits"] = PLENTY | {"redis": {"address": f"127.0.0.1:{site.redis.port}"}} | limits
            for number in range(2):
                site.configuration["audit"] = {"file": f"audit-{number}.jsonl"}
                site.services.append(serve(site))
            until(lambda: all(map(is_up, site.services)), "Redis")  # noqa: B023
        return sites, [service for site in sites for service in site.services]

    yield start
    for site in sites:
        site.redis.stop()


def test_a_key_is_published_at_both_sites_before_either_signs_with_it(start, keys):  # noqa: F811
    sites, everybody = start()
    old, new = map(key_id, keys[:2])
    for site in sites:
        put(keys[1], site.folder / NEXT)
    for service in everybody:
        service.hang_up()
    until(lambda: all(set(published(service)) == {old, new} for service in everybody), "the next key to be published everywhere")
    for changed, other in (sites, sites[::-1]):
        assert promote(changed).returncode == 0
        for service in changed.services:
            service.hang_up()
        until(lambda: all(signing_key(service) == new for service in changed.services), "the site to sign with it")  # noqa: B023
        # In between, the sites sign with different keys, and each has the other's.
        for source, verifier in ((changed, other), (other, changed)):
            token = source.services[0].ask(PATH, key=source.key).token
            key = verifier.services[1].key_set()[jwt.get_unverified_header(token)["kid"]]
            jwt.decode(token, key.key, ["RS256"], audience=AUDIENCE)


def test_when_a_site_is_gone_the_other_serves_its_callers(start):
    (east, west), everybody = start()
    balancer = Balancer(everybody)
    with Repeated(lambda: balancer.ask(east.key), threads=4) as requests:
        requests.more(400)
        end = time.monotonic()
        for service in east.services:
            service.process.kill()
            service.process.wait()
        requests.more(400)
    failed = [(moment - end, status) for moment, status in requests.results if status != 200]
    print(f"{len(requests.results)} requests, {len(failed)} failed, the last after {max(failed, default=[0])[0]:.3f} s")
    # Those in progress at the kills; soon nothing is sent there.
    assert all(status == 200 for _, status in requests.results[-300:]), failed
    assert west.audit("audit-0.jsonl")


def test_without_its_redis_and_the_issuers_keys_a_site_serves(start, provider):  # noqa: F811
    (east, _), everybody = start()
    until(lambda: all("[+]issuer app ok" in service.readyz()[1] for service in everybody), "the issuer's keys")
    provider.stop()
    east.redis.stop()
    times = []
    for service in everybody * 25:
        before = time.monotonic()
        assert service.ask(PATH, bearer=provider.token("ES256")).status == 200
        times.append(time.monotonic() - before)
    print(f"{len(times)} requests, the slowest {max(times) * 1000:.0f} ms")
    assert [is_up(service) for service in everybody] == [False, False, True, True]


def test_a_limit_holds_for_each_site(start):
    sites, _ = start(machine={"perMinute": 1, "burst": 20})
    for site in sites:
        assert [site.services[number % 2].ask(PATH, key=site.key).status for number in range(30)] == [200] * 20 + [429] * 10
