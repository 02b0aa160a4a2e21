#!/usr/bin/env python3
"""Checks the Markdown files: each link, path, test and target of make exists."""

import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[1]
FILES = subprocess.run(["git", "-C", ROOT, "ls-files"], check=True, capture_output=True, text=True).stdout.split("\n")
NAMES = {part for file in FILES for part in pathlib.PurePath(file).parts}

LINK = re.compile(r"\]\(([^)\s]+)\)|(?:src|href)=\"([^\"]+)\"")
PATH = re.compile(r"`((?:Sources|Tests|docs|deploy|scripts|Examples|FleetEngine|web|Benchmarks|Fuzz|\.github)/[\w./-]*\w)`")
TEST = re.compile(r"`(test_\w+\.py)`|`(\w+Tests)`")
TARGETS = {name for names in re.findall(r"^([a-z][a-z -]*):", (ROOT / "Makefile").read_text(), re.MULTILINE) for name in names.split()}
MAKE = re.compile(r"(?:`|^)make ([a-z][a-z-]*)", re.MULTILINE)


def anchors(path):
    """The anchors of a page's headings, as GitHub writes them."""
    headings = re.findall(r"^#+ (.+)$", without_code(path.read_text()), re.MULTILINE)
    plain = [re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading).strip().lower() for heading in headings]
    return {re.sub(r"[^\w\- ]", "", heading).replace(" ", "-") for heading in plain}


def without_code(text):
    """The text without fenced blocks, in which nothing is a link or a heading."""
    return re.sub(r"^( *)```.*?^\1```", "", text, flags=re.MULTILINE | re.DOTALL)


def link_problems(path):
    for found in LINK.finditer(re.sub(r"`[^`\n]*`", "", without_code(path.read_text()))):
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


def name_problems(path):
    """The targets, paths and tests of a page that do not exist. The companion's pages name paths of its own package."""
    yield from (f"no target {name}" for name in MAKE.findall(path.read_text()) if name not in TARGETS)
    text = without_code(path.read_text())
    folders = [ROOT, ROOT / "FleetEngine"]
    yield from (f"no {name}" for name in PATH.findall(text) if not any((folder / name).exists() for folder in folders))
    for file, suite in TEST.findall(text):
        if not NAMES & {file, suite, f"{suite}.swift"}:
            yield f"no test {file or suite}"


if __name__ == "__main__":
    pages = [name for name in FILES if name.endswith(".md") and (ROOT / name).exists()]
    found = [f"{name}: {problem}" for name in pages for problem in [*link_problems(ROOT / name), *name_problems(ROOT / name)]]
    print("".join(f"error: {problem}\n" for problem in found), end="", file=sys.stderr)
    sys.exit(1 if found else 0)
