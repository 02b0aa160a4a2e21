#!/usr/bin/env python3
"""Shows where the CPU time of a response goes: perf samples the running service, and each sample counts for the owner of its function.

The service is on one core and the load on another. FLEET_TOKEN_BUILD names a binary with symbols (make profile).
"""

import argparse
import re
import subprocess
import threading

from harness import load, report, servers
from harness.machine import RELEASE, WORK
from harness.site import Site

# The first row that matches the library and the function of a sample has it.
OWNERS = [
    ("RSA signature, SHA-256 (libcrypto)", r"libcrypto"),
    ("TLS (BoringSSL)", r"CNIOBoringSSL|bssl::|\$s6NIOSSL|\b_?_?(fe_|ecp_nistz|aes|gcm)"),
    ("kernel: sockets, files, switches of threads", r"\[k\]"),
    ("memory (malloc, free, copies)", r"libc\.so.*(alloc|free|mem|unlink_chunk)"),
    ("Swift's runtime (reference counts, tasks)", r"\] _?swift|swift::|\bswift_"),
    ("SwiftNIO and HTTP's types", r"\$s\w*?(NIO|9HTTPTypes)|c_nio"),
    ("this project", r"\$s\w*?(10HTTPServer|12TokenService|13TokenIssuance|12TokenMinting|14ServiceSupport|10FleetToken|12StrictCoding|4JOSE|6Timing)"),
]
REST = "C and Swift libraries, and the rest"
ROWS = {"signed, new TLS connection": "ec", "signed, kept": None, "reused": None}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seconds", type=int, default=10, help="how long to sample each row")
    parser.add_argument("--publish", action="store_true", help="write the table into docs/performance.md")
    options = parser.parse_args()
    if b".symtab" not in subprocess.run(["readelf", "-S", RELEASE / "tokend"], capture_output=True, check=True).stdout:
        parser.error("tokend has no symbols. Run `make profile`.")
    servers.build_peers()
    table = "\n".join(lines({row: profile(row, tls, options.seconds) for row, tls in ROWS.items()})) + "\n"
    print(table)
    if options.publish:
        report.replace("profile", table)


def profile(row, tls, seconds):
    """Returns the microseconds of CPU time of one response, by owner."""
    with servers.tokend(Site(WORK / "site-profile", tls=tls)) as server:
        samples = WORK / "profile.data"
        begun = load.cpu_seconds(server.pid)
        thread = threading.Thread(target=record, args=(server.pid, samples, seconds))
        thread.start()
        if tls:
            answers = load.new_connections(server, seconds + 1, "full")["answers"]
        else:
            answers = load.closed_loop(server, seconds + 1, ids=int(row == "reused")).answers
        each = (load.cpu_seconds(server.pid) - begun) / answers * 1e6
        thread.join()
    shares = by_owner(samples)
    return {owner: each * share / sum(shares.values()) for owner, share in shares.items()}


def record(pid, samples, seconds):
    command = ["perf", "record", "-q", "-e", "cpu-clock", "-F", "1999", "-o", samples, "-p", pid, "--", "sleep", seconds]
    subprocess.run(list(map(str, command)), check=True, capture_output=True)


def by_owner(samples):
    """Returns the samples of each owner."""
    command = ["perf", "report", "-i", samples, "--no-demangle", "--sort", "dso,sym", "--show-nr-samples", "--percent-limit", "0"]
    done = subprocess.run(list(map(str, command)), check=True, capture_output=True, text=True)
    shares = dict.fromkeys([owner for owner, _ in OWNERS] + [REST], 0)
    for line in done.stdout.splitlines():
        # 12.34%  SAMPLES  LIBRARY  [.] FUNCTION
        if found := re.match(r" *[\d.]+% +(\d+) +(\S.*)", line):
            owner = next((owner for owner, pattern in OWNERS if re.search(pattern, found[2])), REST)
            shares[owner] += int(found[1])
    return shares


def lines(rows):
    yield f"| µs of CPU time for a response | {' | '.join(rows)} |"
    yield "|---|" + "--:|" * len(rows)
    for owner in next(iter(rows.values())):
        yield f"| {owner} | {' | '.join(f'{each[owner]:.1f}' for each in rows.values())} |"
    yield f"| all | {' | '.join(f'{sum(each.values()):.1f}' for each in rows.values())} |"


if __name__ == "__main__":
    main()
