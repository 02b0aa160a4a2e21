#!/usr/bin/env python3
"""Writes docs/decisions/README.md, the list of all decisions; with --check, compares only."""

import pathlib
import re
import sys

FOLDER = pathlib.Path(__file__).resolve().parents[1] / "docs" / "decisions"
INTRODUCTION = "# Decisions\n\nWhat a newcomer would question, with the reasons. Numbers without a page were never used.\n\n"


def row(path):
    """The list's line for a decision."""
    title = path.read_text().splitlines()[0]
    number = int(path.name[:4])
    if not re.match(rf"# {number}\. \S", title):
        sys.exit(f"{path.name} does not begin with '# {number}. '.")
    return f"- [{title[2:]}]({path.name})\n"


if __name__ == "__main__":
    text = INTRODUCTION + "".join(map(row, sorted(FOLDER.glob("[0-9]*.md"))))
    index = FOLDER / "README.md"
    if sys.argv[1:] != ["--check"]:
        index.write_text(text)
    elif index.read_text() != text:
        sys.exit("docs/decisions/README.md is not up to date. Run scripts/index-decisions.py.")
