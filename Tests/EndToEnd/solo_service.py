"""`tokend serve` for tests of connections: one caller with an API key, and limits that are not in the way."""

import resource
import ssl

from kinds import PRIVILEGED
from production import KINDS, PLENTY, Production, Site, tool


class SoloService(Production):
    """A running service whose caller, `backend`, may have any token of the given kinds."""

    def __init__(self, folder, accounts, kinds=("consumer",), descriptors=None, tls=None, service=None, environment=None, **limits):
        site = Site(folder, accounts)
        for kind in set(kinds) - set(KINDS):
            tool("tokenctl", "keys", "new", folder / f"{kind}.json", "--email", f"{kind}@fleet.example")
        site.configuration["kinds"] = {
            kind: {"serviceAccount": f"{kind}.json"} | ({"privileged": True} if kind in PRIVILEGED else {}) for kind in kinds
        }
        site.configuration["grants"] = {
            kind: {"callers": ["backend"], "kinds": [kind], "ids": "any"}
            | ({"privileged": True} if kind in PRIVILEGED else {})
            | ({"tasks": "any"} if kind == "trusted_delivery_driver" else {})
            for kind in kinds
        }
        if tls:
            site.configuration["service"]["tls"] = {"certificate": str(tls.certificate), "key": str(tls.key)}
        site.configuration["service"] |= service or {}
        site.configuration["limits"] = {"person": PLENTY, "machine": PLENTY, "unauthenticated": PLENTY} | limits
        self.key = site.key
        # What clients need to trust the service.
        self.authority = tls.authority.certificate if tls else None
        self.tls = ssl.create_default_context(cafile=self.authority) if tls else None
        most = (resource.getrlimit(resource.RLIMIT_NOFILE)[1],) * 2
        super().__init__(site, environment=environment, descriptors=descriptors or most)

    def descriptors(self):
        return self.resources()[0]

    def memory(self):
        status = open(f"/proc/{self.process.pid}/status").read()
        return int(status.split("VmRSS:")[1].split()[0])
