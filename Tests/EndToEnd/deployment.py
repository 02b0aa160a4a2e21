"""Where the files are that operators copy, and how they are read."""

import pathlib
import subprocess

import yaml

ROOT = pathlib.Path(__file__).parents[2]
DEPLOY = ROOT / "deploy"


def run(*command, **options):
    return subprocess.run(list(map(str, command)), capture_output=True, text=True, timeout=120, **options)


def name(path):
    """A test's name for a file."""
    return str(path.relative_to(ROOT))


def documents(path):
    return [document for document in yaml.safe_load_all(path.read_text()) if document]
