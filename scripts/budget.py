#!/usr/bin/env python3
"""Compares the size of each part of the project with its budget, scripts/budget.toml, and fails if one has outgrown it.

    budget.py                 prints what outgrew its budget, and by how much
    budget.py --update        lowers each budget to the present size, and removes those of parts that are gone; raises nothing
    budget.py --raise PART    sets a part's budget, or those of several, to the present size: a change of the table, for a review

Files that .gitattributes calls generated do not count. Denser lines and longer files are no way to meet a budget: the median
Swift file of Sources stays below MEDIAN lines, and comments per line of code at COMMENTS or more.
"""

import argparse
import pathlib
import re
import statistics
import subprocess
import sys
import tomllib

ROOT = pathlib.Path(__file__).resolve().parents[1]
TABLE = "scripts/budget.toml"
MEDIAN, COMMENTS = 90, 0.25
HEADER = """\
# The most that each part may have: scripts/budget.py. Raising a number is a change to be reviewed; `scripts/budget.py --update`
# lowers them to what is there.
"""


class Project:
    """The files of a checkout that people write, tracked or new."""

    def __init__(self, root):
        self.root = root
        listed = self.git("ls-files", "-z", "--cached", "--others", "--exclude-standard").split("\0")
        present = sorted({name for name in listed if name and (root / name).is_file() and not (root / name).is_symlink()})
        attributes = self.git("check-attr", "-z", "--stdin", "linguist-generated", given="\0".join(present)).split("\0")
        generated = {name for name, value in zip(attributes[::3], attributes[2::3]) if value in ("set", "true")}
        self.files = [name for name in present if name not in generated]

    def git(self, *arguments, given=None):
        return subprocess.run(["git", "-C", self.root, *arguments], input=given, capture_output=True, text=True, check=True).stdout

    def matching(self, pattern):
        return [name for name in self.files if re.fullmatch(pattern, name)]

    def text(self, name):
        return (self.root / name).read_text(errors="replace")

    def lines(self, names):
        return sum(self.text(name).count("\n") for name in names)

    def sizes(self):
        """The sizes of each part."""
        found = {}
        for part in ["Sources", "FleetEngineEmulator/Sources", *self.modules()]:
            names = self.matching(rf"{part}/.*\.(swift|c|h)")
            found[part] = {"lines": self.lines(names), "files": len(names)}
        tests = self.matching(r"(FleetEngineEmulator/)?Tests/.*\.(swift|py|js)")
        found["tests"] = {"lines": self.lines(tests), "files": len(tests)}
        pages = self.matching(r"(.*/)?[^/]*\.md")
        found["documentation"] = {"words": sum(len(self.text(name).split()) for name in pages)}
        found["decisions"] = {"files": len(self.matching(r"docs/decisions/(?!README)[^/]*\.md"))}
        found["scripts"] = {"files": len(self.matching("scripts/.*"))}
        reference = self.text("docs/configuration.md") if "docs/configuration.md" in self.files else ""
        found["settings"] = {"rows": len(re.findall(r"(?m)^\| `[a-z][\w.*]*` \|(?:[^|\n]*\|){4}", reference))}
        return found

    def modules(self):
        return sorted({"/".join(name.split("/")[:2]) for name in self.matching(r"Sources/[^/]+/.*\.(swift|c|h)")})

    def density(self):
        """What denser code and longer files would break."""
        lengths, comments, code = [], 0, 0
        for name in self.matching(r"Sources/.*\.swift"):
            lines = self.text(name).splitlines()
            lengths.append(len(lines))
            written = [line for line in map(str.strip, lines) if line]
            remarks = sum(line.startswith(("//", "/*", "*")) for line in written)
            comments, code = comments + remarks, code + len(written) - remarks
        if lengths and statistics.median(lengths) >= MEDIAN:
            yield f"The median Swift file of Sources has {statistics.median(lengths):.0f} lines; fewer than {MEDIAN} are wanted."
        if code and comments / code < COMMENTS:
            yield f"Sources have {comments / code:.3f} lines of comment per line of code; {COMMENTS} are wanted."


def overruns(sizes, budgets):
    """What outgrew its budget."""
    for part, size in sizes.items():
        for unit, now in size.items():
            limit = budgets.get(part, {}).get(unit)
            if limit is None:
                yield f"{part} has {now} {unit}, and no budget. Give it one: scripts/budget.py --raise {part}"
            elif now > limit:
                yield (
                    f"{part} has {now} {unit}, {now - limit} more than its budget of {limit}. What can go instead? "
                    f"If it is worth it: scripts/budget.py --raise {part}"
                )


def lowered(sizes, budgets):
    """The budgets without what is not used; what outgrew its budget keeps it."""
    return {
        part: {unit: min(limit, sizes[part][unit]) for unit, limit in limits.items() if unit in sizes[part]}
        for part, limits in budgets.items()
        if part in sizes
    }


def written(budgets, order):
    rows = (
        f'"{part}" = {{{", ".join(f"{unit} = {limit}" for unit, limit in budgets[part].items())}}}\n'
        for part in order
        if part in budgets
    )
    return HEADER + "".join(rows)


def main(root, arguments):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--update", action="store_true")
    parser.add_argument("--raise", dest="parts", metavar="PART", nargs="+", default=[])
    options = parser.parse_args(arguments)
    project = Project(root)
    sizes = project.sizes()
    table = root / TABLE
    budgets = tomllib.loads(table.read_text()) if table.exists() else {}
    if unknown := set(options.parts) - set(sizes):
        parser.error(f"{', '.join(sorted(unknown))} is no part. Parts: {', '.join(sizes)}")
    if options.update:
        budgets = lowered(sizes, budgets)
    budgets |= {part: sizes[part] for part in options.parts}
    if options.update or options.parts:
        table.write_text(written(budgets, sizes))
        return 0
    problems = [*overruns(sizes, budgets), *project.density()]
    print("".join(f"error: {problem}\n" for problem in problems), end="", file=sys.stderr)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main(ROOT, sys.argv[1:]))
