"""The programs in Examples, run as their documentation says; `make examples` builds them and runs this."""

import pathlib
import subprocess

EXAMPLES = pathlib.Path(__file__).parents[2] / ".build/examples/debug"


def test_simulator_drives_five_vehicles_with_one_fetch_each(start):
    service = start()
    result = subprocess.run(
        [EXAMPLES / "FleetSimulator", service.url, "2"], capture_output=True, text=True, timeout=60
    )
    assert (result.returncode, result.stderr) == (0, "")
    *reports, statistics = result.stdout.splitlines()
    for number in range(1, 6):
        assert sum(line.startswith(f"vehicle-{number}: reports with a token that lives until") for line in reports) == 2
    assert len(reports) == 10
    assert statistics == "5 calls were answered from the cache, 5 fetches, 0 of them failed"


def test_simulator_goes_on_while_the_service_is_away(start):
    service = start()
    service.stop()
    result = subprocess.run(
        [EXAMPLES / "FleetSimulator", service.url, "1"], capture_output=True, text=True, timeout=60
    )
    assert (result.returncode, result.stderr) == (0, "")
    assert result.stdout.count("; goes on") == 5 and "eyJ" not in result.stdout
