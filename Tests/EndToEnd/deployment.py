"""Where the files are that operators copy, and how they are read."""

import pathlib
import re
import subprocess

import yaml

ROOT = pathlib.Path(__file__).parents[2]
DEPLOY = ROOT / "deploy"


def run(*command, **options):
    return subprocess.run(list(map(str, command)), capture_output=True, text=True, timeout=120, **options)


def name(path):
    return str(path.relative_to(ROOT))


def seconds(duration):
    return int(duration[:-1]) * {"s": 1, "m": 60, "h": 3600}[duration[-1]]


def defaults():
    """The default of each duration in the configuration reference, in seconds."""
    text = (ROOT / "docs" / "configuration.md").read_text()
    found = re.findall(r"^\| `(\S+)` \| duration.*? \| `(\w+)` \|", text, re.MULTILINE)
    return {path: seconds(value) for path, value in found}


def seconds_to_end(configuration):
    """The longest that the service takes from SIGTERM to its end, as docs/operate.md has it."""
    service = configuration.get("service", {})
    drain, request = (
        seconds(service[name]) if name in service else defaults()[f"service.{name}"] for name in ("drain", "requestTimeout")
    )
    # A request arrives and is answered, each within the time of a request.
    return drain + 2 * request


def documents(path):
    return [document for document in yaml.safe_load_all(path.read_text()) if document]
