"""The folder of a `tokend serve`: its configuration, and all that this names."""

import collections
import json
import os
import shutil

import certificates
from kinds import PRIVILEGED
from production import KINDS, tool


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
