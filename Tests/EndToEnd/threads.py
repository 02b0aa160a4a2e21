"""A tokend that was built with ThreadSanitizer, under load while it reloads; `make test-service-threads` runs this.

A race that it finds is in its log. What threads share is all in use here: the signatures' gate and threads,
tokens that many wait for, the audit trail's batches, connections, limits, metrics
and reloads.
"""

import concurrent.futures
import http.client
import itertools
import threading

import pytest

MUCH = {"perMinute": 100000, "burst": 100000}
CONNECTIONS = 16


class Load:
    """Callers who ask for tokens of one ID that all share and of IDs of their own, until it is left."""

    def __init__(self, service):
        self.service = service
        self.statuses = []
        self._numbers = itertools.count()
        self._end = threading.Event()
        self._pool = concurrent.futures.ThreadPoolExecutor(CONNECTIONS)

    def __enter__(self):
        self._callers = [self._pool.submit(self._ask) for _ in range(CONNECTIONS)]
        return self

    def __exit__(self, *_):
        self._end.set()
        self._pool.shutdown()
        for caller in self._callers:
            caller.result()

    def more(self, count):
        """Waits until so many more have been answered."""
        end = len(self.statuses) + count
        while len(self.statuses) < end:
            concurrent.futures.wait(self._callers, 0.01, concurrent.futures.FIRST_EXCEPTION)
            assert not any(caller.done() for caller in self._callers), "a caller has given up"

    def _ask(self):
        connection = http.client.HTTPConnection("127.0.0.1", self.service.port, timeout=60)
        while not self._end.is_set():
            number = next(self._numbers)
            # Three of four ask for the same, which changes now and then.
            id = f"own-{number}" if number % 4 == 0 else f"shared-{number // 400}"
            connection.request("GET", f"/token/driver/{id}", headers={"X-API-Key": self.service.site.key})
            answer = connection.getresponse()
            answer.read()
            self.statuses.append(answer.status)


@pytest.mark.parametrize("reuse", [0, 240])
def test_no_thread_races_with_another_while_the_service_reloads_under_load(site, serve, reuse):
    site.configuration["limits"] = {"person": MUCH, "machine": MUCH}
    site.configuration["service"]["reuseSeconds"] = reuse
    service = serve(site)
    with Load(service) as load:
        for round in range(6):
            load.more(200)
            site.configuration["limits"]["unauthenticated"] = {"perMinute": 30 + round % 2, "burst": 30}
            site.configuration["grants"]["backend-any"]["ids"] = ["any", {"pattern": "?*-?*"}][round % 2]
            site.write()
            service.reload()
            assert service.readyz()[0] == 200
            assert service.key_set()
        load.more(200)
    assert set(load.statuses) <= {200, 503} and load.statuses.count(200) > 100
    assert service.stop() == 0
    assert "ThreadSanitizer" not in service.log.read_text()
    assert len(site.audit()) == len(load.statuses)
    assert site.verify_audit().returncode == 0
