"""The chart's values: each one changes what it names, and those that cannot work are refused, each by name."""

import json
import pathlib
import re
import tarfile

import pytest
import yaml
from helm_python.chart import Chart
from helm_python.errors import HelmError

from deployment import ROOT, defaults, run, seconds, seconds_to_end
from test_helm import CHART, objects, rendered, values

SCHEMA = json.loads((CHART / "values.schema.json").read_text())
POD = "Deployment tokend spec.template.spec"
PLACES = {"CONTAINER": f"{POD}.containers.0", "POD": POD, "POLICY": "NetworkPolicy tokend spec"}
TABLE = yaml.safe_load(pathlib.Path(__file__).with_name("chart.yaml").read_text())
EFFECTS, MISSPELT, REFUSED = TABLE["effects"], TABLE["misspelt"], TABLE["refused"]


def leaves(schema, path=()):
    """The values that the schema knows, by their whole names."""
    if "$ref" in schema:
        schema = SCHEMA["definitions"][schema["$ref"].rpartition("/")[2]]
    if not schema.get("properties"):
        yield ".".join(path)
    for name, below in schema.get("properties", {}).items():
        yield from leaves(below, (*path, name))


def test_every_value_of_the_schema_has_a_test_and_a_default():
    # `global` is Helm's own, for charts that have this one inside.
    known = set(leaves(SCHEMA)) - {"global"}
    assert known == set(EFFECTS)
    chosen = yaml.safe_load((CHART / "values.yaml").read_text())
    # Labels and annotations of pods, and the configuration, have none.
    for name in known - {name for name in known if name.startswith(("config.", "podMetadata."))}:
        assert look(chosen, name.split(".")) is not MISSING, name


# Fields of Kubernetes' own objects, which its API server checks.
KUBERNETES = {"resources", "podSpec", "extraVolumes", "networkPolicy.from", "httpRoute.parentRefs", "global"}


def test_the_schema_knows_every_name_at_each_level():
    def without_names(schema, path=()):
        """The objects whose names may be anything."""
        if "$ref" in schema:
            schema = SCHEMA["definitions"][schema["$ref"].rpartition("/")[2]]
        if schema.get("type") == "object" and schema.get("additionalProperties", True) is True:
            yield ".".join(path)
        if "items" in schema:
            yield from without_names(schema["items"], path)
        for name, below in schema.get("properties", {}).items():
            yield from without_names(below, (*path, name))

    assert set(without_names(SCHEMA)) == KUBERNETES


MISSING = object()


def look(item, path):
    """What is at a path; elements of lists by their number or name."""
    for name in path:
        if isinstance(item, list):
            named = [element for element in item if isinstance(element, dict) and element.get("name") == name]
            item = named[0] if named else item[int(name)] if name.isdigit() and int(name) < len(item) else MISSING
        else:
            item = item.get(name, MISSING) if isinstance(item, dict) else MISSING
        if item is MISSING:
            return MISSING
    return item


def at(found, where):
    """What is at a place, such as `Service tokend spec.type` or `POD.volumes`; None without the object."""
    if where.startswith("CONFIG."):
        return look(yaml.safe_load(found["ConfigMap", "tokend"]["data"]["tokend.yaml"]), where.split(".")[1:])
    where = re.sub(r"^[A-Z]+(?=\.)", lambda word: PLACES[word[0]], where)
    kind, name, path = (where + " ").split(" ")[:3]
    item = found.get((kind, name))
    return item if item is None or not path else look(item, path.split("."))


def merged(first, second):
    return first | {
        key: merged(first[key], value) if isinstance(value, dict) and isinstance(first.get(key), dict) else value
        for key, value in second.items()
    }


def everything(chosen):
    text = rendered(chosen)[0]
    return objects(text) | objects(text, hooks=True)


@pytest.mark.parametrize("name", EFFECTS)
def test_each_value_has_its_effect(name):
    row = EFFECTS[name]
    expected = row.get("is", row["set"])
    before = merged(values("key-files"), row.get("with", {}))
    setting = row["set"]
    for part in reversed(name.split(".")):
        setting = {part: setting}
    after = merged(before, setting)
    assert at(everything(after), row["at"]) == expected
    assert row.get("same") or at(everything(before), row["at"]) != expected


def test_the_route_goes_to_the_pods_https():
    found = objects(rendered(values("pods-terminate-tls", httpRoute={"parentRefs": [{"name": "g"}]}))[0])
    (backend,) = found["HTTPRoute", "tokend"]["spec"]["rules"][0]["backendRefs"]
    assert backend["port"] == 443
    assert found["Service", "tokend"]["spec"]["ports"][0]["appProtocol"] == "https"


def test_an_ingress_of_gke_has_the_annotation_and_no_class():
    """GKE's controller takes no action on an Ingress with ingressClassName."""
    found = objects(rendered(values("gke-workload-identity", service={"annotations": {"a": "b"}}))[0])
    ingress = found["Ingress", "tokend"]
    assert ingress["metadata"]["annotations"] == {"kubernetes.io/ingress.class": "gce"}
    assert "ingressClassName" not in ingress["spec"]
    annotations = found["Service", "tokend"]["metadata"]["annotations"]
    assert annotations == {"a": "b", "cloud.google.com/backend-config": '{"default":"tokend"}'}
    assert found["BackendConfig", "tokend"]["spec"]["healthCheck"]["requestPath"] == "/health"
    tls = {"service": {"behindTLSProxy": None, "tls": {"certificate": "/etc/tokend/tls/tls.crt", "key": "/etc/tokend/tls/tls.key"}}}
    found = objects(rendered(merged(values("gke-workload-identity"), {"secrets": {"tls": "tokend-tls"}, "config": tls}))[0])
    protocols = found["Service", "tokend"]["metadata"]["annotations"]["cloud.google.com/app-protocols"]
    (port,) = found["Service", "tokend"]["spec"]["ports"]
    assert json.loads(protocols) == {port["name"]: "HTTPS"}
    assert found["BackendConfig", "tokend"]["spec"]["healthCheck"]["type"] == "HTTPS"
    route = {"parentRefs": [{"name": "g"}], "gke": True}
    policy = objects(rendered(values("key-files", httpRoute=route))[0])["HealthCheckPolicy", "tokend"]
    assert policy["spec"]["targetRef"] == {"group": "", "kind": "Service", "name": "tokend"}


def test_the_metadata_server_is_reachable_where_google_signs():
    def cidrs(example):
        rules = objects(rendered(values(example))[0])["NetworkPolicy", "tokend"]["spec"]["egress"]
        return {peer["ipBlock"]["cidr"] for rule in rules for peer in rule.get("to", [])}

    assert cidrs("gke-workload-identity") == {"169.254.169.254/32", "169.254.169.252/32"}
    assert cidrs("key-files") == set()


def test_everyone_may_connect_to_the_public_port_unless_peers_are_named():
    first, second = objects(rendered(values("pods-terminate-tls"))[0])["NetworkPolicy", "tokend"]["spec"]["ingress"]
    assert first == {"ports": [{"port": "http"}]}
    assert second["ports"] == [{"port": "admin"}] and second["from"]


def test_the_pods_have_time_to_end():
    chosen = merged(values("key-files"), {"config": {"service": {"drain": "30s", "requestTimeout": "2m"}}})
    assert at(everything(chosen), "POD.terminationGracePeriodSeconds") == 10 + seconds_to_end(chosen["config"])


def test_a_change_of_the_configuration_replaces_the_pods():
    def checksum(**more):
        return at(everything(merged(values("key-files"), more)), "Deployment tokend spec.template.metadata.annotations")

    assert checksum() == checksum() != checksum(config={"log": {"level": "debug"}})


@pytest.mark.parametrize("name", MISSPELT)
def test_misspelt_values_are_refused_by_name(name):
    with Chart.load(CHART) as chart, pytest.raises(HelmError, match=MISSPELT[name]["says"]):
        chart.validate_schema(values("key-files", **MISSPELT[name]["set"]))


def faulty(name):
    """The values of a row that cannot work."""
    row = REFUSED[name]
    chosen = merged(values(row.get("example", "key-files")), row.get("set", {}))
    return chosen | {"secrets": row["secrets"]} if "secrets" in row else chosen


@pytest.mark.parametrize("name", REFUSED)
def test_values_that_cannot_work_are_refused(name):
    with pytest.raises(HelmError) as refusal:
        rendered(faulty(name))
    assert "These values cannot work:" in str(refusal.value) and REFUSED[name]["says"] in str(refusal.value)


def test_all_problems_are_listed_at_once():
    together = merged(merged(faulty("a listener"), faulty("min above max")), {"image": ""})
    with pytest.raises(HelmError) as refusal:
        rendered(together)
    assert len(re.findall(r"(?m)^- ", str(refusal.value))) == 3, refusal.value


def test_the_charts_sections_and_defaults_are_those_of_the_reference():
    reference = (ROOT / "docs" / "configuration.md").read_text()
    sections = set(re.findall(r"(?m)^## ([a-z]+)$", reference))
    assert len(sections) > 8 and sections | {"version"} == set(SCHEMA["properties"]["config"]["properties"])
    found = 0
    for template in (CHART / "templates").glob("*.tpl"):
        for section, name, default in re.findall(r'dig "(\w+)" "(\w+)" "(\d+s)"', template.read_text()):
            assert defaults()[f"{section}.{name}"] == seconds(default)
            found += 1
    assert found == 2


def test_the_packaged_chart_names_its_image_and_its_runbook(tmp_path):
    result = run(
        ROOT / "scripts/dist.sh", "chart",
        env={"SOURCE_DATE_EPOCH": "1", "DIST": str(tmp_path), "PATH": "/usr/bin:/bin"},
    )  # fmt: skip
    assert result.returncode == 0, result.stderr
    (path,) = tmp_path.iterdir()
    version = yaml.safe_load((CHART / "Chart.yaml").read_text())["version"]
    (owner,) = re.findall(r"(?m)^\* @([\w-]+)", (ROOT / ".github/CODEOWNERS").read_text())
    assert path.name == f"fleet-token-{version}.tgz"
    with tarfile.open(path) as archive:
        assert all(member.isfile() for member in archive)
        chosen = yaml.safe_load(archive.extractfile("fleet-token/values.yaml"))
    assert chosen["image"] == f"ghcr.io/{owner.lower()}/tokend:{version}"
    everything = values("key-files", monitoring={"enabled": True})
    with Chart.load(path) as chart:
        packaged = chart.render(everything, name="tokend", namespace="tokend")
    with Chart.load(CHART) as chart:
        source = chart.render(everything, name="tokend", namespace="tokend")
    assert "@OWNER@" in str(source) and str(packaged) == str(source).replace("@OWNER@", owner)
