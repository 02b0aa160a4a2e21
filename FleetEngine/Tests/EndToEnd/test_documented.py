"""What the docstrings of Google's Python packages state, check by check, on both transports.

Each check belongs to a line of the parity table; a line without a check, and a check without a line, is an error.
"""

import pathlib
import re
import sys

import pytest
from google.api_core.exceptions import GoogleAPICallError

import documented_deliveries
import documented_trips
import documented_vehicles
from documented import Refused, World

sys.path.append(str(pathlib.Path(__file__).parents[1]))
import parity  # noqa: E402

CHECKS = [*documented_trips.CHECKS, *documented_vehicles.CHECKS, *documented_deliveries.CHECKS]


@pytest.fixture
def world(emulator, server, delivery_server, api, tokend):
    return World(emulator, server, delivery_server, api, tokend)


def field(error):
    """The field that an error names in its details, on either transport."""
    for detail in error.details:
        violations = (
            detail.get("fieldViolations") if isinstance(detail, dict) else getattr(detail, "field_violations", None)
        )
        for violation in violations or []:
            return violation["field"] if isinstance(violation, dict) else violation.field
    return ""


@pytest.mark.parametrize("check", CHECKS, ids=str)
def test_documented(check, world):
    if isinstance(check.expected, Refused):
        with pytest.raises(GoogleAPICallError) as refusal:
            check.call(world)
        assert Refused(world.emulator.last_rule, field(refusal.value)) == check.expected
    else:
        assert check.call(world) == check.expected


def test_each_check_belongs_to_a_line_of_the_table():
    assert {check.row for check in CHECKS} <= {row["name"] for rows in parity.SECTIONS.values() for row in rows}


@pytest.mark.parametrize("section", parity.SECTIONS)
def test_each_line_of_the_table_has_its_test(section):
    checked = {check.row for check in CHECKS} | {
        check.expected.rule for check in CHECKS if isinstance(check.expected, Refused)
    }
    for row in parity.SECTIONS[section]:
        assert row["basis"] in ("documented", "recorded", "inferred", "not done")
        assert row["source"] or row["basis"] == "inferred", row
        file, _, name = re.split("(::|: )", row["test"] if ":" in row["test"] else f"{row['test']}: {row['name']}")
        if file == "test_documented.py":
            assert name in checked, row
        else:
            assert f"def {name}(" in (pathlib.Path(__file__).parent / file).read_text(), row


@pytest.mark.parametrize(
    "section, source, pattern",
    [
        ("Methods", "Engine/Method.swift", r'case \w+ = "(\w+)"'),
        ("Rules that refuse", "Errors/Rule.swift", r"^    case (\w+(?:, \w+)*)$"),
    ],
)
def test_the_table_has_each_method_and_rule(section, source, pattern):
    text = (parity.HERE / "Sources" / "FleetEngineEmulator" / source).read_text()
    names = ", ".join(re.findall(pattern, text, re.MULTILINE)).split(", ")
    if section != "Methods":
        names = [re.sub("([A-Z])", r"_\1", name).upper() for name in names]
    assert names == [row["name"] for row in parity.SECTIONS[section]]


def test_the_document_is_current():
    assert parity.DOCUMENT.read_text() == parity.markdown(), "run FleetEngineEmulator/parity.py"
