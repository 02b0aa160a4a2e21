"""Callers beside a test: one that behaves, and wants its responses while others do not, and whatever is to be repeated."""

import http.client
import threading
import time

from production import time_limit, until


class GoodCaller:
    """Asks for one token after another until it leaves the `with` block, on a connection it keeps and on new ones."""

    def __init__(self, service, new_connections=True):
        self._service = service
        self._new_connections = new_connections
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run)
        self._kept = service.connect()
        self._kept_since = time.monotonic()
        self.latencies = []
        self.failures = []

    def __enter__(self):
        self._ask(self._kept, 0)
        self._thread.start()
        return self

    def __exit__(self, *_):
        self._stop.set()
        self._thread.join(60)

    def _run(self):
        number = 0
        # At least so many, however short the others' misdeeds are.
        while number < 20 or not self._stop.is_set():
            number += 1
            # As clients do: one that was not used for so long may be closed at the other end at any moment.
            if time.monotonic() - self._kept_since > 2:
                self._kept.close()
            self._ask(self._kept, number)
            self._kept_since = time.monotonic()
            if self._new_connections and number % 2 == 0:
                connection = self._service.connect()
                self._ask(connection, number)
                connection.close()
            # Not a wait for anything: the pace of a caller that leaves the machine to others too.
            self._stop.wait(0.005)

    def _ask(self, connection, number):
        start = time.monotonic()
        try:
            response = self._service.request(f"/token/consumer/trip-{number % 100}", key=self._service.key, connection=connection)
            if response.status != 200:
                self.failures.append(response.status)
        except (OSError, http.client.HTTPException) as error:
            self.failures.append(repr(error))
        self.latencies.append(time.monotonic() - start)

    def report(self, name):
        """Prints what it got, and checks that it got all that it asked for."""
        print(f"{name}: {len(self.latencies)} requests answered meanwhile, the slowest in {max(self.latencies):.3f} s")
        assert self.failures == [], self.failures[:5]
        assert max(self.latencies) < time_limit(), "a bound far above what it should be, for slow machines"


class Repeated:
    """Calls a function again and again, in threads of its own, until the `with` block is left; `results` has what it returned."""

    def __init__(self, call, threads=1):
        self.results, self.failures, self._stop = [], [], threading.Event()
        self._threads = [threading.Thread(target=self._run, args=[call]) for _ in range(threads)]

    def _run(self, call):
        try:
            while not self._stop.is_set():
                self.results.append(call())
        except Exception as error:  # noqa: BLE001
            self.failures.append(error)

    def more(self, count):
        end = len(self.results) + count
        until(lambda: len(self.results) >= end or self.failures, f"{count} calls more")
        assert not self.failures, self.failures

    def __enter__(self):
        for thread in self._threads:
            thread.start()
        return self

    def __exit__(self, *_):
        self._stop.set()
        for thread in self._threads:
            thread.join(60)
        assert not self.failures, self.failures
