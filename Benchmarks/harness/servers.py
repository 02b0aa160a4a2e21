"""tokend and its peers, each started on its cores and stopped again."""

import os
import shutil
import signal
import socket
import subprocess

from .machine import BENCHMARKS, NGINX, RELEASE, SERVER, WORK, free_port, pinned, until


# The current Go, from PyPI; Debian's is of 2022.
GO = WORK / "venv/bin/go"
SWIFT_PEER = (
    f"cd .. && swift build -c release --scratch-path {WORK / 'peers/build'} && "
    f"cp {WORK / 'peers/build/release/peer'} {WORK / 'peers/swift'}"
)


class Server:
    """A running server."""

    def __init__(self, name, site, command, cores=SERVER, environment=None, port=None):
        self.name, self.site, self.cores = name, site, cores
        self.port = port or free_port()
        self.log = site.folder / f"{name}.log"
        settings = {
            "PORT": str(self.port),
            "ACCOUNT": str(site.account),
            "API_KEY_SHA256": site.key_digest,
        }
        with self.log.open("wb") as log:
            self.process = subprocess.Popen(
                pinned(cores, *command),
                stdout=log,
                stderr=log,
                cwd=site.folder,
                env=os.environ | settings | (environment or {}),
            )
        # taskset executes the server, so this is the server's process ID.
        self.pid = self.process.pid

    def ready(self):
        until(self.listens, f"{self.name} to listen")
        return self

    def listens(self):
        if self.process.poll() is not None:
            raise RuntimeError(f"{self.name} ended: {self.log.read_text()[-2000:]}")
        try:
            socket.create_connection(("127.0.0.1", self.port), 5).close()
            return True
        except ConnectionRefusedError:
            return False

    def stop(self):
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
            try:
                self.process.wait(20)
            except subprocess.TimeoutExpired:
                self.process.kill()
        self.process.wait()

    def __enter__(self):
        return self.ready()

    def __exit__(self, *_):
        self.stop()


def tokend(site, cores=SERVER, name="tokend", environment=None):
    # Keep the audit trail of one run only: it grows by half a gigabyte per million tokens.
    (site.folder / "audit.jsonl").unlink(missing_ok=True)
    command = [RELEASE / "tokend", "serve", "--config", site.configuration]
    return Server(name, site, command, cores, environment, port=site.port)


# Java's TCP_NODELAY is off by default, and more than 200 idle connections would be closed.
COMMANDS = {
    "Go": [WORK / "peers/go"],
    "Node": ["node", BENCHMARKS / "Peers/Node/server.mjs"],
    "Swift": [WORK / "peers/swift"],
    "Java": ["java", "-Xshare:auto", "-XX:+UseSerialGC", "-Dsun.net.httpserver.nodelay=true",
             "-Dsun.net.httpserver.maxIdleConnections=2000", "-cp", WORK / "peers", "TokenServer"],
}


def start(name, site, cores=SERVER, bare=False):
    """Starts tokend or a peer; a bare peer authenticates and signs, and has nothing else of tokend's work."""
    if name == "tokend":
        return tokend(site, cores)
    environment = {"GOMAXPROCS": str(len(cores.split(",")))}
    if not bare:
        trail = site.folder / f"{name}.jsonl"
        trail.unlink(missing_ok=True)
        environment["AUDIT"] = str(trail)
    if site.tls:
        certificate, key, store = map(str, site.tls)
        environment |= {"TLS_CERTIFICATE": certificate, "TLS_KEY": key, "TLS_STORE": store}
    return Server(f"bare {name}" if bare else name, site, COMMANDS[name], cores, environment)


def nginx(site, body, cores=SERVER, name="nginx"):
    folder = site.folder / "nginx"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    port = free_port()
    text = (BENCHMARKS / "Peers/nginx/nginx.conf.in").read_text()
    text = "".join(line for line in text.splitlines(keepends=True) if not line.startswith("#"))
    for word, value in {"PORT": port, "FOLDER": folder, "BODY": body.decode()}.items():
        text = text.replace(word, str(value))
    path = folder / "nginx.conf"
    path.write_text(text)
    return Server(name, site, [NGINX, "-e", "stderr", "-p", folder, "-c", path], cores, port=port)


def build_load():
    """Builds the load generators and the counter of allocations if their sources are newer."""
    WORK.mkdir(parents=True, exist_ok=True)
    compile_c = ["cc", "-O2", "-Wall", "-o"]
    build(BENCHMARKS / "Load", WORK / "openloop", [*compile_c, WORK / "openloop", "openloop.c"])
    build(BENCHMARKS / "Load", WORK / "connections",
          [*compile_c, WORK / "connections", "-pthread", "connections.c", "-lssl", "-lcrypto", "-lm"])
    build(BENCHMARKS / "Allocations", WORK / "allocations.so",
          [*compile_c, WORK / "allocations.so", "-fno-omit-frame-pointer", "-fPIC", "-shared", "allocations.c"])


def build_peers():
    """Builds the peers and the load generators if their sources are newer."""
    build_load()
    (WORK / "peers").mkdir(exist_ok=True)
    sources = BENCHMARKS / "Peers"
    build(sources / "Go", WORK / "peers/go", [GO, "build", "-o", WORK / "peers/go", "."])
    build(sources / "Java", WORK / "peers/TokenServer.class", ["javac", "-d", WORK / "peers", "TokenServer.java", "Work.java"])
    build(sources / "Swift/Sources", WORK / "peers/swift", ["bash", "-c", SWIFT_PEER])


def build(folder, target, command):
    """Runs a command in a folder if its target is older than one of the folder's files."""
    newest = max(file.stat().st_mtime for file in folder.iterdir())
    if not target.exists() or target.stat().st_mtime < newest:
        # Of Go, Debian's packages are the only source, so nothing is downloaded.
        go = {"GO111MODULE": "off", "GOPATH": "/usr/share/gocode", "GOFLAGS": "", "GOCACHE": str(WORK / "go-cache")}
        subprocess.run(command, check=True, cwd=folder, env=os.environ | go)
        target.touch()
