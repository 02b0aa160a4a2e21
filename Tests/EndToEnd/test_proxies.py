"""nginx, Caddy and HAProxy in front of tokend, with the configurations of deploy/proxies/."""

import os
import re
import shutil
import socket
import subprocess

import httpx
import pytest

import certificates
from deployment import DEPLOY
from good_caller import Repeated
from production import PLENTY, until
from ports import free_port
from provider import Provider

pytestmark = pytest.mark.tools

PATH = "/token/driver/v-1"
CLIENT = "127.0.0.2"


def command(name):
    """Where a proxy's program is; in CI it has to be there."""
    path = shutil.which(name, path=os.environ["PATH"] + ":/usr/sbin")
    if not path and not os.environ.get("CI"):
        pytest.skip(f"{name} is missing: Debian's package {'nginx-light' if name == 'nginx' else name}")
    return path or name


def replaced(text, *pairs):
    """A text with each of some parts in another's place; each has to be there."""
    for old, new in pairs:
        assert old in text, old
        text = text.replace(old, new)
    return text


class Proxy:
    """A proxy that runs with a configuration of deploy/proxies/, on ports and with files of the test's."""

    def __init__(self, folder, service):
        self.folder, self.service = folder, service
        self.port = free_port()
        self.backend = f"127.0.0.1:{service.port}"
        self.authority = certificates.authority(folder, "edge-authority")
        self.own = certificates.leaf(folder, "edge", self.authority, "IP:127.0.0.1")
        self.log = (folder / "proxy.log").open("wb")
        environment = os.environ | {"HOME": str(folder), "XDG_DATA_HOME": str(folder), "XDG_CONFIG_HOME": str(folder)}
        self.process = subprocess.Popen(self.arguments(), stdout=self.log, stderr=self.log, cwd=folder, env=environment)
        until(self.listens, "the proxy")

    def listens(self):
        assert self.process.poll() is None, (self.folder / "proxy.log").read_text()
        with socket.socket() as probe:
            return probe.connect_ex(("127.0.0.1", self.port)) == 0

    def write(self, name, text):
        (self.folder / name).write_text(text)
        return self.folder / name

    def client(self, http2=True):
        """A caller from another address than the proxy's."""
        transport = httpx.HTTPTransport(http1=not http2, http2=http2, verify=self.authority.context(), local_address=CLIENT)
        return httpx.Client(transport=transport, base_url=f"https://127.0.0.1:{self.port}", timeout=30)

    def stop(self):
        self.process.terminate()
        self.process.wait(30)
        self.log.close()


class Nginx(Proxy):
    def arguments(self):
        text = replaced(
            (DEPLOY / "proxies" / "nginx.conf").read_text(),
            ("listen 443 ssl", f"listen 127.0.0.1:{self.port} ssl"),
            ("server 127.0.0.1:8080;", f"server {self.backend};"),
            ("/etc/ssl/tokens.example.com/fullchain.pem", str(self.own.certificate)),
            ("/etc/ssl/tokens.example.com/key.pem", str(self.own.key)),
        )
        paths = "".join(
            f"{kind}_temp_path {self.folder}/{kind};\n" for kind in ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
        )
        main = f"pid {self.folder}/pid;\nerror_log stderr;\ndaemon off;\nevents {{}}\n"
        if os.getuid() == 0:
            main = "user root;\n" + main
        site = self.write("tokend.conf", text)
        configuration = self.write("nginx.conf", main + f"http {{\naccess_log off;\n{paths}include {site};\n}}\n")
        return [command("nginx"), "-p", self.folder, "-c", configuration, "-e", "stderr"]


class Caddy(Proxy):
    def arguments(self):
        text = replaced(
            (DEPLOY / "proxies" / "Caddyfile").read_text(),
            ("tokens.example.com {", f"https://127.0.0.1:{self.port} {{\n\ttls {self.own.certificate} {self.own.key}"),
            ("reverse_proxy 127.0.0.1:8080", f"reverse_proxy {'https://' if self.service.tls else ''}{self.backend}"),
        )
        if self.service.tls:
            text = replaced(
                text,
                ("# tls_trusted_ca_certs /etc/caddy/tokend-ca.pem", f"tls_trusted_ca_certs {self.service.authority.certificate}"),
            )
        text = "{\n\tadmin off\n\tauto_https disable_redirects\n}\n" + text
        return [command("caddy"), "run", "--adapter", "caddyfile", "--config", self.write("Caddyfile", text)]


class HAProxy(Proxy):
    def arguments(self):
        both = self.folder / "edge.pem"
        both.write_bytes(self.own.certificate.read_bytes() + self.own.key.read_bytes())
        text = replaced(
            (DEPLOY / "proxies" / "haproxy.cfg").read_text(),
            ("bind :443", f"bind 127.0.0.1:{self.port}"),
            ("/etc/haproxy/tokens.example.com.pem", str(both)),
            ("server tokend 127.0.0.1:8080\n", f"server tokend {self.backend}\n"),
        )
        if self.service.tls:
            text = replaced(
                re.sub(r"(?m)^ *server tokend .*\n", "", text),
                ("# server tokend tokend.internal:8443", f"server tokend {self.backend}"),
                ("/etc/haproxy/tokend-ca.pem", str(self.service.authority.certificate)),
            )
        return [command("haproxy"), "-db", "-f", self.write("haproxy.cfg", text)]


PROXIES = {
    "nginx": (Nginx, False), "caddy": (Caddy, False), "caddy-tls": (Caddy, True), "haproxy": (HAProxy, False),
    "haproxy-tls": (HAProxy, True),
}


@pytest.fixture(scope="module", params=PROXIES)
def proxy(request, make_site, serve_for_module, tmp_path_factory):
    kind, tls = PROXIES[request.param]
    site = make_site()
    service = start(site, serve_for_module, tls)
    proxy = kind(tmp_path_factory.mktemp(request.param), service)
    yield proxy
    proxy.stop()


def start(site, serve, tls=False):
    """A service that believes proxies on this machine; with a certificate where they are to speak TLS to it."""
    site.configuration["service"]["trustedProxies"] = ["127.0.0.1/32"]
    site.configuration["limits"] = PLENTY
    if tls:
        site.use_tls()
    return serve(site)


@pytest.mark.parametrize("http2", [False, True], ids=["http1", "http2"])
def test_tokens_come_and_the_clients_address_is_on_record(proxy, http2):
    site = proxy.service.site
    forged = {"X-API-Key": site.key, "X-Forwarded-For": "1.1.1.1", "X-Request-Id": "forged"}
    with proxy.client(http2) as caller:
        responses = [caller.get(PATH, headers=forged) for _ in range(3)]
        responses.append(
            caller.post("/token", json={"kind": "driver", "vehicleId": "v-1"}, headers={"X-API-Key": site.key})
        )
        refused = caller.get(PATH)
        missing = caller.get("/token/driver/%2a", headers=forged)
    site.secrets |= {response.json()["token"].split(".")[2] for response in responses}
    assert [response.status_code for response in responses] == [200] * 4
    assert {response.http_version for response in responses} == {"HTTP/2" if http2 else "HTTP/1.1"}
    assert (refused.status_code, missing.status_code) == (401, 400)
    assert refused.headers["WWW-Authenticate"].startswith("Bearer")
    lines = {line["requestId"]: line for line in site.audit()}
    assert "forged" not in lines
    for response in [*responses, refused]:
        assert lines[response.headers["X-Request-Id"]]["address"] == CLIENT


class TwoMachinesHAProxy(HAProxy):
    """The commented backend of the file."""

    def arguments(self):
        *command, path = super().arguments()
        text = path.read_text()
        head, _, _ = text.partition("\nbackend tokend\n")
        block, _, _ = text.partition("# backend tokend\n")[2].partition("\n\n")
        block = replaced(
            re.sub("(?m)^# ?", "", block),
            (" ssl verify required ca-file /etc/haproxy/tokend-ca.pem", ""),
            ("10.0.0.11:8443", self.backend), ("10.0.0.12:8443", self.service.other),
        )  # fmt: skip
        return [*command, self.write("haproxy.cfg", f"{head}\nbackend tokend\n{block}\n")]


class SharingHAProxy(TwoMachinesHAProxy):
    """One of two, which share what they count."""

    RATE = 10

    def __init__(self, folder, service, name, peers):
        self.name, self.peers = name, peers
        super().__init__(folder, service)

    def arguments(self):
        *command, path = super().arguments()
        shipped = (DEPLOY / "proxies" / "haproxy.cfg").read_text()
        rates = re.sub("(?m)^# ?", "", "# backend rates\n" + shipped.partition("# backend rates\n")[2])
        text = replaced(
            re.sub("(?m)^    # (?=http-request )", "    ", path.read_text()) + "\n\n" + rates,
            ("gt 600", f"gt {self.RATE}"), ("10.0.0.1:10000", self.peers[0]), ("10.0.0.2:10000", self.peers[1]),
        )  # fmt: skip
        return [*command[:-1], "-L", self.name, "-f", self.write("haproxy.cfg", text)]


class TwoMachinesCaddy(Caddy):
    def arguments(self):
        *command, path = super().arguments()
        pairs = [(f"reverse_proxy {self.backend}", f"reverse_proxy {self.backend} {self.service.other}")]
        pairs += [(f"# {line}", line) for line in ("health_uri /health", "health_interval 2s")]
        return [*command, self.write("Caddyfile", replaced(path.read_text(), *pairs))]


class TwoMachinesNginx(Nginx):
    def arguments(self):
        command = super().arguments()
        path = self.folder / "tokend.conf"
        path.write_text(replaced(path.read_text(), ("# server 10.0.0.12:8080", f"server {self.service.other}")))
        return command


@pytest.fixture
def two_machines(make_site, serve):
    """Two services that know the same callers; the first knows the other's address."""
    services = []
    for _ in range(2):
        site = make_site()
        # Longer than the checks need.
        site.configuration["service"] |= {"drain": "6s"}
        services.append(start(site, serve))
    first, second = services
    first.key = first.site.api_key("second")
    shutil.copy(first.site.folder / "api-keys", second.site.folder / "api-keys")
    for service in services:
        service.reload()
    first.other = f"127.0.0.1:{second.port}"
    yield first, second
    for service in services:
        # Nobody waits for the drain.
        service.process.kill()
        service.process.wait()


@pytest.fixture
def provider(tmp_path):
    provider = Provider(tmp_path)
    yield provider
    provider.stop()


def test_two_machines_behind_two_proxies_have_one_rate(two_machines, tmp_path):
    first, second = two_machines
    peers = [f"127.0.0.1:{free_port()}" for _ in range(2)]
    folders = [tmp_path / name for name in ("edge-1", "edge-2")]
    for folder in folders:
        folder.mkdir()
    proxies = [SharingHAProxy(folder, first, folder.name, peers) for folder in folders]
    try:
        clients = [proxy.client() for proxy in proxies]

        def ask(client, key):
            return client.get(PATH, headers={"X-API-Key": key})

        rate = SharingHAProxy.RATE
        assert [ask(clients[0], first.site.key).status_code for _ in range(rate)] == [200] * rate
        assert all(service.site.audit() for service in (first, second)), "both machines were asked"
        refused = ask(clients[0], first.site.key)
        assert (refused.status_code, refused.headers["Retry-After"], refused.json()["error"]["code"]) == (429, "10", 429)
        # The other learns of it within a moment, and then has none left; alone it would have as many again.
        responses = []
        until(lambda: responses.append(ask(clients[1], first.site.key).status_code) or responses[-1] == 429, "the other to know")
        assert len(responses) < rate
        assert [ask(client, first.key).status_code for client in clients] == [200, 200], "another caller has a rate of its own"
    finally:
        for proxy in proxies:
            proxy.stop()


def test_a_machine_that_never_had_its_issuers_keys_gets_no_request(two_machines, provider, tmp_path):
    """A rollout with a mistake in an issuer's address: the machine with the keys serves, the other one waits for them."""
    first, second = two_machines
    bearer = provider.token()
    for service, address in [(first, None), (second, "https://localhost:1/keys")]:
        service.process.kill()
        service.process.wait()
        service.site.discover(provider, caFile=str(provider.authority.certificate), algorithms=address and ["ES256"], keysUrl=address)
        service.start()
    first.other = f"127.0.0.1:{second.port}"
    until(lambda: first.readyz()[0] == 200, "the keys")
    until(lambda: "[-]issuer app" in second.readyz()[1], "the other to miss them")
    assert second.readyz()[0] == 503
    proxy = TwoMachinesHAProxy(tmp_path, first)
    try:
        with proxy.client() as client:

            def ask(headers):
                return client.get(PATH, headers=headers).status_code

            # HAProxy takes a machine as ready until its first checks.
            until(lambda: "tokend/tokend-2 is DOWN" in (tmp_path / "proxy.log").read_text(), "the check to fail")
            lines = len(second.site.audit())
            responses = [ask({"Authorization": f"Bearer {bearer}"}) for _ in range(20)] + [ask({"X-API-Key": first.site.key})]
            assert set(responses) == {200}
            assert len(second.site.audit()) == lines
            # The mistake is repaired.
            second.site.configuration["callers"]["app"]["jwt"]["keysUrl"] = f"{provider.name}/keys"
            second.site.write()
            second.reload()
            until(lambda: second.readyz()[0] == 200, "the keys")
            until(lambda: ask({"Authorization": f"Bearer {bearer}"}) == 200 and len(second.site.audit()) > lines, "a request")
    finally:
        proxy.stop()


@pytest.mark.parametrize("kind", [TwoMachinesNginx, TwoMachinesCaddy, TwoMachinesHAProxy])
def test_a_machine_of_two_ends_without_a_failed_request(kind, two_machines, tmp_path):
    first, second = two_machines
    services = two_machines
    proxy = kind(tmp_path, first)

    def ask():
        request = client.build_request("GET", PATH, headers={"X-API-Key": first.site.key})
        try:
            return client.send(request).status_code
        except httpx.RemoteProtocolError:
            # HAProxy ends its client's connection if the request crosses the end of tokend's.
            # Clients send a GET again (RFC 9112, 9.3.1).
            return client.send(request).status_code

    try:
        with proxy.client(http2=False) as client, Repeated(ask) as caller:
            until(lambda: all(len(service.site.audit()) > 5 for service in services), "requests at both")
            assert first.stop() == 0
            caller.more(5)
    finally:
        proxy.stop()
    assert set(caller.results) == {200}
