#!/usr/bin/env python3
"""Writes docs/decisions/README.md, the index of all decisions by topic; with --check, compares only.

A page is NNNN-NAME.md. It begins with "# N. Title", where the title names what was decided about, and after an empty line
"*Topic*", one of TOPICS. Numbers begin at 1 and have no gaps: a new decision takes the next one, wherever its topic stands.
"""

import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[1]
FOLDER = ROOT / "docs" / "decisions"
TOPICS = [
    "Structure",
    "HTTP",
    "Authentication",
    "Signing",
    "Limits",
    "Audit trail, log and metrics",
    "Configuration and operations",
    "Performance",
    "Client",
    "Emulator and demo",
    "Tests and CI",
    "Releases",
]
INTRODUCTION = "# Decisions\n\nWhat a newcomer would question, with the reasons, by topic.\n"


def page(path):
    """The topic of a decision, and its line in the index."""
    head = re.match(r"# (\d+)\. (\S.*)\n\n\*(.+)\*\n\n", path.read_text())
    if not head or int(head[1]) != int(path.name[:4]):
        sys.exit(f"{path.name} does not begin with '# {int(path.name[:4])}. Title', an empty line and '*Topic*'.")
    if head[3] not in TOPICS:
        sys.exit(f"{path.name}: '{head[3]}' is not a topic. Topics: {', '.join(TOPICS)}.")
    return head[3], f"- [{head[1]}. {head[2]}]({path.name})\n"


def index(paths):
    """The text of the index."""
    numbers = [int(path.name[:4]) for path in paths]
    if numbers != list(range(1, len(paths) + 1)):
        sys.exit(f"Numbers of decisions have a gap or occur twice: {numbers}.")
    pages = [page(path) for path in paths]
    return INTRODUCTION + "".join(
        f"\n## {topic}\n\n" + "".join(line for of, line in pages if of == topic) for topic in TOPICS
    )


if __name__ == "__main__":
    text = index(sorted(FOLDER.glob("[0-9]*.md")))
    readme = FOLDER / "README.md"
    if sys.argv[1:] != ["--check"]:
        readme.write_text(text)
    elif readme.read_text() != text:
        sys.exit("docs/decisions/README.md is not up to date. Run scripts/index-decisions.py.")
