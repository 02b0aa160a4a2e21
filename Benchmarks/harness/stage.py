"""All subjects side by side: each server is started once, and each round asks it anew."""

import contextlib

from . import load, servers, tokens
from .machine import BOTH, LOAD, WORK
from .site import Site

KEEP = 240
REUSED = 42


class Stage(contextlib.ExitStack):
    """Starts a server when it is first asked, and keeps it, idle, for the rounds to come."""

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
            # Once for long, for a just-in-time compiler.
            load.closed_loop(self.running[name], self.seconds)
        return self.running[name]

    def _make(self, name):
        match name:
            case "tokend": return servers.tokend(self.site)
            case "tokend on two cores": return servers.tokend(Site(WORK / "site-2"), BOTH, name="tokend-2")
            case "Go": return servers.go(self.site)
            case "Go with a map": return servers.go(self.site, keep=KEEP, name="go-map")
            case "Java": return servers.java(self.site)
            case "Node": return servers.node(self.site)
            case "nginx": return servers.nginx(self.site, tokens.ask(self.server("tokend"), "as-large-as-this"))
        raise KeyError(name)

    def cold(self, name, cores=LOAD):
        """Asks for tokens, each for another ID."""
        server = self.server(name)
        load.closed_loop(server, self.warm_up, cores=cores)
        run = load.closed_loop(server, self.seconds, cores=cores)
        tokens.sample(server)
        return run

    def reused(self, name):
        """Asks for one ID only."""
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
        """Answers a second: of the clock's, or of the CPU's that the server used."""
        return run.answers / run.server_cpu if self.by_cpu else run.rate
