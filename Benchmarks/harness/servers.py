"""tokend and its peers, each started on its cores and stopped again."""

import os
import shutil
import signal
import socket
import subprocess

from .machine import BENCHMARKS, NGINX, RELEASE, SERVER, WORK, free_port, pinned, until


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


def go(site, cores=SERVER, keep=0, name="go", works=False, tls=None):
    """Starts the Go peer; `works` adds a limit, a grant, a line in an audit trail, and metrics to each request.

    `tls` names the files of a certificate and its key.
    """
    environment = {"GOMAXPROCS": str(len(cores.split(","))), "KEEP": str(keep)}
    if works:
        trail = site.folder / f"{name}.jsonl"
        trail.unlink(missing_ok=True)
        environment["AUDIT"] = str(trail)
    if tls:
        environment |= {"TLS_CERTIFICATE": tls[0], "TLS_KEY": tls[1]}
    return Server(name, site, [WORK / "peers/go"], cores, environment)


def java(site, cores=SERVER, threads=0, name="java"):
    # TCP_NODELAY is off by default, and more than 200 idle connections would be closed.
    command = ["java", "-Xshare:auto", "-XX:+UseSerialGC", "-Dsun.net.httpserver.nodelay=true",
               "-Dsun.net.httpserver.maxIdleConnections=1000", "-cp", WORK / "peers", "TokenServer"]
    return Server(name, site, command, cores, {"THREADS": str(threads)})


def node(site, cores=SERVER, name="node"):
    return Server(name, site, ["node", BENCHMARKS / "Peers/Node/server.mjs"], cores)


def nginx(site, body, cores=SERVER, name="nginx", tls=None):
    folder = site.folder / "nginx"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    port = free_port()
    text = (BENCHMARKS / "Peers/nginx/nginx.conf.in").read_text()
    text = "".join(line for line in text.splitlines(keepends=True) if not line.startswith("#"))
    for word, value in {"PORT": port, "FOLDER": folder, "BODY": body.decode()}.items():
        text = text.replace(word, str(value))
    if tls:
        listen = f"listen 127.0.0.1:{port}"
        text = text.replace(f"{listen};", f"{listen} ssl; ssl_certificate {tls[0]}; ssl_certificate_key {tls[1]};")
    path = folder / "nginx.conf"
    path.write_text(text)
    return Server(name, site, [NGINX, "-e", "stderr", "-p", folder, "-c", path], cores, port=port)


def build_peers():
    """Builds the peers, the load generator and the counter of allocations if their sources are newer."""
    (WORK / "peers").mkdir(parents=True, exist_ok=True)
    environment = os.environ | {
        # Debian's packages are the only source, so nothing is downloaded.
        "GO111MODULE": "off", "GOPATH": "/usr/share/gocode", "GOFLAGS": "", "GOCACHE": str(WORK / "go-cache"),
    }
    peers = BENCHMARKS / "Peers"
    steps = [
        (peers / "Go/main.go", WORK / "peers/go", ["go", "build", "-o", WORK / "peers/go", "."]),
        (peers / "Java/TokenServer.java", WORK / "peers/TokenServer.class",
         ["javac", "-d", WORK / "peers", "TokenServer.java"]),
        (BENCHMARKS / "Load/openloop.c", WORK / "openloop",
         ["cc", "-O2", "-Wall", "-o", WORK / "openloop", "openloop.c"]),
        (BENCHMARKS / "Allocations/allocations.c", WORK / "allocations.so",
         ["cc", "-O2", "-Wall", "-fno-omit-frame-pointer", "-fPIC", "-shared", "-o", WORK / "allocations.so",
          "allocations.c"]),
    ]
    for source, target, command in steps:
        newest = max(file.stat().st_mtime for file in source.parent.glob(f"*{source.suffix}"))
        if not target.exists() or target.stat().st_mtime < newest:
            subprocess.run(command, check=True, cwd=source.parent, env=environment)
