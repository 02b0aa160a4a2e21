#!/usr/bin/env python3
"""The reviewed versions of the Swift packages, which a release is built from: Package.versions beside each manifest.

    versions.py            compares what was resolved, each Package.resolved, with the reviewed versions
    versions.py --resolve  writes each Package.resolved with exactly the reviewed versions, by their public tags
    versions.py --update   writes what was resolved to each Package.versions, for a review of the difference
"""

import argparse
import concurrent.futures
import json
import re
import subprocess
import sys

from dependencies import PROGRAMS, ROOT

# The folders of the manifests of which releases are built.
FOLDERS = [ROOT / folder for folder in PROGRAMS]
LIST, RESOLVED = "Package.versions", "Package.resolved"
LINE = re.compile(r"(?P<name>[a-z0-9-]+) (?P<version>\d+\.\d+\.\d+) (?P<location>https://github\.com/[\w./-]+)")
HEADER = """\
# The reviewed versions of the Swift packages, of which a release is built: name, version, source.
# scripts/release/versions.py compares them with what was resolved. To change one, read what changed in the package between
# the two versions, run the tests with it, then `scripts/release/versions.py --update`.
"""


def reviewed(text):
    """The packages of a list by name, as (version, location)."""
    packages = {}
    for number, line in enumerate(text.splitlines(), 1):
        if not line or line.startswith("#"):
            continue
        match = LINE.fullmatch(line)
        if not match or match["name"] in packages:
            raise SystemExit(f"{LIST}:{number}: '{line}' is not NAME VERSION LOCATION, or its package has a line.")
        packages[match["name"]] = (match["version"], match["location"])
    return packages


def resolved(text):
    """The packages of a Package.resolved by name, as (version, location). One without a version has a branch or a commit."""
    return {
        pin["identity"]: (pin["state"].get("version"), pin["location"].removesuffix(".git"))
        for pin in json.loads(text)["pins"]
    }


def problems(known, found):
    """What was resolved otherwise than reviewed. What other lanes or platforms need may be missing."""
    for name, (version, location) in sorted(found.items()):
        if name not in known:
            yield f"{name} {version} was resolved and is not in {LIST}. Review it, then scripts/release/versions.py --update."
        elif known[name] != (version, location):
            yield (
                f"{name} was resolved as {version} of {location}; {LIST} has {' of '.join(known[name])}. "
                "Review the difference, then scripts/release/versions.py --update; or resolve the reviewed one with --resolve."
            )


def commit(location, version):
    """The commit that a version's tag names now, at the package's public source."""
    tags = [f"refs/tags/{version}", f"refs/tags/{version}^{{}}"]
    listed = subprocess.run(["git", "ls-remote", location, *tags], capture_output=True, text=True, check=True).stdout
    # The last is the commit of an annotated tag.
    if not listed:
        raise SystemExit(f"{location} has no tag {version}.")
    return listed.split("\n")[-2].split("\t")[0]


def pins(packages):
    """A Package.resolved with exactly these packages."""
    # Each waits for its server.
    with concurrent.futures.ThreadPoolExecutor(8) as pool:
        commits = dict(zip(packages, pool.map(lambda each: commit(each[1], each[0]), packages.values()), strict=True))
    return {
        "pins": [
            {
                "identity": name,
                "kind": "remoteSourceControl",
                "location": location,
                "state": {"revision": commits[name], "version": version},
            }
            for name, (version, location) in sorted(packages.items())
        ],
        "version": 2,
    }


def contradictions(lists):
    """Packages that two lists, by their folders, have in two versions: a release has one of each."""
    found = {}
    for folder, packages in lists.items():
        for name, package in packages.items():
            first, other = found.setdefault(name, (folder, package))
            if other != package:
                yield f"{name} is {' of '.join(package)} in {folder}/{LIST} and {' of '.join(other)} in {first}/{LIST}."


def all_problems(folders):
    """What is wrong in all folders; nothing was resolved where there is no Package.resolved."""
    lists = {folder: reviewed((folder / LIST).read_text()) for folder in folders}
    yield from contradictions({folder.name: packages for folder, packages in lists.items()})
    for folder, known in lists.items():
        if (folder / RESOLVED).exists():
            yield from problems(known, resolved((folder / RESOLVED).read_text()))


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--resolve", action="store_true")
    parser.add_argument("--update", action="store_true")
    arguments = parser.parse_args()
    for folder in FOLDERS:
        if arguments.update:
            found = sorted(resolved((folder / RESOLVED).read_text()).items())
            lines = (f"{name} {version} {location}\n" for name, (version, location) in found)
            (folder / LIST).write_text(HEADER + "".join(lines))
        elif arguments.resolve:
            packages = reviewed((folder / LIST).read_text())
            (folder / RESOLVED).write_text(json.dumps(pins(packages), indent=2) + "\n")
    messages = list(all_problems(FOLDERS))
    for message in messages:
        print(f"Error: {message}", file=sys.stderr)
    sys.exit(1 if messages else 0)
