"""The chart's values: each one changes what it names, and those that cannot work are refused, each by name."""

import io
import json
import pathlib
import re
import tarfile

import pytest
import yaml
from helm_python.chart import Chart
from helm_python.errors import HelmError

from deployment import ROOT, defaults, run
from test_helm import CHART, objects, rendered, values

SCHEMA = json.loads((CHART / "values.schema.json").read_text())
POD = "Deployment tokend spec.template.spec"
PLACES = {"CONTAINER": f"{POD}.containers.0", "POD": POD, "POLICY": "NetworkPolicy tokend spec"}


def configuration(*changes):
    """The configuration of the key files with parts of its text replaced."""
    text = values("key-files")["configuration"]
    for old, new in changes:
        assert old in text, old
        text = text.replace(old, new)
    return text


# What the table of values is written with.
OTHER = configuration(("drainSeconds: 10", "drainSeconds: 11"))
TLS = configuration(
    ("  # The ingress controller terminates TLS.\n  behindTLSProxy: true", "  tls: {certificate: /etc/tokend/tls/tls.crt, key: /etc/tokend/tls/tls.key}")
)
REDIS = values("redis")["configuration"]
WORDS = {
    "OTHER": OTHER, "TLS": TLS, "REDIS": {"redis": {"enabled": True}, "configuration": REDIS},
    "REDIS AT 6380": {"redis": {"enabled": True}, "configuration": REDIS.replace("redis:6379", "redis:6380")},
}  # fmt: skip


def with_words(item):
    if isinstance(item, dict):
        return {key: with_words(value) for key, value in item.items()}
    return WORDS.get(item, item) if isinstance(item, str) else item


TABLE = with_words(yaml.safe_load(pathlib.Path(__file__).with_name("chart.yaml").read_text()))
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
    # Of resources, only those that the service needs.
    for name in known - {"resources.limits.cpu", "resources.limits.ephemeral-storage", "resources.requests.ephemeral-storage"}:
        assert look(chosen, name.split(".")) is not MISSING, name


# Fields of Kubernetes' own objects, which its API server checks.
KUBERNETES = {
    "imagePullSecrets", "audit.volume", "autoscaling.behavior", "networkPolicy.extraIngress",
    "networkPolicy.extraEgress", "tolerations", "affinity", "extraEnv", "extraContainers", "extraVolumes", "extraVolumeMounts",
    "httpRoute.parentRefs", "global",
}  # fmt: skip


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
    where = re.sub(r"^[A-Z]+(?=\.)", lambda word: PLACES[word[0]], where)
    kind, name, path = (where + " ").split(" ")[:3]
    (item,) = [
        item for (other, title), item in found.items() if other == kind and re.sub(r"-[0-9a-f]{10}$", "-HASH", title) == name
    ] or [None]
    if item is None or not path:
        return item
    return look(item, [part.replace("\\.", ".") for part in re.split(r"(?<!\\)\.", path)])


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
    # Without a value that the configuration needs, the chart refuses the others.
    if after != before and name not in ("tls.existingSecret", "redis.port"):
        assert at(everything(before), row["at"]) != expected


def test_the_route_goes_to_the_pods_https():
    found = objects(rendered(values("key-files", configuration=TLS, tls={"existingSecret": "cert"}, httpRoute={"enabled": True}))[0])
    (backend,) = found["HTTPRoute", "tokend"]["spec"]["rules"][0]["backendRefs"]
    assert backend["port"] == 443


def test_google_is_told_which_health_check_belongs_to_the_service():
    found = objects(rendered(values("key-files", gke={"ingress": True}, service={"annotations": {"a": "b"}}))[0])
    annotations = found["Service", "tokend"]["metadata"]["annotations"]
    assert annotations == {"a": "b", "cloud.google.com/backend-config": '{"default":"tokend"}'}
    policy = objects(rendered(values("key-files", gke={"gateway": True}))[0])["HealthCheckPolicy", "tokend"]
    assert policy["spec"]["targetRef"] == {"group": "", "kind": "Service", "name": "tokend"}


@pytest.mark.parametrize("name", MISSPELT)
def test_misspelt_values_are_refused_by_name(name):
    with Chart.load(CHART) as chart, pytest.raises(HelmError, match=MISSPELT[name]["says"]):
        chart.validate_schema(values("key-files", **MISSPELT[name]["set"]))


def faulty(name):
    """The values of a row that cannot work."""
    row = REFUSED[name]
    chosen = merged(values("key-files"), row.get("set", {}))
    if "example" in row:
        chosen["configuration"] = values(row["example"])["configuration"]
    if "replace" in row:
        assert row["replace"][0] in chosen["configuration"]
        chosen["configuration"] = chosen["configuration"].replace(*row["replace"])
    chosen["configuration"] += row.get("append", "")
    return chosen


@pytest.mark.parametrize("name", REFUSED)
def test_values_that_cannot_work_are_refused(name):
    with pytest.raises(HelmError) as refusal:
        rendered(faulty(name))
    assert "These values cannot work:" in str(refusal.value) and REFUSED[name]["says"] in str(refusal.value)


def test_all_problems_are_listed_at_once():
    together = values("key-files", configuration=TLS.replace("0.0.0.0:8080", "127.0.0.1:8080"))
    for name in ("min above max", "no disruption"):
        together = merged(together, REFUSED[name]["set"])
    with pytest.raises(HelmError) as refusal:
        rendered(together)
    assert len(re.findall(r"(?m)^- ", str(refusal.value))) == 6, refusal.value


def test_the_charts_sections_and_defaults_are_those_of_the_reference():
    reference = (ROOT / "docs" / "configuration.md").read_text()
    sections = set(re.findall(r"(?m)^## ([a-z]+)$", reference))
    template = (CHART / "templates" / "_problems.tpl").read_text()
    (listed,) = re.findall(r"has \$section \(list (.*?)\)", template)
    assert len(sections) > 8 and sections <= set(re.findall(r'"(\w+)"', listed))
    for section, name, default in re.findall(r'dig "(\w+)" "(\w+Seconds)" (\d+)', template):
        assert defaults()[f"{section}.{name}"] == int(default)


def test_a_configuration_from_windows_is_the_same():
    unix = objects(rendered(values("key-files"))[0])
    windows = values("key-files")
    windows["configuration"] = windows["configuration"].replace("\n", "\r\n")
    assert objects(rendered(windows)[0]) == unix


def upgrade(cluster, former, text):
    """What Helm does: it applies the new objects, then deletes those that the new revision does not name."""
    new = objects(text)
    for name in former.keys() - new.keys():
        if former[name]["metadata"].get("annotations", {}).get("helm.sh/resource-policy") != "keep":
            del cluster[name]
    cluster |= new
    return new


def test_pods_of_the_former_revision_find_their_configuration():
    cluster = {}
    first = upgrade(cluster, {}, rendered(values("key-files"))[0])
    second = upgrade(cluster, first, rendered(values("key-files", configuration=OTHER, serviceAccount={"create": False}))[0])
    mounted = [at(revision, "POD.volumes.config.configMap.name") for revision in (first, second)]
    assert mounted[0] != mounted[1]
    # An evicted pod of the first, and the pods of `rollout undo`.
    assert all(("ConfigMap", name) in cluster for name in mounted)
    assert cluster["ConfigMap", mounted[0]]["data"] != cluster["ConfigMap", mounted[1]]["data"]
    # What is not kept is deleted.
    assert ("ServiceAccount", "tokend") not in cluster


def test_the_packaged_chart_is_the_same(tmp_path):
    result = run(
        ROOT / "scripts/release/dist.sh", "--only-chart",
        env={"SOURCE_DATE_EPOCH": "1", "DIST": str(tmp_path), "PATH": "/usr/bin:/bin"},
    )  # fmt: skip
    assert result.returncode == 0, result.stderr
    (path,) = tmp_path.iterdir()
    assert path.name == f"fleet-token-{yaml.safe_load((CHART / 'Chart.yaml').read_text())['version']}.tgz"
    everything = values("key-files", prometheusRule={"enabled": True}, dashboard={"enabled": True})
    with Chart.load(path) as chart:
        packaged = chart.render(everything, name="tokend", namespace="tokend")
    with Chart.load(CHART) as chart:
        assert packaged == chart.render(everything, name="tokend", namespace="tokend")
    with tarfile.open(fileobj=io.BytesIO(path.read_bytes())) as archive:
        assert all(member.isfile() for member in archive)
