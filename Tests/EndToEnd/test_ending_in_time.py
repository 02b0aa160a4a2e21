"""Whatever ends the service waits for longer than it takes: one rule, that of docs/life-cycle.md, for all that we ship."""

import re

import pytest
import yaml

from deployment import DEPLOY, ROOT, defaults, documents, seconds_to_end
from test_helm import EXAMPLES, configuration_of, deployment, objects, rendered, values

# Cloud Run gives each instance this time, whatever the service's description says.
CLOUD_RUN = 10


def kubernetes(example):
    found = objects(rendered(values(example))[0])
    return yaml.safe_load(configuration_of(found)), deployment(found)["spec"]["terminationGracePeriodSeconds"]


def compose():
    (file,) = documents(DEPLOY / "compose" / "compose.yaml")
    (configuration,) = documents(DEPLOY / "compose" / "tokend.yaml")
    return configuration, int(file["services"]["tokend"]["stop_grace_period"].removesuffix("s"))


def systemd():
    guide = (ROOT / "docs" / "guides" / "vm.md").read_text()
    (configuration,) = re.findall(r"^```yaml\n(version: 1\n.*?)^```$", guide, re.MULTILINE | re.DOTALL)
    unit = (DEPLOY / "systemd" / "tokend.service").read_text()
    (seconds,) = re.findall(r"^TimeoutStopSec=(\d+)$", unit, re.MULTILINE)
    return yaml.safe_load(configuration), int(seconds)


def cloud_run():
    (configuration,) = documents(DEPLOY / "cloud-run" / "tokend.yaml")
    return configuration, CLOUD_RUN


PLACES = {
    **{example: (lambda example=example: kubernetes(example)) for example in EXAMPLES}, "compose": compose, "systemd": systemd,
    "cloud-run": cloud_run,
}


@pytest.mark.parametrize("place", PLACES.values(), ids=PLACES)
def test_the_service_ends_before_it_is_killed(place):
    configuration, seconds = place()
    assert seconds > seconds_to_end(configuration)


def test_cloud_run_waits_for_a_request_as_long_as_the_service():
    (service,) = documents(DEPLOY / "cloud-run" / "service.yaml")
    limits = cloud_run()[0]["limits"]
    assert service["spec"]["template"]["spec"]["timeoutSeconds"] > limits["receiveSeconds"] + limits["handleSeconds"]


def test_the_rule_is_the_one_that_is_written():
    text = (ROOT / "docs" / "life-cycle.md").read_text()
    assert "`drainSeconds` + `receiveSeconds` + `handleSeconds`" in text
    assert f"{seconds_to_end({})} seconds\nwith the defaults" in text
    assert defaults()["service.drainSeconds"] == 5
