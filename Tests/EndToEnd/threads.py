"""A tokend that was built with ThreadSanitizer, under load while it reloads; `make thread-sanitizer-service` runs this.

A race that it finds is in its log. What threads share is all in use here: the signatures' gate and threads,
tokens that many wait for, the audit trail's batches, connections, limits, metrics
and reloads.
"""

import contextlib
import itertools

from good_caller import Repeated

CONNECTIONS = 16


def asker(service, numbers):
    """Requests over one connection tokens of one ID that all share and of IDs of their own."""
    connection = service.connect()

    def ask():
        number = next(numbers)
        # Three of four ask for the same, which changes now and then.
        id = f"own-{number}" if number % 4 == 0 else f"shared-{number // 400}"
        return service.request(f"/token/driver/{id}", key=service.key, connection=connection).status

    return ask


def test_no_thread_races_with_another_while_the_service_reloads_under_load(plentiful, serve):
    site = plentiful
    service = serve(site)
    numbers = itertools.count()
    with contextlib.ExitStack() as stack:
        callers = [stack.enter_context(Repeated(asker(service, numbers))) for _ in range(CONNECTIONS)]
        for round in range(6):
            callers[0].more(200 // CONNECTIONS)
            site.configuration["limits"]["failuresPerAddress"] = {"perMinute": 30 + round % 2, "burst": 30}
            site.configuration["grants"]["backend-any"]["ids"] = ["any", {"pattern": "?*-?*"}][round % 2]
            site.write()
            service.reload()
            assert service.readyz()[0] == 200
            assert service.key_set()
        callers[0].more(200 // CONNECTIONS)
    statuses = [status for caller in callers for status in caller.results]
    assert set(statuses) <= {200, 503} and statuses.count(200) > 100
    assert service.stop() == 0
    assert "ThreadSanitizer" not in service.log.read_text()
    assert len(site.audit()) == len(statuses)
    assert not site.missing_lines()
