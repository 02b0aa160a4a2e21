"""The table of kinds in Tests/TokenCases: requests for tokens, and the claims that they must lead to."""

import json
import pathlib

CASES = json.loads((pathlib.Path(__file__).parents[1] / "TokenCases/kinds.json").read_text())["cases"]
NAMES = list(dict.fromkeys(case["kind"] for case in CASES))
PRIVILEGED = {case["kind"] for case in CASES if case["privileged"]}
# The names of the roles without `roles/fleetengine.`.
ROLES = {case["kind"]: case["role"].removeprefix("roles/fleetengine.") for case in CASES}


def options(case):
    tasks = case["request"].get("taskIds", [])
    fields = dict(case["request"])
    if len(fields) > 1:
        tasks = [fields.pop("taskId")]
    words = ["--id", *fields.values()] if fields and not case["privileged"] else []
    return words + [word for task in tasks for word in ("--task-id", task)]
