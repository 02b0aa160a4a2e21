"""`tokend serve` as an operator runs it; all that it writes is kept, to be searched for secrets."""

import collections
import contextlib
import dataclasses
import fcntl
import http.client
import json
import os
import pathlib
import re
import resource
import shlex
import shutil
import signal
import subprocess
import tempfile
import time

import jwt

import certificates
import secrecy
from build import BUILD
from kinds import PRIVILEGED

KINDS = ["consumer", "driver", "trusted_delivery_driver", "delivery_consumer", "server"]


# Limits that are not in the way.
PLENTY = {bucket: {"perMinute": 10_000_000, "burst": 1_000_000} for bucket in ("perUser", "perClient", "failuresPerAddress")}


def tool(name, *arguments, check=True, **options):
    command = [BUILD / name, *map(str, arguments)]
    # `tokend check` tries the configured ports: two at once would find each other's.
    tries_ports = name == "tokend" and "check" in arguments
    with locked("ports") if tries_ports else contextlib.nullcontext():
        return subprocess.run(command, check=check, capture_output=True, text=True, timeout=60, **options)


def mounted(folders):
    """The start of a command: it sees folders in the place of others, which only root may do."""
    mounts = [f"mount --bind {shlex.quote(str(folder))} {place}" for place, folder in folders.items()]
    return ["unshare", "--mount", "sh", "-euc", f'{" && ".join(mounts)} && exec "$0" "$@"']


@contextlib.contextmanager
def locked(name):
    """Keeps the processes that share the tests from doing something at once."""
    with open(pathlib.Path(tempfile.gettempdir()) / f"fleet-token-{name}.lock", "w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


def time_limit():
    """The seconds that a wait may take: ten, and up to a minute on a machine with other work."""
    return 10 * min(6, max(1, os.getloadavg()[0] / os.cpu_count()))


def until(condition, what, seconds=None):
    """Waits until a condition holds, or fails after a time limit."""
    deadline, pause = time.monotonic() + (seconds or time_limit()), 0.005
    while not condition():
        assert time.monotonic() < deadline, f"timed out waiting for {what}"
        time.sleep(pause)
        # A long wait leaves the processors to what it waits for.
        pause = min(pause * 1.3, 0.05)


def replace(path, content):
    """Puts a file in place of another at one moment, as editors and tools do."""
    new = path.with_name(path.name + ".new")
    new.write_bytes(content.encode() if isinstance(content, str) else content)
    new.chmod(0o600)
    new.rename(path)


@dataclasses.dataclass
class Answer:
    status: int
    headers: http.client.HTTPMessage
    body: bytes

    @property
    def json(self):
        return json.loads(self.body)

    @property
    def token(self):
        return self.json["token"]

    @property
    def reason(self):
        return self.json["error"]["details"][0]["reason"]


class Site:
    """A folder with a configuration and all that it names."""

    def __init__(self, folder, accounts):
        self.folder = folder
        self.secrets = set()
        # Whose servers clients trust: None without TLS.
        self.authority = None
        for kind in KINDS:
            shutil.copy(accounts / f"{kind}.json", folder)
        self.configuration = {
            "version": 1, "service": {"listen": "127.0.0.1:0", "drain": "0s"}, "admin": {"listen": "127.0.0.1:0"},
            "kinds": {"driver": {"serviceAccount": "driver.json"}}, "callers": {"backend": {"apiKeys": {"file": "api-keys"}}},
            "grants": {"backend-any": {"callers": ["backend"], "kinds": ["driver"], "ids": "any"}},
            "audit": {"file": "audit.jsonl"},
        }
        self.key = self.api_key("backend")

    def api_key(self, label, *arguments, file="api-keys"):
        key = tool("tokenctl", "apikey", "new", "--label", label, "--file", self.folder / file, *arguments).stdout
        self.secrets |= {key, key.split("_")[2]}
        return key

    def offer(self, kinds):
        """Offers these kinds of token and no others, each with an account of its own; the caller may have any of them."""
        self.configuration["kinds"], self.configuration["grants"] = {}, {}
        for kind in kinds:
            file = self.folder / f"{kind}.json"
            if not file.exists():
                tool("tokenctl", "keys", "new", file, "--email", f"{kind}@fleet.example")
            if kind in PRIVILEGED:
                self.configuration["callers"]["backend"]["admin"] = True
            tasks = {"tasks": "any"} if kind == "trusted_delivery_driver" else {}
            self.configuration["kinds"][kind] = {"serviceAccount": file.name}
            self.configuration["grants"][kind] = {"callers": ["backend"], "kinds": [kind], "ids": "any"} | tasks

    def another_caller(self):
        """Lets another caller have what the first may have; returns its key."""
        self.configuration["callers"]["other"] = {"apiKeys": {"file": "other-keys"}}
        self.configuration["grants"]["backend-any"]["callers"] = ["backend", "other"]
        return self.api_key("other", file="other-keys")

    def trust(self, issuer, **settings):
        """Takes an issuer's users for callers, `app`, who may have any driver's token, with the issuer's keys in a file."""
        (self.folder / "keys.json").write_text(json.dumps(issuer.key_set()))
        self.discover(issuer, **{"algorithms": ["ES256"], "keysFile": "keys.json"} | settings)

    def discover(self, issuer, **settings):
        """The same for an issuer with nothing but its name, and some settings; one that is None is left out."""
        settings = {"issuer": issuer.name, "audiences": ["tokend"]} | settings
        settings = {name: value for name, value in settings.items() if value is not None}
        self.configuration["callers"]["app"] = {"jwt": settings}
        self.configuration["grants"]["app"] = {"callers": ["app"], "kinds": ["driver"], "ids": "any"}

    def use_tls(self, names="IP:127.0.0.1", **options):
        """Gives the service a certificate of an authority of its own."""
        self.authority = certificates.authority(self.folder)
        own = certificates.leaf(self.folder, "tls", self.authority, names, **options)
        self.configuration["service"]["tls"] = {"certificate": own.certificate.name, "key": own.key.name}

    def ask_webhook(self, url, seconds=2):
        """Lets a webhook decide within some seconds which IDs the caller may have; returns its secret."""
        self.configuration["webhooks"] = {"trips": {"url": url, "secretFile": "webhook-secret"}}
        # A webhook has a fifth of a request's time.
        self.configuration["service"]["requestTimeout"] = f"{5 * seconds}s"
        self.configuration["grants"]["backend-any"]["ids"] = {"webhook": "trips"}
        return self.secret_file("webhook-secret")

    def secret_file(self, name, secret=None):
        secret = secret or os.urandom(32).hex()
        self.secrets.add(secret)
        path = self.folder / name
        path.write_text(secret + "\n")
        path.chmod(0o600)
        return secret

    def write(self):
        """Writes the configuration: JSON, which is YAML too."""
        path = self.folder / "tokend.yaml"
        path.write_text(json.dumps(self.configuration, indent=1))
        return path

    def tokend(self, command, *arguments, environment=None):
        options = {"check": False, "cwd": self.folder, "env": os.environ | (environment or {})}
        return tool("tokend", command, "--config", self.write().name, *arguments, **options)

    def trail(self, *names):
        """All lines of the audit trail's files."""
        texts = [(self.folder / name).read_text() for name in names or ["audit.jsonl"]]
        # Standard output has the access log, too.
        return [line for text in texts for line in map(json.loads, text.splitlines()) if "v" in line]

    def audit(self, *names):
        """The lines of decisions."""
        return [line for line in self.trail(*names) if "event" not in line]

    def missing_lines(self, *names):
        """Whose numbers do not run from 1, each once; the lines of an instance come in their order."""
        numbers = collections.defaultdict(list)
        for line in self.trail(*names):
            numbers[line["instance"]].append(line["sequence"])
        return {instance: found for instance, found in numbers.items() if found != list(range(1, len(found) + 1))}

    def check_live(self, *arguments):
        return self.tokend("check", "--live", *arguments)


class Production:
    def __init__(self, site, **options):
        self.site, self.key, self.authority = site, site.key, site.authority
        # What clients need to trust the service.
        self.tls = site.authority.context() if site.authority else None
        self.refusals = []
        self.start(**options)

    def start(self, output=None, error=None, level="trace", environment=None, descriptors=None, command=None, **options):
        """Starts it, the first time or again.

        `output` is a descriptor, `error` a pipe with a file for what comes out of it, `descriptors` the limits of open files.
        """
        site = self.site
        if descriptors:
            options["preexec_fn"] = lambda: resource.setrlimit(resource.RLIMIT_NOFILE, descriptors)
        run = len(list(site.folder.glob("stderr.*")))
        self.output, self.log = site.folder / f"stdout.{run}", site.folder / f"stderr.{run}"
        if error:
            self.log = error.file
        with self.output.open("wb") as file, self.log.open("ab") as log:
            self.process = secrecy.ServiceProcess(
                command or [BUILD / "tokend", "serve", "--config", site.write().name], folder=site.folder,
                streams=[self.output, self.log], secrets=site.secrets, answers=self.refusals, stdout=output or file,
                stderr=error.writer if error else log, cwd=site.folder,
                environment={"TOKEND_LOG_LEVEL": level} | (environment or {}), **options,
            )  # fmt: skip
        until(lambda: self.listening() or self.process.poll() is not None, "the listeners", 60)
        assert self.process.poll() is None, f"tokend ended: {self.log.read_text()[-2000:]}"
        self.port, self.admin = self.listening()
        self.process.admin_port = self.admin

    @property
    def url(self):
        return f"{'https' if self.tls else 'http'}://127.0.0.1:{self.port}"

    def listening(self):
        for line in self.log.read_text().splitlines(keepends=True):
            if "The service is listening." in line and line.endswith("\n"):
                record = json.loads(line)["metadata"]
                return [int(record[name].rpartition(":")[2]) for name in ("address", "admin")]
        return None

    def connect(self, source="127.0.0.1"):
        return connect(self.port, self.tls, source)

    def ask(self, path, *headers, key=None, bearer=None, tls=None, method="GET", body=None, connection=None):
        """Asks, on a connection of its own if none is given; header fields are pairs, so that one can be there twice."""
        if key:
            headers += (("X-API-Key", key),)
            self.site.secrets.add(key)
        if bearer:
            headers += (("Authorization", f"Bearer {bearer}"),)
            self.site.secrets.add(bearer.rsplit(".")[-1] or bearer)
        if connection:
            answer = send(connection, path, headers, method, body)
        else:
            answer = exchange(self.port, path, headers, tls or self.tls, method, body)
        if answer.status >= 400:
            self.refusals.append(answer.body.decode())
        elif answer.status == 200 and len(self.site.secrets) < 100:
            # So many tokens suffice: those of a flood would take minutes to be searched for.
            self.site.secrets.add(answer.token.split(".")[2])
        return answer

    def metrics(self):
        return secrecy.metrics(self.admin).decode()

    def readyz(self):
        answer = exchange(self.admin, "/readyz?verbose")
        return answer.status, answer.body.decode()

    def reloads(self, result="loaded"):
        return self.metric("fleet_token_config_reload_total", rf'\{{result="{result}"\}}')

    def await_reload(self, result="loaded", after=0):
        until(lambda: self.reloads(result) > after, f"a reload that has {result}")

    def hang_up(self):
        self.process.send_signal(signal.SIGHUP)

    def reload(self, result="loaded"):
        """Asks for a reload, and waits until it has ended so."""
        count = self.reloads(result)
        self.hang_up()
        self.await_reload(result, count)

    def metric(self, name, labels=""):
        """The value of a metric, whose labels a pattern describes."""
        (value,) = re.findall(rf"^{name}{labels} (\S+)$", self.metrics(), re.M)
        return float(value)

    def total(self, name, **labels):
        """The sum of a metric's series that have these labels, and maybe others."""
        series = re.findall(rf"^{name}{{(.*)}} (\S+)$", self.metrics(), re.M)
        wanted = [f'{label}="{value}"' for label, value in labels.items()]
        return sum(float(value) for shown, value in series if all(label in shown.split(",") for label in wanted))

    def resources(self):
        """How many files are open, and how many threads there are."""
        return [len(os.listdir(f"/proc/{self.process.pid}/{folder}")) for folder in ("fd", "task")]

    def memory(self):
        """Its resident memory, in KiB."""
        with open(f"/proc/{self.process.pid}/status") as status:
            return int(status.read().split("VmRSS:")[1].split()[0])

    def key_set(self):
        return jwt.PyJWKSet.from_json(exchange(self.admin, "/.well-known/jwks.json").body)

    def audited(self, answer):
        request = answer.headers["X-Request-Id"]
        (line,) = [line for line in self.site.audit() if line["requestId"] == request]
        return line

    def read_log(self):
        """The log with all that was logged before; the service writes it soon, and in order."""
        if self.process.poll() is None:
            self.logged(exchange(self.admin, "/nothing"))
        return self.log.read_text() + self.output.read_text()

    def logged(self, answer):
        """The log's lines for a request; the last is that of the access log, which comes soon after the answer."""
        request = answer.headers["X-Request-Id"]
        found = []

        def has_all():
            lines = (self.log.read_text() + self.output.read_text()).splitlines(keepends=True)
            found[:] = [json.loads(line) for line in lines if request in line and line.endswith("\n")]
            return any("httpRequest" in line for line in found)

        until(has_all, "the line in the access log")
        return [line for line in found if line.get("request_id") == request]

    def stop(self, number=signal.SIGTERM):
        """Ends it and returns its exit code."""
        self.process.send_signal(number)
        return self.process.wait(60)


def connect(port, tls=None, source="127.0.0.1"):
    """A connection from an address of this machine, which lasts as long as both sides keep it."""
    options = {"timeout": 60, "source_address": (source, 0)}
    if tls:
        return http.client.HTTPSConnection("127.0.0.1", port, context=tls, **options)
    return http.client.HTTPConnection("127.0.0.1", port, **options)


def exchange(port, path, headers=(), tls=None, method="GET", body=None):
    with contextlib.closing(connect(port, tls)) as connection:
        return send(connection, path, headers, method, body)


def send(connection, path, headers=(), method="GET", body=None):
    """The answer to one request on a connection; header fields are pairs."""
    connection.putrequest(method, path)
    if body is not None:
        headers = (*headers, ("Content-Type", "application/json"), ("Content-Length", str(len(body))))
    for name, value in headers:
        connection.putheader(name, value)
    connection.endheaders(body)
    answer = connection.getresponse()
    return Answer(answer.status, answer.headers, answer.read())
