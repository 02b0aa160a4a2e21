#!/usr/bin/env python3
"""Writes the pages in web/ into Swift sources, since the binaries are single files; --check compares only.

SwiftPM's own `.embedInCode` takes the compiler six seconds for these files, in each configuration.
"""

import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).parent.parent
WEB = ROOT / "web"
NOTE = "// Written by scripts/embed-web.py from {source}.\n// swift-format-ignore-file\n"


def literal(text):
    marks = "#" * (1 + max((len(run) for run in re.findall(r'"""(#*)|\\(#*)', text) for run in run), default=0))
    return f'{marks}"""\n{text}\n"""{marks}'


def journey():
    files = {"": WEB / "page/index.html"}
    for pattern in ["*.js", "page/*.js", "page/*.css", "page/*.svg", "styles/*.json"]:
        files |= {str(file.relative_to(WEB)): file for file in sorted(WEB.glob(pattern))}
    entries = "".join(f'        "{name}": {literal(file.read_text())},\n' for name, file in files.items())
    return NOTE.format(source="web") + f"""
extension PageAssets {{
    /// The files by path.
    static let files: [String: String] = [
{entries}    ]
}}
"""


OUTPUTS = {
    "FleetEngineEmulator/Sources/FleetEngineEmulator/Page/PageAssets+Files.swift": journey,
}

if __name__ == "__main__":
    failed = False
    for name, make in OUTPUTS.items():
        path = ROOT / name
        if "--check" not in sys.argv:
            path.write_text(make())
        elif path.read_text() != make():
            print(f"{name} is not what web/ has: run scripts/embed-web.py.", file=sys.stderr)
            failed = True
    sys.exit(failed)
