#!/usr/bin/env python3
"""Writes docs/emulator-parity.md from parity.json; --check compares only."""

import collections
import json
import pathlib
import re
import sys

HERE = pathlib.Path(__file__).parent
DOCUMENT = HERE.parent / "docs" / "emulator-parity.md"
SECTIONS = json.loads((HERE / "parity.json").read_text())

HEAD = """\
# What the Fleet Engine emulator does as Fleet Engine does

Written by `FleetEngineEmulator/parity.py` from [parity.json](../FleetEngineEmulator/parity.json), which also names the test that
shows each line. Google documents {documented} lines, a public recording of Fleet Engine shows {recorded}, and {inferred} are
inferred: they follow from the documentation, or something had to be chosen. {not done} are documented and not done.

Where the last column is empty, the `.proto` file documents the line, or the docstring of the message in `google-maps-fleetengine` and
`google-maps-fleetengine-delivery` 0.6.1.
"""


def markdown():
    counts = collections.Counter(row["basis"] for rows in SECTIONS.values() for row in rows)
    text = HEAD.format_map(counts)
    for title, rows in SECTIONS.items():
        text += f"\n## {title}\n\n| | | |\n|---|---|---|\n"
        for row in rows:
            basis, source = row["basis"], row["source"]
            is_plain = source in ("", "docstring", "`.proto` files", "`.proto` comments") or source.startswith("docstring of ")
            if is_plain:
                known = "" if basis == "documented" else basis
            else:
                known = source if basis == "documented" else f"{basis}: {source}"
            # What the number says already.
            summary = re.sub(r"^(401 UNAUTHENTICATED|403 PERMISSION_DENIED):", lambda match: match[1][:3] + ":", row["summary"])
            text += f"| `{row['name']}` | {summary} | {known} |\n"
    return text



if __name__ == "__main__":
    if "--check" not in sys.argv:
        DOCUMENT.write_text(markdown())
    elif DOCUMENT.read_text() != markdown():
        sys.exit("docs/emulator-parity.md is not what parity.json has: run FleetEngineEmulator/parity.py.")
