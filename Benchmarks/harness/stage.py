"""All servers side by side: each is started once and used in every round."""

import contextlib

from . import load, servers, tokens
from .machine import BOTH, LOAD, WORK
from .site import Site

KEEP = 240
REUSED = 42


class Stage(contextlib.ExitStack):
    """Starts a server on first use and keeps it idle for later rounds."""

    def __init__(self, seconds, by_cpu=False):
        super().__init__()
        self.seconds, self.by_cpu = seconds, by_cpu
        self.running = {}
        self.site = Site(WORK / "site")

    def server(self, name):
        if name not in self.running:
            self.running[name] = self.enter_context(self._make(name))
            if name != "nginx":
                tokens.sample(self.running[name])
            # A longer warm-up first, for just-in-time compilers.
            load.closed_loop(self.running[name], self.seconds)
        return self.running[name]

    def _make(self, name):
        match name:
            case "tokend": return servers.tokend(self.site)
            case "tokend on two cores": return servers.tokend(Site(WORK / "site-2"), BOTH, name="tokend-2")
            case "Go": return servers.go(self.site)
            case "Go with a map": return servers.go(self.site, keep=KEEP, name="go-map")
            case "Go with the same work": return servers.go(self.site, name="go-work", works=True)
            case "Go with a map and the same work":
                return servers.go(self.site, keep=KEEP, name="go-map-work", works=True)
            case "Java": return servers.java(self.site)
            case "Node": return servers.node(self.site)
            case "nginx": return servers.nginx(self.site, tokens.ask(self.server("tokend"), "as-large-as-this"))
        raise KeyError(name)

    def cold(self, name, cores=LOAD, connections=8):
        """Requests tokens, each for a different ID."""
        server = self.server(name)
        load.closed_loop(server, self.warm_up, cores=cores, connections=connections)
        run = load.closed_loop(server, self.seconds, cores=cores, connections=connections)
        tokens.sample(server)
        return run

    def reused(self, name):
        """Requests tokens for one ID only."""
        server = self.server(name)
        load.closed_loop(server, self.warm_up, ids=1, first=REUSED, connections=32)
        run = load.closed_loop(server, self.seconds, ids=1, first=REUSED, connections=32)
        if name != "nginx":
            tokens.sample(server, 1)
        return run

    @property
    def warm_up(self):
        return max(1, round(self.seconds / 3))

    def rate(self, run):
        """Returns responses per second of wall-clock time, or of the server's CPU time."""
        return run.answers / run.server_cpu if self.by_cpu else run.rate
