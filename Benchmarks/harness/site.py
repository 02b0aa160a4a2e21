"""The files for `tokend serve` and its peers: a signing account, API keys and a configuration."""

import hashlib
import json
import secrets
import shutil
import string
import subprocess

from .machine import RELEASE, free_port

# A caller limit that is never reached; all other limits are defaults.
PLENTY = {"perMinute": 10_000_000, "burst": 1_000_000}
ALPHABET = string.digits + string.ascii_letters
# A key file is limited to 64 KiB, so many keys need several callers.
KEYS_PER_FILE = 500


class Site:
    """A folder with a configuration for `tokend serve` and all files that it names."""

    def __init__(self, folder, callers=1, grants=1, limits=None, tls=None):
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(mode=0o700, parents=True)
        self.folder = folder
        self.account = folder / "driver.json"
        self.new_account(self.account)
        self.tls = certificate(folder, tls) if tls else None
        self.port, self.admin_port = free_port(), free_port()
        self.limits = {"person": PLENTY, "machine": PLENTY} | (limits or {})
        self.keys = []
        self.callers = {}
        for first in range(0, callers, KEYS_PER_FILE):
            name = f"backend-{first // KEYS_PER_FILE}"
            lines = [self._new_key() for _ in range(min(KEYS_PER_FILE, callers - first))]
            path = folder / f"{name}.keys"
            path.write_text("\n".join(lines) + "\n")
            path.chmod(0o600)
            self.callers[name] = {"apiKeys": {"file": path.name}}
        # Only the last grant allows the request, so all are evaluated.
        names = list(self.callers)
        self.grants = {
            f"vehicle-{number}": {"callers": names, "kinds": ["driver"], "ids": [f"own-{number}"]}
            for number in range(grants - 1)
        }
        self.grants["any"] = {"callers": names, "kinds": ["driver"], "ids": "any"}
        self.configuration = folder / "tokend.yaml"
        self.write()

    @property
    def key(self):
        return self.keys[0]

    @property
    def key_digest(self):
        return hashlib.sha256(self.key.encode()).hexdigest()

    def _new_key(self):
        """Creates an API key, like `tokenctl apikey new`, and returns its line."""

        def text(length):
            return "".join(secrets.choice(ALPHABET) for _ in range(length))

        identifier = text(12)
        key = f"ftk_{identifier}_{text(43)}"
        self.keys.append(key)
        return f"{identifier} {hashlib.sha256(key.encode()).hexdigest()} never benchmark"

    def keys_file(self):
        path = self.folder / "keys.txt"
        path.write_text("\n".join(self.keys) + "\n")
        return path

    @staticmethod
    def new_account(path):
        """Creates a service account and its key."""
        path.unlink(missing_ok=True)
        command = [RELEASE / "tokenctl", "keys", "new", path, "--email", "driver@benchmark.invalid"]
        subprocess.run(command, check=True, capture_output=True)

    def write(self):
        """Writes the configuration: JSON, which is YAML too."""
        configuration = {
            "version": 1,
            # It is stopped when there are no more requests, so it need not drain.
            "service": {"listen": f"127.0.0.1:{self.port}", "drainSeconds": 0},
            "admin": {"listen": f"127.0.0.1:{self.admin_port}"},
            "kinds": {"driver": {"serviceAccount": "driver.json"}},
            "callers": self.callers,
            "grants": self.grants,
            "limits": self.limits,
            "audit": {"file": "audit.jsonl"},
            # No access log, like the peers; the audit trail has a line for each request.
            "log": {"level": "warning"},
        }
        if self.tls:
            configuration["service"]["tls"] = {"certificate": self.tls[0].name, "key": self.tls[1].name}
        # Compact: a file with 10,000 grants may have 1 MiB.
        self.configuration.write_text(json.dumps(configuration, separators=(",\n", ": ")))


def certificate(folder, kind):
    """Creates a certificate, "ec" or "rsa"; returns its file, its key's, and that of a store with both, for Java."""
    options = ["ec", "-pkeyopt", "ec_paramgen_curve:P-256"] if kind == "ec" else ["rsa:2048"]
    files = folder / "tls.crt", folder / "tls.key", folder / "tls.p12"

    def openssl(*arguments):
        subprocess.run(["openssl", *arguments], check=True, capture_output=True)

    openssl("req", "-x509", "-noenc", "-days", "2", "-subj", "/CN=localhost", "-newkey", *options,
            "-addext", "subjectAltName=DNS:localhost", "-addext", "basicConstraints=critical,CA:FALSE",
            "-keyout", files[1], "-out", files[0])
    openssl("pkcs12", "-export", "-in", files[0], "-inkey", files[1], "-out", files[2], "-passout", "pass:changeit")
    files[1].chmod(0o600)
    return files
