"""The health check of the public listener, as load balancers request it."""

import concurrent.futures
import re
import resource

from production import until
from wire import exchange

PATH = "/token/driver/v-1"


def test_it_says_whether_it_is_ready_and_nothing_else(site, serve):
    site.configuration["service"]["drain"] = "1s"
    service = serve(site)
    response = exchange(service.port, "/health")
    assert (response.status, response.json) == (200, {"status": "ok"})
    assert response.headers["Cache-Control"] == "no-store"
    head = exchange(service.port, "/health", method="HEAD")
    assert (head.status, head.body) == (200, b"")
    assert [exchange(service.port, path).status for path in ["/health/", "/health?verbose", "/Health"]] == [404, 400, 404]
    wrong = exchange(service.port, "/health", method="POST")
    assert (wrong.status, wrong.headers["Allow"]) == (405, "GET, HEAD, OPTIONS")
    # Its audit trail cannot be written.
    limit = resource.prlimit(service.process.pid, resource.RLIMIT_FSIZE)
    resource.prlimit(service.process.pid, resource.RLIMIT_FSIZE, ((site.folder / "audit.jsonl").stat().st_size, limit[1]))
    assert service.request(PATH, key=site.key).status == 503
    until(lambda: exchange(service.port, "/health").status == 503, "it to be unready")
    assert exchange(service.port, "/health").json == {"status": "unready"}
    resource.prlimit(service.process.pid, resource.RLIMIT_FSIZE, limit)
    until(lambda: exchange(service.port, "/health").status == 200, "it to be ready")
    # Not audited.
    assert all(line["kind"] == "driver" for line in site.audit())
    assert re.search(r'^http_server_request_duration_seconds_count\{[^}]*"/health"[^}]*"200"', service.metrics(), re.M)
    with concurrent.futures.ThreadPoolExecutor() as pool:
        end = pool.submit(service.stop)
        until(lambda: exchange(service.port, "/health").status == 503, "it to drain")
        assert end.result() == 0
