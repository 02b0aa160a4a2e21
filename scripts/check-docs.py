#!/usr/bin/env python3
"""Checks the Markdown files against each other and against the packages that are used.

- Relative links: the file exists, and so does the heading. The index of decisions has each of them.
- docs/decisions/dependencies.md gives a reason for each Swift package that is resolved, and for no other.

    check-docs.py        compares its tables with Package.versions and Package.swift
    check-docs.py BUILD  compares them with what was linked, too: BUILD/tokend.product, such as .build/debug
"""

import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[1]
DECISIONS = ROOT / "docs" / "decisions"
PACKAGES = DECISIONS / "dependencies.md"
USED, BROUGHT, RESOLVED = (
    "Linked, and used by our own modules",
    "Linked, because others need them",
    "Resolved, and in no program of this package",
)

# Links

LINK = re.compile(r"\]\(([^)\s]+)\)|(?:src|href)=\"([^\"]+)\"")
NUMBERED = re.compile(r"\b[Dd]ecisions?\s+\d+")


def anchors(path):
    """The anchors of a page's headings, as GitHub writes them."""
    headings = re.findall(r"^#+ (.+)$", without_code(path.read_text()), re.MULTILINE)
    plain = [re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading).strip().lower() for heading in headings]
    return {re.sub(r"[^\w\- ]", "", heading).replace(" ", "-") for heading in plain}


def without_code(text):
    """The text without fenced blocks, in which nothing is a link or a heading."""
    return re.sub(r"^( *)```.*?^\1```", "", text, flags=re.MULTILINE | re.DOTALL)


def link_problems(path):
    text = path.read_text()
    for found in LINK.finditer(re.sub(r"`[^`\n]*`", "", without_code(text))):
        link = found[1] or found[2]
        if re.match(r"[a-z][a-z+.-]*:", link) or link.startswith("<doc:"):
            continue
        name, _, anchor = link.partition("#")
        target = (path.parent / name).resolve() if name else path
        image = path.parent.suffix == ".docc" and not target.suffix  # DocC names images without their suffix.
        if not target.exists() and not image:
            yield f"no file {name}"
        elif anchor and target.suffix == ".md" and anchor not in anchors(target):
            yield f"no heading #{anchor} in {target.name}"
    yield from (f"no {found[0]}" for found in NUMBERED.finditer(text))


def unlisted(folder):
    """The decisions that their index does not link to."""
    index = (folder / "README.md").read_text()
    yield from (page.name for page in sorted(folder.glob("*.md")) if page.name != "README.md" and f"({page.name})" not in index)


# Packages


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


def package_problems(found, versions, manifest, link=None):
    listed = [name for heading in (USED, BROUGHT, RESOLVED) for name in found.get(heading, [])]
    yield from (f"{name} has two reasons in {PACKAGES.name}." for name in sorted({n for n in listed if listed.count(n) > 1}))
    yield from (f"{name} has no reason in {PACKAGES.name}." for name in sorted(reviewed(versions) - set(listed)))
    yield from (f"{name} is in {PACKAGES.name}, but not in Package.versions." for name in sorted(set(listed) - reviewed(versions)))
    direct = set(found.get(USED, [])) | declared(manifest)
    undeclared = direct - declared(manifest)
    yield from (f"{name} is used by our own modules in {PACKAGES.name}, but not in Package.swift." for name in sorted(undeclared))
    brought = declared(manifest) & set(found.get(BROUGHT, []))
    yield from (f"{name} is in Package.swift; {PACKAGES.name} says that only others need it." for name in sorted(brought))
    if link is not None:
        said = set(found.get(USED, [])) | set(found.get(BROUGHT, []))
        yield from (f"{name} is linked into tokend; {PACKAGES.name} does not say so." for name in sorted(link - said))
        yield from (f"{name} is not linked into tokend; {PACKAGES.name} says that it is." for name in sorted(said - link))


if __name__ == "__main__":
    listed = subprocess.run(["git", "-C", ROOT, "ls-files", "*.md"], check=True, capture_output=True, text=True)
    found = [f"{name}: {problem}" for name in listed.stdout.split() for problem in link_problems(ROOT / name)]
    found += [f"docs/decisions/README.md: no link to {name}" for name in unlisted(DECISIONS)]
    link = linked(pathlib.Path(sys.argv[1])) if len(sys.argv) > 1 else None
    versions, manifest = ((ROOT / name).read_text() for name in ("Package.versions", "Package.swift"))
    found += package_problems(tables(PACKAGES.read_text()), versions, manifest, link)
    print("".join(f"error: {problem}\n" for problem in found), end="", file=sys.stderr)
    sys.exit(1 if found else 0)
