#!/usr/bin/env python3
"""Checks that docs/decisions/dependencies.md gives a reason for each Swift package that is resolved, and for no other.

    check-dependencies.py        compares its tables with Package.versions and Package.swift
    check-dependencies.py BUILD  compares them with what was linked, too: BUILD/tokend.product, such as .build/debug
"""

import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[1]
PAGE = ROOT / "docs" / "decisions" / "dependencies.md"
USED, BROUGHT, RESOLVED = (
    "Linked, and used by our own modules",
    "Linked, because others need them",
    "Resolved, and in no program of this package",
)


def tables(page):
    """The packages of each table by its heading, as lists: one that occurs twice does so in them."""
    found = {}
    for heading, table in re.findall(r"^\*\*(.+)\*\*\n\n((?:\|.*\n)+)", page, re.MULTILINE):
        cells = [line.split("|")[1] for line in table.splitlines()[2:]]
        found[heading] = [name.strip() for cell in cells for name in cell.split(",")]
    return found


def reviewed(versions):
    return {line.split()[0] for line in versions.splitlines() if line and not line.startswith("#")}


def declared(manifest):
    return {url.rpartition("/")[2] for url in re.findall(r'\.package\(url: "([^"]+)"', manifest)}


def linked(build):
    """The packages whose modules were given to the linker."""
    names = set()
    for module in set(re.findall(r"/([\w-]+\.build)/", (build / "tokend.product" / "Objects.LinkFileList").read_text())):
        sources = build / module / "sources"
        # Swift modules have a list of sources, modules in C a dependency file for each source.
        files = [sources] if sources.exists() else list((build / module).rglob("*.d"))[:1]
        names |= {name.lower() for file in files for name in re.findall(r"/checkouts/([^/]+)/", file.read_text())[:1]}
    return names


def problems(found, versions, manifest, link=None):
    listed = [name for heading in (USED, BROUGHT, RESOLVED) for name in found.get(heading, [])]
    yield from (f"{name} has two reasons in {PAGE.name}." for name in sorted({n for n in listed if listed.count(n) > 1}))
    yield from (f"{name} has no reason in {PAGE.name}." for name in sorted(reviewed(versions) - set(listed)))
    yield from (f"{name} is in {PAGE.name}, but not in Package.versions." for name in sorted(set(listed) - reviewed(versions)))
    direct = set(found.get(USED, [])) | declared(manifest)
    undeclared = direct - declared(manifest)
    yield from (f"{name} is used by our own modules in {PAGE.name}, but not in Package.swift." for name in sorted(undeclared))
    brought = declared(manifest) & set(found.get(BROUGHT, []))
    yield from (f"{name} is in Package.swift; {PAGE.name} says that only others need it." for name in sorted(brought))
    if link is not None:
        said = set(found.get(USED, [])) | set(found.get(BROUGHT, []))
        yield from (f"{name} is linked into tokend; {PAGE.name} does not say so." for name in sorted(link - said))
        yield from (f"{name} is not linked into tokend; {PAGE.name} says that it is." for name in sorted(said - link))


def self_test():
    """Whether the check finds what it is for."""
    page = f"**{USED}**\n\n| a | b |\n|---|---|\n| one, two | x |\n\n**{RESOLVED}**\n\n| a | b |\n|---|---|\n| one | y |\n"
    found = tables(page)
    assert found == {USED: ["one", "two"], RESOLVED: ["one"]}
    manifest = '.package(url: "https://example.com/one", from: "1.0.0")'
    said = list(problems(found, "# x\none 1.0.0 u\nthree 1.0.0 u\n", manifest, {"one", "three"}))
    assert [line.split()[0] for line in said] == ["one", "three", "two", "two", "three", "two"], said


if __name__ == "__main__":
    self_test()
    link = linked(pathlib.Path(sys.argv[1])) if len(sys.argv) > 1 else None
    versions, manifest = ((ROOT / name).read_text() for name in ("Package.versions", "Package.swift"))
    messages = list(problems(tables(PAGE.read_text()), versions, manifest, link))
    for message in messages:
        print(f"error: {message}", file=sys.stderr)
    sys.exit(1 if messages else 0)
