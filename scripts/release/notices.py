#!/usr/bin/env python3
"""Writes THIRD-PARTY-NOTICES: the licences and notices of all code in the release binaries.

    notices.py BUILD     BUILD is SwiftPM's scratch folder, such as .build/static
"""

import pathlib
import sys

import dependencies


def toolchain_license():
    """The licence of the Swift standard library, Foundation and Dispatch, which are linked in."""
    from shutil import which

    swift = pathlib.Path(which("swift") or sys.exit("swift is not in PATH."))
    return swift.resolve().parents[1] / "share/swift/LICENSE.txt"


def notices(build):
    """The text, section by section; a licence that several packages share is written once."""
    sections = [("The Swift runtime, Foundation and Dispatch", [toolchain_license()])]
    for package in dependencies.linked_packages(build):
        if not package.licenses:
            sys.exit(f"{package.name} has no licence file.")
        sections.append((f"{package.name} {package.version} ({package.expression})", package.licenses))
    sections += [(part.title, [part.license]) for part in dependencies.embedded_code(build)]

    written = {}
    yield "The programs of Fleet Token contain the following software.\n"
    for title, paths in sections:
        yield f"\n{'=' * 80}\n{title}\n{'=' * 80}\n"
        for path in paths:
            text = path.read_text().strip("\n")
            first = written.setdefault(text, title)
            yield f"\n{text}\n" if first is title else f"\nThe same text as under {first}.\n"


if __name__ == "__main__":
    sys.stdout.write("".join(notices(pathlib.Path(sys.argv[1]))))
