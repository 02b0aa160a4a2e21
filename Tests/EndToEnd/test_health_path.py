"""The health path of the public listener, as load balancers check it."""

import concurrent.futures
import csv
import http.client
import os
import re
import resource
import shutil
import socket
import subprocess
import urllib.request

import pytest

from ports import free_port
from production import exchange, until

PATH = "/token/driver/v-1"


@pytest.fixture
def checked(site):
    site.configuration["service"] |= {"healthPath": "/health", "drainSeconds": 3}
    return site


def stop_audit(service):
    """Makes the service unready: its audit trail cannot be written. Returns what undoes it."""
    limit = resource.prlimit(service.process.pid, resource.RLIMIT_FSIZE)
    size = (service.site.folder / "audit.jsonl").stat().st_size
    resource.prlimit(service.process.pid, resource.RLIMIT_FSIZE, (size, limit[1]))
    assert service.ask(PATH, key=service.site.key).status == 503
    return lambda: resource.prlimit(service.process.pid, resource.RLIMIT_FSIZE, limit)


def test_it_is_off_unless_it_is_configured(site, serve):
    service = serve(site)
    for path in ["/health", "/healthz", "/livez", "/readyz", "/"]:
        assert exchange(service.port, path).status == 404


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


@pytest.mark.parametrize("path", ["health", "/token", "/token/x", "/.well-known/jwks.json", "/a?b", "/a b", "/é", "/" + "a" * 64])
def test_path_that_cannot_be_is_refused(site, path):
    site.configuration["service"]["healthPath"] = path
    check = site.tokend("check")
    assert check.returncode == 1 and "service.healthPath: must be a path such as /health" in check.stderr


HAPROXY = """
global
    stats socket {folder}/stats mode 600 level admin
defaults
    mode http
    timeout connect 2s
    timeout client 10s
    timeout server 10s
frontend public
    bind 127.0.0.1:{port}
    default_backend tokend
backend tokend
    option httpchk
    http-check send meth {method} uri /health
    http-check expect status 200
    default-server inter 100ms fall 2 rise 1
    server tokend 127.0.0.1:{service} check
"""


@pytest.mark.parametrize("method", ["GET", "HEAD"])
def test_haproxy_takes_it_out_and_in_again(checked, serve, tmp_path, method):
    program = shutil.which("haproxy", path=f"{os.environ['PATH']}:/usr/sbin")
    if not program:
        pytest.skip("haproxy is missing: Debian's package haproxy; `make test-all` installs it")
    service = serve(checked)
    port = free_port()
    configuration = tmp_path / "haproxy.cfg"
    configuration.write_text(HAPROXY.format(folder=tmp_path, port=port, service=service.port, method=method))

    def state():
        with socket.socket(socket.AF_UNIX) as stats:
            stats.connect(f"{tmp_path}/stats")
            stats.sendall(b"show stat\n")
            text = stats.makefile().read().removeprefix("# ")
        (row,) = [row for row in csv.DictReader(text.splitlines()) if row["svname"] == "tokend"]
        return row["status"], row["check_status"], row["check_code"]

    with subprocess.Popen([program, "-db", "-f", configuration], stderr=subprocess.DEVNULL) as proxy:
        try:
            until(lambda: (tmp_path / "stats").exists(), "haproxy")
            until(lambda: state() == ("UP", "L7OK", "200"), "the first check")
            assert exchange(port, PATH, (("X-API-Key", checked.key),)).status == 200
            undo = stop_audit(service)
            until(lambda: state() == ("DOWN", "L7STS", "503"), "it to be taken out")
            undo()
            until(lambda: state() == ("UP", "L7OK", "200"), "it to be back")
            with concurrent.futures.ThreadPoolExecutor() as pool:
                end = pool.submit(service.stop)
                until(lambda: state()[0] == "DOWN", "it to be taken out when it drains")
                assert end.result() == 0
        finally:
            proxy.terminate()


NGINX = """
daemon off;
pid {folder}/pid;
error_log stderr;
events {{}}
http {{
    access_log off;
    client_body_temp_path {folder}/body; proxy_temp_path {folder}/proxy; fastcgi_temp_path {folder}/fastcgi;
    uwsgi_temp_path {folder}/uwsgi; scgi_temp_path {folder}/scgi;
    upstream tokend {{
        server 127.0.0.1:{first} max_fails=1 fail_timeout=60s;
        server 127.0.0.1:{second} max_fails=1 fail_timeout=60s;
    }}
    server {{
        listen 127.0.0.1:{port};
        location / {{
            proxy_pass http://tokend;
            proxy_next_upstream error timeout http_503;
            add_header X-Upstream $upstream_addr always;
        }}
    }}
}}
"""


def test_nginx_passes_over_a_replica_that_is_not_ready(checked, serve, make_site, tmp_path):
    """The open nginx has passive checks: the health path fails on one replica, and the other one answers."""
    program = shutil.which("nginx", path=f"{os.environ['PATH']}:/usr/sbin")
    if not program:
        pytest.skip("nginx is missing: Debian's package nginx-light; `make test-all` installs it")
    other = make_site()
    other.configuration["service"] |= {"healthPath": "/health"}
    first, second = serve(checked), serve(other)
    port = free_port()
    configuration = tmp_path / "nginx.conf"
    configuration.write_text(NGINX.format(folder=tmp_path, port=port, first=first.port, second=second.port))
    command = [program, "-p", tmp_path, "-c", configuration]
    with subprocess.Popen(command, stderr=subprocess.DEVNULL) as proxy:
        try:
            until(lambda: is_open(port), "nginx")
            assert {upstream(port) for _ in range(10)} == {f"127.0.0.1:{first.port}", f"127.0.0.1:{second.port}"}
            stop_audit(first)
            until(lambda: exchange(first.port, "/health").status == 503, "it to be unready")
            seen = [upstream(port) for _ in range(10)]
            # At most one request found out.
            assert all(address.endswith(f"127.0.0.1:{second.port}") for address in seen), seen
        finally:
            proxy.terminate()


def is_open(port):
    try:
        exchange(port, "/health")
    except (OSError, http.client.HTTPException):
        return False
    return True


def upstream(port):
    with urllib.request.urlopen(f"http://127.0.0.1:{port}/health", timeout=10) as answer:
        assert answer.status == 200
        return answer.headers["X-Upstream"]
