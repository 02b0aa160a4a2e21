"""Ports for servers that must know theirs before they start."""

import contextlib
import random
import socket


def free_port():
    """A port that no socket is bound to, below those that the kernel gives to clients and to port 0.

    A port of that range could be taken by any connection before the server listens.
    """
    with open("/proc/sys/net/ipv4/ip_local_port_range") as range_file:
        first_of_clients = int(range_file.read().split()[0])
    while True:
        port = random.randrange(10_000, first_of_clients)
        with contextlib.suppress(OSError), socket.create_server(("127.0.0.1", port)):
            return port
