#!/usr/bin/env python3
"""Checks that no folders of a large module refer to each other in a circle.

Modules are kept apart by the compiler. Inside a module of more than 3,000 lines this script looks at its folders: folder
A refers to folder B where a file of A names a top-level type that a file of B declares. Files beside the folders are one
folder more, which may refer to all of them; none of them may refer back.
"""

import pathlib
import re
import sys
from collections import defaultdict

LARGE = 3_000
MAXIMUM_SHARE = 1 / 3
TYPE = re.compile(
    r"^(?:@\S+\s+)*(?:(?:public|package|internal|final|indirect|nonisolated)\s+)*"
    r"(?:struct|class|enum|actor|protocol|typealias)\s+(\w+)",
    re.MULTILINE,
)


def code(text):
    """The text without comments and string literals, in which a type's name refers to nothing."""
    text = re.sub(r"//[^\n]*", "", text)
    text = re.sub(r'"""(?:.|\n)*?"""', '""', text)
    return re.sub(r'"(?:\\.|[^"\\\n])*"', '""', text)


def references(module):
    """For each folder the folders that it refers to, with an example of each."""
    files = {path: code(path.read_text()) for path in sorted(module.rglob("*.swift"))}

    def folder(path):
        parts = path.relative_to(module).parts
        return parts[0] if len(parts) > 1 else "."

    declared = {name: folder(path) for path, text in files.items() for name in TYPE.findall(text)}
    found = defaultdict(dict)
    for path, text in files.items():
        for name in sorted(set(re.findall(r"\b[A-Z]\w*", text))):
            other = declared.get(name)
            if other and other != folder(path):
                found[folder(path)].setdefault(other, f"{path.relative_to(module)} names {name}")
    return found


def circle(found):
    """The folders of a circle, in order; empty when there is none."""
    done, path = set(), []

    def visit(folder):
        if folder in path:
            return path[path.index(folder) :] + [folder]
        if folder in done:
            return []
        path.append(folder)
        for other in found.get(folder, {}):
            if result := visit(other):
                return result
        path.pop()
        done.add(folder)
        return []

    for folder in sorted(found):
        if result := visit(folder):
            return result
    return []


def problems(sources):
    modules = {path: sum(len(f.read_text().splitlines()) for f in path.rglob("*.swift")) for path in sources.iterdir()}
    total = sum(modules.values())
    for module, lines in sorted(modules.items()):
        if lines > total * MAXIMUM_SHARE:
            yield f"{module.name} has {lines} of {total} lines, more than a third"
        if lines <= LARGE:
            continue
        found = references(module)
        if folders := circle(found):
            steps = "; ".join(f"{a}/ → {b}/ ({found[a][b]})" for a, b in zip(folders, folders[1:]))
            yield f"{module.name} has a circle of folders: {steps}"


def self_test():
    """Whether the check finds what it is for."""
    assert circle({"A": {"B": ""}, "B": {"C": ""}}) == []
    assert circle({"A": {"B": ""}, "B": {"C": ""}, "C": {"A": ""}}) == ["A", "B", "C", "A"]
    assert TYPE.findall("package final class Big {}\n  struct Nested {}") == ["Big"]
    assert code('let a = "Big" // Big') == 'let a = "" '


if __name__ == "__main__":
    self_test()
    sources = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else "Sources")
    found = list(problems(sources))
    for problem in found:
        print(f"error: {problem}", file=sys.stderr)
    sys.exit(1 if found else 0)
