"""All servers side by side: each is started once and used in every round."""

import contextlib

from . import load, servers, tokens
from .machine import BOTH, LOAD, WORK
from .site import Site

REUSED = 42


class Stage(contextlib.ExitStack):
    """Starts a server on first use and keeps it idle for later rounds.

    A name is that of a server, with words before it: "bare" for less work, "TLS", and "two-core".
    """

    def __init__(self, seconds, by_cpu=False):
        super().__init__()
        self.seconds, self.by_cpu = seconds, by_cpu
        self.running = {}
        self.site = Site(WORK / "site")

    def server(self, name):
        if name not in self.running:
            self.running[name] = self.enter_context(self._make(name.split()))
            if not name.startswith("TLS"):
                if name != "nginx":
                    tokens.sample(self.running[name])
                # A longer warm-up first, for just-in-time compilers.
                load.closed_loop(self.running[name], self.seconds)
        return self.running[name]

    def _make(self, words):
        *kinds, name = words
        if name == "nginx":
            return servers.nginx(self.site, tokens.ask(self.server("tokend"), "as-large-as-this"))
        # Each tokend has a configuration, with its port, of its own.
        site = Site(WORK / f"site-{'-'.join(words)}", tls="ec" if "TLS" in kinds else None) if kinds else self.site
        return servers.start(name, site, BOTH if "two-core" in kinds else servers.SERVER, bare="bare" in kinds)

    def signed(self, name, cores=LOAD, connections=8):
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
