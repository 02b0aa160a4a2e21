"""docs/openapi.yaml against the running service: whatever one does that the other doesn't say is a failure."""

import pathlib

import hypothesis
import pytest
import schemathesis
import yaml
from openapi_spec_validator import validate

DESCRIPTION = pathlib.Path(__file__).parents[2] / "docs" / "openapi.yaml"
