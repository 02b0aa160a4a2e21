"""`tokend serve` as an operator runs it; all that it writes is kept, to be searched for secrets."""

import contextlib
import fcntl
import json
import os
import pathlib
import re
import resource
import shlex
import signal
import subprocess
import tempfile
import time

import jwt

import secrecy
from build import BUILD
from wire import connect, exchange, send

KINDS = ["consumer", "driver", "trusted_delivery_driver", "delivery_consumer", "server"]


# Limits so high that no test reaches them.
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


class Service:
    """A running tokend; what it prints goes to the files `output` and `log`."""

    def run(self, command, is_ready, output=None, error=None, **options):
        """Starts it, and waits until it is ready; `output` and `error` are descriptors in place of the files."""
        with self.output.open("wb") as file, self.log.open("ab") as log:
            self.process = secrecy.ServiceProcess(
                command, streams=[self.output, self.log], stdout=output or file, stderr=error or log, **options
            )
        until(lambda: is_ready() or self.process.poll() is not None, "the listeners", 60)
        assert is_ready(), f"tokend ended: {self.log.read_text()[-2000:]}"

    def name_files(self, folder):
        run = len(list(folder.glob("stdout.*")))
        self.output, self.log = folder / f"stdout.{run}", folder / f"stderr.{run}"

    def stop(self, number=signal.SIGTERM):
        """Ends it and returns its exit code."""
        self.process.send_signal(number)
        return self.process.wait(60)


class Development(Service):
    """A running `tokend dev` on free ports."""

    def __init__(self, *arguments, keys, environment=None):
        self.name_files(keys.parent)
        command = [BUILD / "tokend", "dev", "--port", "0", "--admin-port", "0", "--keys", keys, *arguments]
        self.run(command, lambda: "Control-C" in self.banner, folder=keys, secrets=set(), environment=environment)
        self.url = re.search(r"http://\S+", self.banner).group()
        self.port = int(self.url.rpartition(":")[2])
        self.process.admin_port = int(re.findall(r"http://[^\s./]+(?:\.\d+)*:(\d+)", self.banner)[-1])

    @property
    def banner(self):
        return self.output.read_text()


class Production(Service):
    """A running `tokend serve`."""

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
        self.name_files(site.folder)
        if error:
            self.log = error.file
        self.run(
            command or [BUILD / "tokend", "serve", "--config", site.write().name], self.listening, output=output,
            error=error and error.writer, folder=site.folder, secrets=site.secrets, responses=self.refusals, cwd=site.folder,
            environment={"TOKEND_LOG_LEVEL": level} | (environment or {}), **options,
        )  # fmt: skip
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

    def request(self, path, *headers, key=None, bearer=None, tls=None, method="GET", body=None, connection=None):
        """Sends a request, on a new connection if none is given; header fields are pairs, so that one can be there twice."""
        if key:
            headers += (("X-API-Key", key),)
            self.site.secrets.add(key)
        if bearer:
            headers += (("Authorization", f"Bearer {bearer}"),)
            self.site.secrets.add(bearer.rsplit(".")[-1] or bearer)
        if connection:
            response = send(connection, path, headers, method, body)
        else:
            response = exchange(self.port, path, headers, tls or self.tls, method, body)
        if response.status >= 400:
            self.refusals.append(response.body.decode())
        elif response.status == 200 and len(self.site.secrets) < 100:
            # So many tokens suffice: those of a flood would take minutes to be searched for.
            self.site.secrets.add(response.token.split(".")[2])
        return response

    def metrics(self):
        return secrecy.metrics(self.admin).decode()

    def readyz(self):
        response = exchange(self.admin, "/readyz?verbose")
        return response.status, response.body.decode()

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

    def audited(self, response):
        request = response.headers["X-Request-Id"]
        (line,) = [line for line in self.site.audit() if line["requestId"] == request]
        return line

    def read_log(self):
        """The log with all that was logged before; the service writes it soon, and in order."""
        if self.process.poll() is None:
            self.logged(exchange(self.admin, "/nothing"))
        return self.log.read_text() + self.output.read_text()

    def logged(self, response):
        """The log's lines for a request; the last is that of the access log, which comes soon after the response."""
        request = response.headers["X-Request-Id"]
        found = []

        def has_all():
            lines = (self.log.read_text() + self.output.read_text()).splitlines(keepends=True)
            found[:] = [json.loads(line) for line in lines if request in line and line.endswith("\n")]
            return any("httpRequest" in line for line in found)

        until(has_all, "the line in the access log")
        return [line for line in found if line.get("request_id") == request]
