"""What the docstrings of Google's Python packages state, check by check."""

import pytest
from google.api_core.exceptions import GoogleAPICallError

import documented_deliveries
import documented_trips
import documented_vehicles
from documented import Refused, World

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
