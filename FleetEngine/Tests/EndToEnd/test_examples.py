"""The examples of `Examples/EmulatorInCI` build the emulator as the guide does, and use what they build."""

import re

import yaml

from conftest import ROOT

COMPANION = ROOT / "FleetEngine"
EXAMPLES = COMPANION / "Examples/EmulatorInCI"


def test_workflow_builds_the_image_of_the_guide_and_runs_the_example():
    guide = (COMPANION / "docs/emulator.md").read_text()
    file, image = re.search(r"^docker build -f (\S+) -t (\S+) \.$", guide, re.MULTILINE).groups()
    steps = yaml.safe_load((EXAMPLES / "github-actions.yml").read_text())["jobs"]["test"]["steps"]
    folder = next(step["with"]["path"] for step in steps if "path" in step.get("with", {}))
    build = next(step["with"] for step in steps if step.get("uses", "").startswith("docker/build-push-action@"))
    assert (build["context"], build["file"], build["tags"]) == (folder, f"{folder}/{file}", image)
    assert (ROOT / file).exists()
    example = EXAMPLES / steps[-1]["run"].removeprefix("pytest tests/")
    assert f'IMAGE = "{image}"' in example.read_text()
