"""The table of kinds in Tests/TokenCases: requests for tokens, and the claims that they must lead to."""

import json
import pathlib

CASES = json.loads((pathlib.Path(__file__).parents[1] / "TokenCases/kinds.json").read_text())["cases"]
NAMES = list(dict.fromkeys(case["kind"] for case in CASES))
PRIVILEGED = {case["kind"] for case in CASES if case["privileged"]}
# The names of the roles without `roles/fleetengine.`.
ROLES = {case["kind"]: case["role"].removeprefix("roles/fleetengine.") for case in CASES}
