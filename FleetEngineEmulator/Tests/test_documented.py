"""What the docstrings of Google's Python packages state, check by check, on both transports.

Each check belongs to a line of the parity table; a line without a check, and a check without a line, is an error.
"""

import pytest
from google.api_core.exceptions import GoogleAPICallError

import documented_deliveries
import documented_trips
import documented_vehicles
from documented import Refused, World

CHECKS = [*documented_trips.CHECKS, *documented_vehicles.CHECKS, *documented_deliveries.CHECKS]
SECTIONS = [
    "Trips",
    "Vehicles",
    "SearchVehicles",
    "Delivery vehicles",
    "Tasks",
    "Chosen where the documentation is open",
]


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


def test_each_line_of_the_table_has_a_check(emulator):
    parity = emulator.control("GET", "parity")
    lines = [line["name"] for section in SECTIONS for line in parity[section]]
    assert len(set(lines)) == len(lines)
    assert {check.row for check in CHECKS} == set(lines)


def test_checks_have_names_of_their_own():
    names = [str(check) for check in CHECKS]
    assert len(set(names)) == len(names), sorted({name for name in names if names.count(name) > 1})
    assert len(CHECKS) > 700


def test_what_is_not_done_has_its_reason(emulator):
    lines = emulator.control("GET", "parity")["Not done"]
    assert lines and all(line["basis"] == "not done" and line["summary"] for line in lines)
