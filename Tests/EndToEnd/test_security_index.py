"""Each published attack has a test that names it, so that readers of SECURITY.md find it."""

import pathlib
import re

import pytest

TESTS = pathlib.Path(__file__).resolve().parent.parent
IDS = [f"J{n}" for n in range(1, 16)] + [f"A{n}" for n in range(1, 7)] + ["H1"] + [f"S{n}" for n in range(1, 17)]
# A test's tags in Swift, its marks or its name in Python.
TAGS = re.compile(r"\.tags\(([^)]*)\)")
MARKS = re.compile(r"@pytest\.mark\.threat\(([^)]*)\)")
NAMES = re.compile(r"def test_([jash]\d{1,2})_", re.IGNORECASE)


def sources():
    for path in [*TESTS.rglob("*.swift"), *TESTS.rglob("*.py")]:
        if ".build" not in path.parts:
            yield path.read_text()


@pytest.fixture(scope="module")
def tested():
    tested = set()
    for source in sources():
        for marks in MARKS.findall(source):
            tested |= set(re.findall(r'"(\w+)"', marks))
        for tags in TAGS.findall(source):
            tested |= {tag.upper() for tag in re.findall(r"\.(\w+)", tags)}
        tested |= {name.upper() for name in NAMES.findall(source)}
    return tested


@pytest.mark.parametrize("identifier", IDS)
def test_each_attack_has_a_test_of_its_name(tested, identifier):
    assert identifier in tested
