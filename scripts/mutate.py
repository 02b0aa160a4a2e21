#!/usr/bin/env python3
"""Plants the faults of Tests/Mutations, and fails if the tests that an entry names do not notice its fault.

A copy of the repository gets all faults in Swift at once, each behind a switch, so it is compiled once. Each fault is
then switched on by the environment variable MUTANT for its tests. Faults in other files are planted one at a time.
With --check, only checks that each entry fits the sources, that the result can be parsed, and that each rule of SECURITY.md has an entry.

A run that was interrupted goes on where it was, if it is of the same commit. --publish writes the result of a whole run
into docs/mutations.json.
"""

import argparse
import collections
import dataclasses
import datetime
import itertools
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import time
import tomllib

ROOT = pathlib.Path(__file__).resolve().parents[1]
LISTS = ROOT / "Tests" / "Mutations"
PUBLISHED = ROOT / "docs" / "mutations.json"
# A watchdog: a test that only hangs has not noticed a fault.
LIMIT = 240
# What Swift's test program returns if it found no test.
NO_TESTS = 69

SWITCH = """\
#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// The fault that is switched on; 0 for none.
private let number = getenv("MUTANT").flatMap { Int(String(cString: $0)) } ?? 0

func isMutant(_ other: Int) -> Bool { number == other }
"""


@dataclasses.dataclass
class Mutation:
    """An entry of a list, whose table has the name of the file: `[["Sources/…/RateLimiter.swift"]]`."""

    # Unique, in a few words.
    name: str
    # The file, from the root of the repository.
    file: str
    # What the fault replaces: an expression or, with `statement`, statements.
    pattern: str
    # Swift suites, or files of pytest or node, with the name of a test behind `::`.
    tests: list[str]
    # What the fault breaks: rows of SECURITY.md by what is in their first column.
    rules: list[str] = dataclasses.field(default_factory=list)
    # The fault; none removes statements.
    replacement: str = ""
    # The text that has the pattern, where the file has it more than once.
    within: str = ""
    statement: bool = False
    number: int = 0
    # The file of the list, without its suffix.
    subject: str = ""

    def __post_init__(self):
        self.statement = self.statement or not self.replacement

    @property
    def is_swift(self):
        return self.file.endswith(".swift")

    def span(self, text):
        """Where the pattern is, in the text of the file."""
        within = self.within or self.pattern
        if text.count(within) != 1 or within.count(self.pattern) != 1:
            sys.exit(f"{self.name}: {self.file} does not have exactly one {within!r}.")
        start = text.index(within) + within.index(self.pattern)
        return start, start + len(self.pattern)


def mutations():
    found = []
    for path in sorted(LISTS.glob("*.toml")):
        for file, entries in tomllib.loads(path.read_text()).items():
            if file == "mutation":
                sys.exit(f'{path.name}: the head of an entry has the file, such as [["{entries[0]["file"]}"]], and no line "file".')
            found += [Mutation(**entry, file=file, subject=path.stem) for entry in entries]
    for number, mutation in enumerate(found, 1):
        mutation.number = number
    return found


# The check


def rules():
    """The first column of the tables of SECURITY.md that have a column of tests."""
    found, is_table = [], False
    for line in (ROOT / "SECURITY.md").read_text().splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if not line.startswith("|"):
            is_table = False
        elif cells[-1] in ("test", "tests"):
            is_table = True
        elif is_table and not set(cells[0]) <= {"-"}:
            found.append(cells[0])
    return found


def problems(mutations):
    known, suites = rules(), set()
    for path in (ROOT / "Tests").rglob("*.swift"):
        suites |= set(re.findall(r"^[^/\n]*\b(?:struct|class|enum|actor) (\w+)", path.read_text(), re.M))
    for name, group in itertools.groupby(sorted(mutation.name for mutation in mutations)):
        if len(list(group)) > 1:
            yield f"Two entries are called {name}."
    for mutation in mutations:
        mutation.span((ROOT / mutation.file).read_text())
        yield from (f"{mutation.name}: SECURITY.md has no rule {rule!r}." for rule in mutation.rules if rule not in known)
        if not mutation.tests:
            yield f"{mutation.name} names no test."
        for test in mutation.tests:
            file, _, name = test.partition("::")
            if "/" not in file:
                if file not in suites:
                    yield f"{mutation.name}: there is no suite {file}."
            elif not (ROOT / file).exists():
                yield f"{mutation.name}: there is no file {file}."
            elif name and f"def {name.partition('[')[0]}(" not in (ROOT / file).read_text():
                yield f"{mutation.name}: {file} has no test {name}."
    covered = {rule for mutation in mutations for rule in mutation.rules}
    yield from (f"No entry breaks rule {rule!r} of SECURITY.md." for rule in known if rule not in covered)


def unparsable(mutations):
    """Why the compiler cannot parse the files with their faults; empty if it can."""
    with tempfile.TemporaryDirectory() as folder:
        for file, faults in by_file(mutations).items():
            path = pathlib.Path(folder, file.replace("/", ":"))
            path.write_text(planted((ROOT / file).read_text(), faults))
        command = ["swiftc", "-frontend", "-parse", *map(str, pathlib.Path(folder).iterdir())]
        return subprocess.run(command, capture_output=True, text=True).stderr


# The copy


def by_file(mutations):
    """The faults in Swift by their file."""
    faults = {}
    for mutation in mutations:
        if mutation.is_swift:
            faults.setdefault(mutation.file, []).append(mutation)
    return faults


def planted(text, mutations):
    """The text of a Swift file with all its faults, each behind its switch."""
    spans = {}
    for mutation in mutations:
        spans.setdefault(mutation.span(text), []).append(mutation)
    end = len(text)
    for (start, stop), same in sorted(spans.items(), reverse=True):
        if len({mutation.statement for mutation in same}) > 1:
            sys.exit(f"{same[0].name}: another entry has its pattern; both replace an expression or both a statement.")
        if stop > end:
            sys.exit(f"{same[0].name}: another entry has a part of its pattern.")
        original, end = text[start:stop], start
        if same[0].statement:
            cases = [f"if isMutant({m.number}) {{ {m.replacement} }} else " for m in same]
            new = f"{''.join(cases)}{{ {original} }}"
        else:
            cases = [f"isMutant({m.number}) ? ({m.replacement}) : " for m in same]
            new = f"({''.join(cases)}({original}))"
        text = text[:start] + new + text[stop:]
    return text


def copy(folder, mutations):
    """Makes the copy, and writes only what differs, so that little is compiled again."""
    files = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT, check=True, capture_output=True, text=True,
    ).stdout.split("\0")  # fmt: skip
    faults = by_file(mutations)
    new = {}
    for name in filter(None, files):
        source = ROOT / name
        if source.is_file() and not source.is_symlink():
            content = source.read_bytes()
            if name in faults:
                content = planted(content.decode(), faults[name]).encode()
            new[name] = (content, source.stat().st_mode)
    for file in faults:
        new["/".join(file.split("/")[:2]) + "/Mutants.swift"] = (SWITCH.encode(), 0o644)
    for name, (content, mode) in new.items():
        path = folder / name
        if not path.exists() or path.read_bytes() != content:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)
            path.chmod(mode & 0o777)
    for top in ("Sources", "Tests"):
        for path in (folder / top).rglob("*"):
            name = path.relative_to(folder)
            if path.suffix in (".swift", ".py") and str(name) not in new and ".build" not in name.parts:
                path.unlink()
    # The tests' Python packages, and promtool.
    for name in ("venv", "tools"):
        link = folder / ".build" / name
        link.parent.mkdir(exist_ok=True)
        if not link.exists():
            link.symlink_to(ROOT / ".build" / name)


# The tests


def commands(folder, tests):
    swift = [test for test in tests if "/" not in test]
    python = [test for test in tests if test.partition("::")[0].endswith(".py")]
    script = [test for test in tests if test.endswith(".js")]
    if swift:
        [program] = (folder / ".build" / "debug").glob("*PackageTests.xctest")
        names = rf"\.({'|'.join(swift)})(/|$)"
        yield [program, "--testing-library", "swift-testing", "--no-parallel", "--filter", names]
    if script:
        yield ["node", "--test", "--test-timeout=200000", *script]
    if python:
        yield [".build/venv/bin/pytest", "-x", "-q", "-p", "no:cacheprovider", *python]


def result(folder, tests, number, log):
    """Why the tests failed, in one word; nothing if they passed."""
    environment = os.environ | {"MUTANT": str(number), "FLEET_TOKEN_BUILD": str(folder / ".build" / "debug")}
    for command in commands(folder, tests):
        with log.open("ab") as output:
            output.write(f"\n{number}: {command}\n".encode())
            output.flush()
            with subprocess.Popen(
                command, cwd=folder, env=environment, stdout=output, stderr=output, start_new_session=True
            ) as process:
                try:
                    code = process.wait(LIMIT)
                except subprocess.TimeoutExpired:
                    os.killpg(process.pid, 9)
                    return "hung"
        if code == NO_TESTS and "--filter" in command:
            sys.exit(f"There are no tests {tests}.")
        if code:
            return "failed" if code > 0 else "crashed"
    return ""


def tried(folder, mutation, log):
    """What became of the tests with one fault."""
    path = folder / mutation.file
    if mutation.is_swift:
        return result(folder, mutation.tests, mutation.number, log)
    text = path.read_text()
    start, stop = mutation.span(text)
    path.write_text(text[:start] + mutation.replacement + text[stop:])
    try:
        return result(folder, mutation.tests, 0, log)
    finally:
        path.write_text(text)


def run(folder, chosen, everything):
    folder.mkdir(parents=True, exist_ok=True)
    copy(folder, everything)
    # The tests of other files' faults need no program.
    if any(mutation.is_swift for mutation in chosen):
        subprocess.run(["make", "--no-print-directory", "build-tests"], cwd=folder, check=True)
    log = folder / ".build" / "mutants.log"
    results = Results(folder / ".build" / "mutants.json")
    left = [mutation for mutation in chosen if mutation.name not in results.outcomes]
    if not results.outcomes:
        log.write_bytes(b"")
    for tests in sorted({tuple(mutation.tests) for mutation in left}):
        if how := result(folder, tests, 0, log):
            sys.exit(f"Without a fault, {' '.join(tests)} {how}; see {log}.")
    start = time.monotonic()
    for done, mutation in enumerate(left, 1):
        how = tried(folder, mutation, log) or "SURVIVED"
        results.add(mutation, how)
        remaining = (time.monotonic() - start) / done * (len(left) - done) / 60
        print(f"{done} of {len(left)}, {remaining:3.0f} min remain: {how:8}  {mutation.name}", flush=True)
    return results


class Results:
    """What became of the faults, kept from run to run of the same commit."""

    def __init__(self, path):
        self.path = path
        self.commit = subprocess.run(
            ["git", "describe", "--always", "--dirty"], cwd=ROOT, check=True, capture_output=True, text=True
        ).stdout.strip()
        kept = json.loads(path.read_text()) if path.exists() else {}
        self.outcomes = kept["outcomes"] if kept.get("commit") == self.commit else {}

    def add(self, mutation, outcome):
        self.outcomes[mutation.name] = outcome
        self.path.write_text(json.dumps({"commit": self.commit, "outcomes": self.outcomes}))

    def survivors(self, chosen):
        return [mutation for mutation in chosen if self.outcomes[mutation.name] not in ("failed", "crashed")]

    def publish(self, chosen):
        survivors = self.survivors(chosen)
        counts = collections.Counter(mutation.subject for mutation in chosen)
        missed = collections.Counter(mutation.subject for mutation in survivors)
        record = {
            "date": datetime.date.today().isoformat(),
            "commit": self.commit,
            "lists": {name: {"caught": counts[name] - missed[name], "survived": missed[name]} for name in counts},
            "survivors": [mutation.name for mutation in survivors],
        }
        PUBLISHED.write_text(json.dumps(record, indent=1) + "\n")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true", help="check the list only")
    parser.add_argument("--publish", action="store_true", help="write the result of a whole run into docs")
    parser.add_argument("--folder", type=pathlib.Path, default=ROOT / ".build" / "mutants", help="where the copy is")
    parser.add_argument("names", nargs="*", help="entries to try, by a part of their name; all by default")
    arguments = parser.parse_args()
    everything = mutations()
    found = list(problems(everything))
    if reasons := unparsable(everything):
        found.append(reasons)
    if found:
        sys.exit("\n".join(found))
    if arguments.check:
        return 0
    chosen = [m for m in everything if not arguments.names or any(name in m.name for name in arguments.names)]
    results = run(arguments.folder.resolve(), chosen, everything)
    if arguments.publish and len(chosen) == len(everything):
        results.publish(chosen)
    survivors = results.survivors(chosen)
    print(f"{len(chosen) - len(survivors)} of {len(chosen)} faults are noticed.")
    for mutation in survivors:
        print(f"Not noticed by {', '.join(mutation.tests)}: {mutation.name} ({mutation.file}).")
    return 1 if survivors else 0


if __name__ == "__main__":
    sys.exit(main())
