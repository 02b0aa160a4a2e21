"""Each published attack has a test that names it, so that readers of SECURITY.md find it."""

import pathlib
import re

import pytest

TESTS = pathlib.Path(__file__).resolve().parent.parent
IDS = [f"J{n}" for n in range(1, 16)] + [f"A{n}" for n in range(1, 7)] + ["H1"] + [f"S{n}" for n in range(1, 17)]
# A Swift function, a display name, a Python function.
MARKS = re.compile(r'@pytest\.mark\.threat\(([^)]*)\)')
NAMES = re.compile(r'func ([a-z]\w+)\(|@Test\(\s*"([^"]+)"|def test_(\w+)\(')


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
        for groups in NAMES.findall(source):
            name = next(filter(None, groups))
            if match := re.match(r"([jash])(\d{1,2})(?=[A-Z_])", name, re.IGNORECASE):
                tested.add(match[1].upper() + match[2])
            # "A1-A6: …" and "S7: …"
            if match := re.match(r"([JASH])(\d+)(?:-\1(\d+))?:", name):
                tested |= {match[1] + str(number) for number in range(int(match[2]), int(match[3] or match[2]) + 1)}
    return tested


@pytest.mark.parametrize("identifier", IDS)
def test_each_attack_has_a_test_of_its_name(tested, identifier):
    assert identifier in tested
