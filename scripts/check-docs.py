#!/usr/bin/env python3
"""Checks the links of the Markdown files: the file exists, and so does the heading."""

import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[1]

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


if __name__ == "__main__":
    listed = subprocess.run(["git", "-C", ROOT, "ls-files", "*.md"], check=True, capture_output=True, text=True)
    found = [f"{name}: {problem}" for name in listed.stdout.split() for problem in link_problems(ROOT / name)]
    print("".join(f"error: {problem}\n" for problem in found), end="", file=sys.stderr)
    sys.exit(1 if found else 0)
