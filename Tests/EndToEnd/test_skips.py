"""Nothing is skipped in CI: neither by a mark, nor within a test or fixture, nor a whole file."""

import os
import pathlib
import subprocess
import sys

import pytest

WAYS = {
    "mark": "import pytest\n@pytest.mark.skipif(True, reason='no tool')\ndef test_it(): pass\n",
    "call": "import pytest\ndef test_it(): pytest.skip('no tool')\n",
    "fixture": "import pytest\n@pytest.fixture\ndef tool(): pytest.skip('no tool')\ndef test_it(tool): pass\n",
    "file": "import pytest\npytest.skip('no tool', allow_module_level=True)\n",
}


def run(text, folder, ci):
    (folder / "test_it.py").write_text(text)
    environment = {key: value for key, value in os.environ.items() if key != "CI"}
    environment |= {"PYTHONPATH": str(pathlib.Path(__file__).parent)} | ({"CI": "true"} if ci else {})
    command = [sys.executable, "-m", "pytest", "-q", "-p", "skips", "-p", "no:cacheprovider", "--rootdir", folder, folder]
    return subprocess.run(command, capture_output=True, text=True, timeout=120, env=environment, check=False)


@pytest.mark.parametrize("text", WAYS.values(), ids=WAYS)
def test_a_skip_is_a_failure_in_ci(text, tmp_path):
    result = run(text, tmp_path, ci=True)
    assert result.returncode in (1, 2) and "CI allows no skips" in result.stdout and "no tool" in result.stdout


@pytest.mark.parametrize("text", WAYS.values(), ids=WAYS)
def test_a_skip_is_a_skip_elsewhere(text, tmp_path):
    result = run(text, tmp_path, ci=False)
    assert result.returncode in (0, 5) and "1 skipped" in result.stdout


def test_what_is_expected_to_fail_may_fail_in_ci(tmp_path):
    result = run("import pytest\n@pytest.mark.xfail\ndef test_it(): assert False\n", tmp_path, ci=True)
    assert result.returncode == 0 and "1 xfailed" in result.stdout
