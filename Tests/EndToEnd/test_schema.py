"""The JSON schema for editors: it is that of the reference, takes what the program takes, and refuses what an editor can see."""

import json
import re

import jsonschema
import pytest
import yaml

from deployment import DEPLOY, ROOT, name, run
from test_faults import FAULTS, changed

PATH = DEPLOY / "tokend.schema.json"
VALIDATOR = jsonschema.Draft7Validator(json.loads(PATH.read_text()))
EXAMPLES = [DEPLOY / "tokend.example.yaml", *sorted(DEPLOY.rglob("tokend.yaml")), *sorted(DEPLOY.glob("helm/examples/*.yaml"))]
# What the program says of names, types and numbers. Files, and what fits together, it alone knows.
VISIBLE = re.compile(
    r"is an unknown setting|is not a kind of token|is not a valid name|must be (true or false|an integer|a mapping|one of|1\.)"
)


def problems(found):
    return [f"{error.json_path}: {error.message}" for error in VALIDATOR.iter_errors(found)]


def test_schema_is_that_of_the_reference():
    VALIDATOR.check_schema(VALIDATOR.schema)
    made = run("python3", ROOT / "scripts/schema.py")
    assert made.returncode == 0 and made.stdout == PATH.read_text(), "Run: scripts/schema.py > deploy/tokend.schema.json"


@pytest.mark.parametrize("path", EXAMPLES, ids=name)
def test_schema_takes_each_example(path):
    found = yaml.safe_load(path.read_text())
    # A chart's values have it as a map, without the version.
    assert problems({"version": 1} | found.get("config", found)) == []


# A fault that writes a file of its own is not an edit of the common configuration.
EDITED = [fault for fault in FAULTS if "\n$ printf -- " not in fault]


@pytest.mark.parametrize("fault", EDITED, ids=lambda fault: fault.partition("\n")[0].removeprefix("# "))
def test_schema_refuses_what_an_editor_can_see_and_nothing_that_the_program_takes(fault):
    lines = fault.rstrip("\n").splitlines()[1:]
    try:
        found = problems(yaml.safe_load(changed([line for line in lines if line[0] in "+- "])))
    except yaml.YAMLError:
        return
    said = "\n".join(line for line in lines if line[0] not in "+- $")
    is_refused = re.search(r"(?m)^\d+ problems?\.$", said)
    assert is_refused or not found
    assert found or not VISIBLE.search(said)
