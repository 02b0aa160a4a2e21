"""The health path of the public listener, as load balancers check it."""

import concurrent.futures
import re
import resource

import pytest

from production import exchange, until

PATH = "/token/driver/v-1"


@pytest.fixture
def checked(site):
    site.configuration["service"] |= {"healthPath": "/health", "drainSeconds": 1}
    return site


def stop_audit(service):
    """Makes the service unready: its audit trail cannot be written. Returns what undoes it."""
    limit = resource.prlimit(service.process.pid, resource.RLIMIT_FSIZE)
    size = (service.site.folder / "audit.jsonl").stat().st_size
    resource.prlimit(service.process.pid, resource.RLIMIT_FSIZE, (size, limit[1]))
    assert service.ask(PATH, key=service.site.key).status == 503
    return lambda: resource.prlimit(service.process.pid, resource.RLIMIT_FSIZE, limit)


def test_it_says_whether_it_is_ready_and_nothing_else(checked, serve):
    service = serve(checked)
    answer = exchange(service.port, "/health")
    assert (answer.status, answer.json) == (200, {"status": "ok"})
    assert answer.headers["Cache-Control"] == "no-store"
    head = exchange(service.port, "/health", method="HEAD")
    assert (head.status, head.body) == (200, b"")
    assert [exchange(service.port, path).status for path in ["/health/", "/health?verbose", "/Health"]] == [404] * 3
    assert exchange(service.port, "/health", method="POST").status == 404
    undo = stop_audit(service)
    until(lambda: exchange(service.port, "/health").status == 503, "it to be unready")
    assert exchange(service.port, "/health").json == {"status": "unready"}
    undo()
    until(lambda: exchange(service.port, "/health").status == 200, "it to be ready")
    # Not audited.
    assert all(line["kind"] == "driver" for line in checked.audit())
    assert re.search(r'^fleet_token_http_requests_total\{[^}]*"_HEALTH"[^}]*"200"', service.metrics(), re.M)
    with concurrent.futures.ThreadPoolExecutor() as pool:
        end = pool.submit(service.stop)
        until(lambda: exchange(service.port, "/health").status == 503, "it to drain")
        assert end.result() == 0


def test_it_changes_with_a_reload(site, serve):
    service = serve(site)
    assert exchange(service.port, "/up").status == 404
    site.configuration["service"]["healthPath"] = "/up"
    site.write()
    until(lambda: exchange(service.port, "/up").status == 200, "the path")
