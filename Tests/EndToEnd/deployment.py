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


def defaults():
    """The default of each setting that is a number, from the configuration reference."""
    text = (ROOT / "docs" / "configuration.md").read_text()
    return {path: int(value) for path, value in re.findall(r"^\| `(\S+)` \| integer.*? \| `(\d+)` \|", text, re.MULTILINE)}


def seconds_to_end(configuration):
    """The longest that the service takes from SIGTERM to its end, as docs/operate.md has it."""
    settings = ("service.drainSeconds", "limits.receiveSeconds", "limits.handleSeconds")
    sections = [(*path.split("."), default) for path, default in defaults().items() if path in settings]
    assert len(sections) == len(settings)
    return sum(configuration.get(section, {}).get(name, default) for section, name, default in sections)


def documents(path):
    return [document for document in yaml.safe_load_all(path.read_text()) if document]
