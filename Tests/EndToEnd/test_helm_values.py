"""The chart's values: each one changes what it names, and those that cannot work are refused, each by name."""

import io
import json
import re
import tarfile

import pytest
import yaml
from helm_python.chart import Chart
from helm_python.errors import HelmError

from deployment import ROOT, defaults, run
from test_helm import CHART, objects, rendered, values

SCHEMA = json.loads((CHART / "values.schema.json").read_text())
DIGEST = "sha256:" + "ab" * 32
CONTAINER = "Deployment tokend spec.template.spec.containers.0"
POD = "Deployment tokend spec.template.spec"
POLICY = "NetworkPolicy tokend spec"


def configuration(*changes):
    """The configuration of the key files with parts of its text replaced."""
    text = values("key-files")["configuration"]
    for old, new in changes:
        assert old in text, old
        text = text.replace(old, new)
    return text


HEALTH = configuration(("service:", "service:\n  healthPath: /health"))
TLS = configuration(
    ("  # The ingress controller terminates TLS.\n  behindTLSProxy: true", "  tls: {certificate: /etc/tokend/tls/tls.crt, key: /etc/tokend/tls/tls.key}")
)
REDIS = {"redis": {"enabled": True}, "configuration": values("redis")["configuration"]}
CLAIM = {"ephemeral": {"volumeClaimTemplate": {"spec": {"accessModes": ["ReadWriteOnce"]}}}}

# For each value of the schema: what it is set to, and where that is found, if it is not the same, what is found there; and what else
# has to be set. `None` is an object that is missing.
EFFECTS = {
    "fullnameOverride": ("other", "Deployment other metadata.name"),
    "image.repository": ("r.example/t", f"{CONTAINER}.image", "r.example/t:0.1.0"),
    "image.tag": ("9.9", f"{CONTAINER}.image", "r/tokend:9.9", {"image": {"repository": "r/tokend"}}),
    "image.digest": (DIGEST, f"{CONTAINER}.image", f"r/tokend:0.1.0@{DIGEST}", {"image": {"repository": "r/tokend"}}),
    "image.pullPolicy": ("Never", f"{CONTAINER}.imagePullPolicy"),
    "imagePullSecrets": ([{"name": "registry"}], f"{POD}.imagePullSecrets"),
    "configuration": (HEALTH, "ConfigMap tokend-HASH data.tokend\\.yaml"),
    "callers.existingSecret": ("mine", f"{POD}.volumes.callers.secret.secretName"),
    "keys.existingSecret": ("mine", f"{POD}.volumes.keys.secret.secretName"),
    "workloadIdentity.enabled": (True, f"{POLICY}.egress.2.to.0.ipBlock.cidr", "169.254.169.254/32"),
    "workloadIdentity.googleServiceAccount": (
        "a@b.example", "ServiceAccount tokend metadata.annotations.iam\\.gke\\.io/gcp-service-account", "a@b.example",
        {"workloadIdentity": {"enabled": True}},
    ),
    "pkcs11.existingSecret": ("hsm", f"{POD}.volumes.pkcs11.secret.secretName"),
    "pkcs11.moduleVolume": ({"image": {"reference": "r/m:1"}}, f"{POD}.volumes.pkcs11-module.image", {"reference": "r/m:1"}),
    "tls.existingSecret": ("cert", f"{POD}.volumes.tls.secret.secretName", "cert", {"configuration": TLS}),
    "audit.volume": (CLAIM, f"{POD}.volumes.audit.ephemeral", CLAIM["ephemeral"]),
    "redis.enabled": (True, f"{POD}.volumes.redis.secret.secretName", "tokend-redis", REDIS),
    "redis.existingSecret": ("secret", f"{POD}.volumes.redis.secret.secretName", "secret", REDIS),
    "redis.podLabels": ({"app": "cache"}, f"{POLICY}.egress.2.to.0.podSelector.matchLabels.app", "cache", REDIS),
    "redis.port": (6380, f"{POLICY}.egress.2.ports.0.port", 6380, REDIS),
    "service.type": ("LoadBalancer", "Service tokend spec.type"),
    "service.annotations": ({"a": "b"}, "Service tokend metadata.annotations"),
    "service.port": (8888, "Service tokend spec.ports.0.port"),
    "serviceAccount.create": (False, "ServiceAccount tokend", None),
    "serviceAccount.name": ("robot", f"{POD}.serviceAccountName"),
    "serviceAccount.annotations": ({"a": "b"}, "ServiceAccount tokend metadata.annotations"),
    "resources": ({"requests": {"cpu": "1"}}, f"{CONTAINER}.resources.requests.cpu", "1"),
    "terminationGracePeriodSeconds": (77, f"{POD}.terminationGracePeriodSeconds"),
    "autoscaling.enabled": (False, "HorizontalPodAutoscaler tokend", None),
    "autoscaling.minReplicas": (3, "HorizontalPodAutoscaler tokend spec.minReplicas"),
    "autoscaling.maxReplicas": (33, "HorizontalPodAutoscaler tokend spec.maxReplicas"),
    "autoscaling.cpuUtilization": (55, "HorizontalPodAutoscaler tokend spec.metrics.0.resource.target.averageUtilization"),
    "autoscaling.behavior": (
        {"scaleDown": {"selectPolicy": "Disabled"}}, "HorizontalPodAutoscaler tokend spec.behavior.scaleDown.selectPolicy", "Disabled",
    ),
    "replicas": (5, "Deployment tokend spec.replicas", 5, {"autoscaling": {"enabled": False}}),
    "podDisruptionBudget.enabled": (False, "PodDisruptionBudget tokend", None),
    "podDisruptionBudget.maxUnavailable": ("25%", "PodDisruptionBudget tokend spec.maxUnavailable"),
    "networkPolicy.enabled": (False, "NetworkPolicy tokend", None),
    "networkPolicy.ingressNamespace": (
        "edge", f"{POLICY}.ingress.0.from.0.namespaceSelector.matchLabels", {"kubernetes.io/metadata.name": "edge"},
    ),
    "networkPolicy.monitoringNamespace": (
        "prom", f"{POLICY}.ingress.1.from.0.namespaceSelector.matchLabels", {"kubernetes.io/metadata.name": "prom"},
    ),
    "networkPolicy.extraIngress": ([{"ports": [{"port": 1}]}], f"{POLICY}.ingress.2.ports.0.port", 1),
    "networkPolicy.extraEgress": ([{"ports": [{"port": 2}]}], f"{POLICY}.egress.2.ports.0.port", 2),
    "podAnnotations": ({"a": "b"}, "Deployment tokend spec.template.metadata.annotations"),
    "podLabels": ({"team": "fleet"}, "Deployment tokend spec.template.metadata.labels.team", "fleet"),
    "nodeSelector": ({"disk": "fast"}, f"{POD}.nodeSelector"),
    "tolerations": ([{"key": "a", "operator": "Exists"}], f"{POD}.tolerations"),
    "affinity": ({"podAntiAffinity": {}}, f"{POD}.affinity"),
    "priorityClassName": ("high", f"{POD}.priorityClassName"),
    "extraEnv": ([{"name": "SOFTHSM2_CONF", "value": "/x"}], f"{CONTAINER}.env"),
    "extraContainers": ([{"name": "shipper", "image": "r/s:1"}], f"{POD}.containers.1.name", "shipper"),
    "extraVolumes": ([{"name": "ca", "secret": {"secretName": "ca"}}], f"{POD}.volumes.ca.secret.secretName", "ca"),
    "extraVolumeMounts": ([{"name": "keys", "mountPath": "/x"}], f"{CONTAINER}.volumeMounts.3.mountPath", "/x"),
    "ingress.enabled": (True, "Ingress tokend metadata.name", "tokend"),
    "ingress.className": ("gce", "Ingress tokend spec.ingressClassName", "gce", {"ingress": {"enabled": True}}),
    "ingress.annotations": ({"a": "b"}, "Ingress tokend metadata.annotations", {"a": "b"}, {"ingress": {"enabled": True}}),
    "ingress.host": ("h.example", "Ingress tokend spec.rules.0.host", "h.example", {"ingress": {"enabled": True}}),
    "ingress.tlsSecret": ("t", "Ingress tokend spec.tls.0.secretName", "t", {"ingress": {"enabled": True}}),
    "httpRoute.enabled": (True, "HTTPRoute tokend metadata.name", "tokend"),
    "httpRoute.parentRefs": ([{"name": "g"}], "HTTPRoute tokend spec.parentRefs", [{"name": "g"}], {"httpRoute": {"enabled": True}}),
    "httpRoute.hostnames": (["h.example"], "HTTPRoute tokend spec.hostnames", ["h.example"], {"httpRoute": {"enabled": True}}),
    "gke.gateway": (
        True, "HealthCheckPolicy tokend spec.default.config.httpHealthCheck", {"port": 8080, "requestPath": "/health"},
        {"configuration": HEALTH},
    ),
    "gke.ingress": (True, "BackendConfig tokend spec.healthCheck.requestPath", "/health", {"configuration": HEALTH}),
    "serviceMonitor.enabled": (True, "ServiceMonitor tokend spec.endpoints.0.port", "admin"),
    "serviceMonitor.labels": ({"r": "p"}, "ServiceMonitor tokend metadata.labels.r", "p", {"serviceMonitor": {"enabled": True}}),
    "serviceMonitor.interval": ("9s", "ServiceMonitor tokend spec.endpoints.0.interval", "9s", {"serviceMonitor": {"enabled": True}}),
    "prometheusRule.enabled": (True, "PrometheusRule tokend metadata.name", "tokend"),
    "prometheusRule.labels": ({"r": "p"}, "PrometheusRule tokend metadata.labels.r", "p", {"prometheusRule": {"enabled": True}}),
    "dashboard.enabled": (True, "ConfigMap tokend-dashboard metadata.name", "tokend-dashboard"),
    "dashboard.labels": ({"r": "p"}, "ConfigMap tokend-dashboard metadata.labels.r", "p", {"dashboard": {"enabled": True}}),
}  # fmt: skip


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
    for name in known:
        assert look(chosen, name.split(".")) is not MISSING, name


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
    """What is at a place, such as `Service tokend spec.type`; None without the object."""
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


@pytest.mark.parametrize("name", EFFECTS)
def test_each_value_has_its_effect(name):
    value, where, *rest = EFFECTS[name]
    expected = rest[0] if rest else value
    before = merged(values("key-files"), rest[1] if len(rest) > 1 else {})
    setting = value
    for part in reversed(name.split(".")):
        setting = {part: setting}
    after = merged(before, setting)
    assert at(objects(rendered(after)[0]), where) == expected
    # Without a value that the configuration needs, the chart refuses the others.
    if after != before and name != "tls.existingSecret":
        assert at(objects(rendered(before)[0]), where) != expected


def test_the_route_goes_to_the_pods_https():
    found = objects(rendered(values("mtls", httpRoute={"enabled": True}))[0])
    (backend,) = found["HTTPRoute", "tokend"]["spec"]["rules"][0]["backendRefs"]
    assert backend["port"] == 443


def test_google_is_told_which_health_check_belongs_to_the_service():
    found = objects(rendered(values("key-files", configuration=HEALTH, gke={"ingress": True}, service={"annotations": {"a": "b"}}))[0])
    annotations = found["Service", "tokend"]["metadata"]["annotations"]
    assert annotations == {"a": "b", "cloud.google.com/backend-config": '{"default":"tokend"}'}
    policy = objects(rendered(values("key-files", configuration=HEALTH, gke={"gateway": True}))[0])["HealthCheckPolicy", "tokend"]
    assert policy["spec"]["targetRef"] == {"group": "", "kind": "Service", "name": "tokend"}


# Values that cannot work, and what the chart says to them.
REFUSED = {
    "no YAML": ({"configuration": "version: 1\n a: ]"}, "configuration is not YAML"),
    "another version": ({"configuration": configuration(("version: 1", "version: 2"))}, "version must be 1"),
    "an unknown setting": ({"configuration": configuration() + "limit: {}\n"}, "limit is an unknown setting"),
    "loopback": ({"configuration": configuration(("listen: 0.0.0.0:8080", "listen: 127.0.0.1:8080"))}, "service.listen must be"),
    "no address": ({"configuration": configuration(("  listen: 0.0.0.0:8080\n", ""))}, "service.listen must be"),
    "another port": ({"configuration": configuration(("0.0.0.0:8080", "0.0.0.0:8081"))}, 'service.listen must be "0.0.0.0:8080"'),
    "another admin port": ({"configuration": configuration(("0.0.0.0:9090", "0.0.0.0:9091"))}, 'admin.listen must be "0.0.0.0:9090"'),
    "keys without their Secret": ({"keys": {"existingSecret": ""}}, "nothing mounts /etc/tokend/keys/consumer.json"),
    "callers without their Secret": ({"callers": {"existingSecret": ""}}, "nothing mounts /etc/tokend/callers/api-keys"),
    "a file of nowhere": ({"configuration": configuration(("keys/driver.json", "other/driver.json"))}, "nothing mounts /etc/tokend/other"),
    "a relative file": ({"configuration": configuration(("/etc/tokend/keys/driver.json", "driver.json"))}, "driver.json is relative"),
    "a trail without a volume": (
        {"configuration": configuration() + "audit: {file: /var/lib/tokend/audit.jsonl}\n"},
        "nothing mounts /var/lib/tokend/audit.jsonl",
    ),
    "a trail in an emptyDir": ({"audit": {"volume": {"emptyDir": {}}}}, "must not be an emptyDir"),
    "a trail that pods share": ({"audit": {"volume": {"persistentVolumeClaim": {"claimName": "a"}}}}, "which all pods share"),
    "TLS without its Secret": ({"configuration": TLS}, "service.tls requires tls.existingSecret"),
    "a TLS Secret without TLS": ({"tls": {"existingSecret": "cert"}}, "tls.existingSecret requires service.tls"),
    "Redis used and not enabled": ({"configuration": REDIS["configuration"]}, "limits.redis requires redis.enabled"),
    "Redis enabled and not used": ({"redis": {"enabled": True}}, "redis.enabled requires limits.redis"),
    "iam without workload identity": (
        {"configuration": values("gke-workload-identity")["configuration"]}, "kinds.driver.iam requires workloadIdentity.enabled"
    ),
    "gke without a path": ({"gke": {"gateway": True}}, "gke requires service.healthPath"),
    "gke and a short drain": (
        {"gke": {"ingress": True}, "configuration": HEALTH.replace("drainSeconds: 10", "drainSeconds: 8")}, "notices after 8 seconds"
    ),
    "a short grace period": ({"terminationGracePeriodSeconds": 30}, "(30) must be greater than 30"),
    "the placeholder image": ({"image": {"repository": "ghcr.io/" + "OWN" + "ER/tokend"}}, "image.repository is a placeholder"),
    "min above max": ({"autoscaling": {"minReplicas": 11}}, "minReplicas (11) is greater than maxReplicas (10)"),
    "no disruption": ({"podDisruptionBudget": {"maxUnavailable": 0}}, "no node could be drained"),
    "no percent of disruption": ({"podDisruptionBudget": {"maxUnavailable": "0%"}}, "no node could be drained"),
    "no Gateway": ({"httpRoute": {"enabled": True, "parentRefs": []}}, "parentRefs is empty"),
    "an account that is not made": (
        {"workloadIdentity": {"enabled": True, "googleServiceAccount": "a@b.example"}, "serviceAccount": {"create": False, "name": "x"}},
        "requires serviceAccount.create",
    ),
    "a second tokend": ({"extraContainers": [{"name": "tokend", "image": "r/s"}]}, "two containers of the name tokend"),
}  # fmt: skip


@pytest.mark.parametrize(("wrong", "message"), REFUSED.values(), ids=REFUSED)
def test_values_that_cannot_work_are_refused(wrong, message):
    with pytest.raises(HelmError) as refusal:
        rendered(merged(values("key-files"), wrong))
    assert "These values cannot work:" in str(refusal.value) and message in str(refusal.value)


def test_all_problems_are_listed_at_once():
    wrong = [REFUSED[name][0] for name in ("loopback", "min above max", "no disruption", "TLS without its Secret")]
    together = values("key-files", configuration=TLS.replace("0.0.0.0:8080", "127.0.0.1:8080"))
    for change in wrong[1:3]:
        together = merged(together, change)
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
    second = upgrade(cluster, first, rendered(values("key-files", configuration=HEALTH, serviceAccount={"create": False}))[0])
    mounted = [at(revision, f"{POD}.volumes.config.configMap.name") for revision in (first, second)]
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
