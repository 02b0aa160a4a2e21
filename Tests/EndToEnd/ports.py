"""Ports for servers that must know theirs before they start."""

import contextlib
import os
import random
import socket

# Processes that share the tests take different ports: their numbers end with that of the process, `gw3`.
PROCESS = int(os.environ.get("PYTEST_XDIST_WORKER", "gw0").removeprefix("gw")) % 10


def free_port():
    """A port that no socket is bound to, below those that the kernel gives to clients and to port 0.

    A port of that range could be taken by any connection before the server listens.
    """
    with open("/proc/sys/net/ipv4/ip_local_port_range") as range_file:
        first_of_clients = int(range_file.read().split()[0])
    while True:
        port = random.randrange(10_000 + PROCESS, first_of_clients, 10)
        with contextlib.suppress(OSError), socket.create_server(("127.0.0.1", port)):
            return port
