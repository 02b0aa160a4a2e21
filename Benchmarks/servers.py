"""tokend and its peers: their files, and each started on the servers' core and stopped again."""

import hashlib
import http.client
import json
import os
import pathlib
import secrets
import shutil
import signal
import socket
import subprocess
import string
import time

import jwt
from cryptography.hazmat.primitives.serialization import load_pem_private_key

ROOT = pathlib.Path(__file__).resolve().parents[1]
PEERS, WORK = ROOT / "Benchmarks/Peers", ROOT / ".build/bench"
SHIP = pathlib.Path(os.environ.get("FLEET_TOKEN_BUILD", ROOT / ".build/ship"))
# The server runs on the first core, the load on the second.
CORE, LOAD = "0", "1" if (os.cpu_count() or 1) > 1 else "0"
# A limit that is never reached.
PLENTY = {"perMinute": 10_000_000, "burst": 1_000_000}
COMMANDS = {
    "Go": [WORK / "peers/go"],
    "Node": ["node", PEERS / "Node/server.mjs"],
    "Hummingbird": [WORK / "peers/swift"],
    # TCP_NODELAY is off by default, and more than 200 idle connections would be closed.
    "Java": ["java", "-Xshare:auto", "-XX:+UseSerialGC", "-Dsun.net.httpserver.nodelay=true",
             "-Dsun.net.httpserver.maxIdleConnections=2000", "-cp", WORK / "peers", "TokenServer"],
}  # fmt: skip


def free_port():
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


class Server:
    """A server in a folder of its own, with a key that signs and an API key for each caller; `program` is a tokend."""

    def __init__(self, name, program=None, tls=False, callers=1):
        self.name, self.port = name, free_port()
        self.folder = WORK / "site"
        shutil.rmtree(self.folder, ignore_errors=True)
        self.folder.mkdir(mode=0o700, parents=True)
        self.log = self.folder / "log"
        self.account = self.folder / "driver.json"
        subprocess.run([SHIP / "tokenctl", "keys", "new", self.account, "--email", "driver@benchmark.invalid"],
                       check=True, capture_output=True)  # fmt: skip
        self.keys = [f"ftk_{self._text(12)}_{self._text(43)}" for _ in range(callers)]
        self.key = self.keys[0]
        self.tls = self._certificate() if tls else None
        self.command = [program, "serve", "--config", self._configuration()] if program else COMMANDS[name]

    @staticmethod
    def _text(length):
        return "".join(secrets.choice(string.digits + string.ascii_letters) for _ in range(length))

    def _certificate(self):
        files = [self.folder / name for name in ("tls.crt", "tls.key", "tls.p12")]
        for command in (
            ["req", "-x509", "-noenc", "-days", "2", "-subj", "/CN=localhost", "-newkey", "ec", "-pkeyopt",
             "ec_paramgen_curve:P-256", "-addext", "subjectAltName=DNS:localhost", "-addext",
             "basicConstraints=critical,CA:FALSE", "-keyout", files[1], "-out", files[0]],
            # Java reads this form.
            ["pkcs12", "-export", "-in", files[0], "-inkey", files[1], "-out", files[2], "-passout", "pass:changeit"],
        ):  # fmt: skip
            subprocess.run(["openssl", *command], check=True, capture_output=True)
        files[1].chmod(0o600)
        return files

    def _configuration(self):
        lines = (f"{key.split('_')[1]} {hashlib.sha256(key.encode()).hexdigest()} never benchmark\n" for key in self.keys)
        (self.folder / "api-keys").write_text("".join(lines))
        (self.folder / "api-keys").chmod(0o600)
        path = self.folder / "tokend.yaml"
        service = {"listen": f"127.0.0.1:{self.port}", "drain": "0s"}
        if self.tls:
            service["tls"] = {"certificate": "tls.crt", "key": "tls.key"}
        # JSON is YAML too. There is no access log, as in the peers; the audit trail has a line for each token.
        path.write_text(json.dumps({
            "version": 1, "service": service, "admin": {"listen": f"127.0.0.1:{free_port()}"},
            "kinds": {"driver": {"serviceAccount": "driver.json"}},
            "callers": {"backend": {"apiKeys": {"file": "api-keys"}}},
            "grants": {"any": {"callers": ["backend"], "kinds": ["driver"], "ids": "any"}},
            "limits": {"perUser": PLENTY, "perClient": PLENTY}, "audit": {"file": "audit.jsonl"}, "log": {"level": "warning"},
        }, indent=1))  # fmt: skip
        return path

    def __enter__(self):
        environment = os.environ | {
            "PORT": str(self.port), "ACCOUNT": str(self.account), "GOMAXPROCS": "1",
            "API_KEY_SHA256": hashlib.sha256(self.key.encode()).hexdigest(), "AUDIT": str(self.folder / "audit.jsonl"),
        }  # fmt: skip
        if self.tls:
            environment |= dict(zip(("TLS_CERTIFICATE", "TLS_KEY", "TLS_STORE"), map(str, self.tls), strict=True))
        begin = time.monotonic()
        with self.log.open("wb") as log:
            self.process = subprocess.Popen(["taskset", "-c", CORE, *map(str, self.command)], stdout=log, stderr=log,
                                            cwd=self.folder, env=environment)  # fmt: skip
        while not self._listens():
            if self.process.poll() is not None or time.monotonic() > begin + 60:
                self.__exit__()
                raise RuntimeError(f"{self.name} does not listen: {self.log.read_text()[-2000:]}")
            time.sleep(0.001)
        if not self.tls:
            self.verify(self.ask("first"), "first")
        return self

    def __exit__(self, *_):
        self.process.send_signal(signal.SIGTERM)
        try:
            self.process.wait(20)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()

    def _listens(self):
        try:
            socket.create_connection(("127.0.0.1", self.port), 5).close()
            return True
        except ConnectionRefusedError:
            return False

    def ask(self, vehicle):
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        connection.request("GET", f"/token/driver/{vehicle}", headers={"X-API-Key": self.key})
        answer = connection.getresponse()
        body = answer.read()
        connection.close()
        assert answer.status == 200, (self.name, answer.status, body)
        return body

    def verify(self, body, vehicle):
        """Checks a token with an independent library."""
        account = json.loads(self.account.read_text())
        key = load_pem_private_key(account["private_key"].encode(), None).public_key()
        claims = jwt.decode(json.loads(body)["token"], key, algorithms=["RS256"], audience="https://fleetengine.googleapis.com/")
        assert claims["authorization"] == {"vehicleid": vehicle} and claims["iss"] == account["client_email"], claims

    def cpu_seconds(self):
        tasks = pathlib.Path(f"/proc/{self.process.pid}/task").iterdir()
        return sum(int((task / "schedstat").read_text().split()[0]) for task in tasks) / 1e9


def build_peers(names):
    """Builds the peers whose sources are newer than their programs."""
    (WORK / "peers").mkdir(parents=True, exist_ok=True)
    # Go takes its packages from Debian's, so nothing is downloaded.
    go = {"GO111MODULE": "off", "GOPATH": "/usr/share/gocode", "GOFLAGS": "", "GOCACHE": str(WORK / "go-cache")}
    swift = f"swift build -c release --scratch-path {WORK}/peers/build && cp {WORK}/peers/build/release/peer {WORK}/peers/swift"
    for name, folder, target, command in (
        ("Go", "Go", "go", [WORK / "venv/bin/go", "build", "-o", WORK / "peers/go", "."]),
        ("Java", "Java", "TokenServer.class", ["javac", "-d", WORK / "peers", "TokenServer.java", "Work.java"]),
        ("Hummingbird", "Swift", "swift", ["sh", "-c", swift]),
    ):
        newest = max(path.stat().st_mtime for path in (PEERS / folder).rglob("*") if path.is_file())
        target = WORK / "peers" / target
        if name in names and (not target.exists() or target.stat().st_mtime < newest):
            subprocess.run(command, check=True, cwd=PEERS / folder, env=os.environ | go)
            target.touch()
