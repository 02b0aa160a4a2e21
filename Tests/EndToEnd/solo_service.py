"""tokend serve, with a configuration and keys made for one test."""

import json
import os
import resource
import socket
import ssl
import subprocess
import time

from build import BUILD
from ports import free_port
from secrecy import ServiceProcess

PLENTY = {"perMinute": 10_000_000, "burst": 1_000_000}


class ProductionService:
    """A running tokend with one caller, `backend`, that has an API key and may have any token of the given kinds."""

    def __init__(self, folder, kinds=("consumer",), descriptors=None, tls=None, service=None, environment=None, **limits):
        self.port, self.admin_port = free_port(), free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        self.admin = f"http://127.0.0.1:{self.admin_port}"
        self.log = folder / "log"
        for kind in kinds:
            email = f"{kind}@test.invalid"
            self._tokenctl("keys", "new", folder / f"{kind}.json", "--email", email)
        self.key = self._tokenctl("apikey", "new", "--label", "test", "--file", folder / "api-keys").strip()
        self.folder = folder
        # What clients need to trust the service.
        self.authority = tls.authority.certificate if tls else None
        self.tls = ssl.create_default_context(cafile=self.authority) if tls else None
        files = {"tls": {"certificate": str(tls.certificate), "key": str(tls.key)}} if tls else {}
        self.configuration = folder / "tokend.yaml"
        self.configuration.write_text(json.dumps(self._configuration(folder, kinds, limits, files | (service or {}))))
        self.environment = environment or {}
        self.start(descriptors)

    def start(self, descriptors=None):
        """Starts it, the first time or again, on the same ports and files."""
        with self.log.open("ab") as log:
            self.process = ServiceProcess(
                [BUILD / "tokend", "serve", "--config", self.configuration],
                folder=self.folder,
                streams=[self.log],
                secrets={self.key, self.key.split("_")[2]},
                environment=self.environment,
                stdout=log,
                stderr=log,
                preexec_fn=lambda: resource.setrlimit(
                    resource.RLIMIT_NOFILE, descriptors or (resource.getrlimit(resource.RLIMIT_NOFILE)[1],) * 2
                ),
            )
        self._wait_until_ready()
        self.process.admin_port = self.admin_port

    @staticmethod
    def _tokenctl(*arguments):
        return subprocess.run([BUILD / "tokenctl", *arguments], capture_output=True, check=True).stdout.decode()

    def _configuration(self, folder, kinds, limits, service):
        privileged = [kind for kind in kinds if kind in ("server", "fleet_reader", "delivery_server")]
        others = [kind for kind in kinds if kind not in privileged]
        grants = {}
        if others:
            grants["any"] = {"callers": ["backend"], "kinds": others, "ids": "any"}
        if "trusted_delivery_driver" in others:
            grants["any"]["tasks"] = "any"
        if privileged:
            grants["everything"] = {"callers": ["backend"], "kinds": privileged, "ids": "any", "privileged": True}
        return {
            "version": 1,
            "service": {"listen": f"127.0.0.1:{self.port}", "drainSeconds": 0} | service,
            "admin": {"listen": f"127.0.0.1:{self.admin_port}"},
            "kinds": {
                kind: {"serviceAccount": str(folder / f"{kind}.json")} | ({"privileged": True} if kind in privileged else {})
                for kind in kinds
            },
            "callers": {"backend": {"apiKeys": {"file": str(folder / "api-keys")}}},
            "grants": grants,
            "limits": {"caller": PLENTY, "unauthenticated": PLENTY} | limits,
            "audit": {"file": str(folder / "audit.jsonl")},
        }

    def _wait_until_ready(self):
        deadline = time.monotonic() + 60
        while time.monotonic() < deadline:
            if self.process.poll() is not None:
                raise RuntimeError("tokend ended: " + self.log.read_text())
            try:
                for port in (self.port, self.admin_port):
                    socket.create_connection(("127.0.0.1", port), 5).close()
                return
            except ConnectionRefusedError:
                time.sleep(0.02)
        raise RuntimeError("tokend does not listen: " + self.log.read_text())

    def descriptors(self):
        """How many descriptors the service has open."""
        return len(os.listdir(f"/proc/{self.process.pid}/fd"))

    def memory(self):
        """The service's resident memory in KiB."""
        return self._status("VmRSS")

    def most_memory(self):
        """The most resident memory that the service had, in KiB."""
        return self._status("VmHWM")

    def _status(self, name):
        status = open(f"/proc/{self.process.pid}/status").read()
        return int(status.split(f"{name}:")[1].split()[0])

    def stop(self):
        """Ends it, whatever it does."""
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
