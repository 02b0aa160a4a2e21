"""The Helm chart: valid, safe, and the same objects as Kustomize's for the same choice."""

import copy
import json
import re

import pytest
import yaml
from helm_python.chart import Chart, lint
from helm_python.errors import HelmError

import kustomize
from deployment import DEPLOY
from test_kubernetes import CHECKOV, KUBERNETES, OVERLAYS, checkov, resources, validate

CHART = DEPLOY / "helm" / "fleet-token"
EVERYTHING = {name: {"enabled": True} for name in ("ingress", "serviceMonitor", "prometheusRule", "dashboard")}


def values(overlay, **more):
    """The values of an overlay's choice, with its configuration."""
    (path,) = CHART.glob(f"ci/{overlay}.yaml")
    configuration = (KUBERNETES / "overlays" / overlay / "tokend.yaml").read_text()
    return yaml.safe_load(path.read_text()) | {"configuration": configuration} | more


def rendered(values, name="tokend"):
    """The objects, as a stream of YAML documents, and the notes."""
    with Chart.load(CHART) as chart:
        files = chart.render(values, name=name, namespace="tokend")
    (notes,) = [text for path, text in files.items() if path.endswith("NOTES.txt")]
    texts = [text for path, text in sorted(files.items()) if not path.endswith(("NOTES.txt", "_helpers.tpl"))]
    return "\n---\n".join(text for text in texts if text.strip()), notes


def objects(text):
    return resources("\n---\n".join(yaml.safe_dump(item) for item in yaml.safe_load_all(text) if item))


# What Helm adds to every object, and what Kustomize does.
ADDED = {"app.kubernetes.io/instance", "app.kubernetes.io/managed-by", "app.kubernetes.io/version", "helm.sh/chart"}


def plain(item):
    """An object without the labels that Helm adds, and without the hashes in names."""
    if isinstance(item, dict):
        return {key: plain(value) for key, value in item.items() if key not in ADDED}
    if isinstance(item, list):
        return [plain(value) for value in item]
    return re.sub(r"^tokend-[0-9a-z]{10}$", "tokend-HASH", item) if isinstance(item, str) else item


def comparable(found):
    """Objects by kind and name; lists that are sets, such as volumes, in one order."""
    result = {}
    for item in map(plain, found.values()):
        # `helm install --create-namespace` creates it.
        if item["kind"] == "Namespace":
            continue
        # Kustomize labels what the base has, and not what an overlay generates.
        if item["kind"] == "ConfigMap":
            item["metadata"].pop("labels", None)
            # Only Helm deletes what a new revision does not name.
            assert item["metadata"].pop("annotations", {"helm.sh/resource-policy": "keep"}) == {"helm.sh/resource-policy": "keep"}
        if item["kind"] == "Deployment":
            pod = item["spec"]["template"]["spec"]
            pod["volumes"].sort(key=lambda volume: volume["name"])
            pod["containers"][0]["volumeMounts"].sort(key=lambda mount: mount["name"])
        result[item["kind"], item["metadata"]["name"]] = item
    return result


@pytest.mark.parametrize("overlay", [overlay.name for overlay in OVERLAYS])
def test_chart_and_kustomize_make_the_same_objects(overlay):
    chart = comparable(objects(rendered(values(overlay))[0]))
    assert chart == comparable(resources(kustomize.render(KUBERNETES / "overlays" / overlay)))
    assert len(chart) == 7


@pytest.mark.parametrize(
    ("component", "choice"),
    [
        ("ingress", {"ingress": {"enabled": True}}),
        ("gateway", {"httpRoute": {"enabled": True}}),
        ("gke-gateway", {"gke": {"gateway": True}}),
        ("gke-ingress", {"gke": {"ingress": True}}),
        ("monitoring", {"serviceMonitor": {"enabled": True}, "prometheusRule": {"enabled": True}}),
    ],
)
def test_chart_and_component_make_the_same_objects(component, choice):
    labels = {"pairs": {"app.kubernetes.io/name": "tokend"}, "includeTemplates": True}
    base = kustomize.build(KUBERNETES / "overlays" / "key-files")
    former = copy.deepcopy(base)
    items = [item for item in kustomize.build(KUBERNETES / "components" / component, base) if item not in former]
    kustomize.move(items, "tokend")
    kustomize.label(items, labels)
    expected = comparable({number: item for number, item in enumerate(items)})
    # Where Google's load balancer looks.
    configuration = values("key-files")["configuration"].replace("service:", "service:\n  healthPath: /health")
    chart = comparable(objects(rendered(values("key-files", configuration=configuration, **choice))[0]))
    assert expected and {key: chart[key] for key in expected} == expected
    patched = {(item["kind"], item["metadata"]["name"]) for item in former} & expected.keys()
    assert len(chart) == 7 + len(expected) - len(patched)


def test_the_alerts_are_those_of_the_observability_folder():
    alerts = yaml.safe_load((DEPLOY / "observability" / "alerts.yaml").read_text())
    (rule,) = yaml.safe_load_all((KUBERNETES / "components/monitoring/prometheus-rule.yaml").read_text())
    assert rule["spec"] == alerts, "Run scripts/prometheus-rule.sh."
    chart = objects(rendered(values("key-files", **EVERYTHING))[0])
    assert chart["PrometheusRule", "tokend"]["spec"] == alerts
    dashboard = chart["ConfigMap", "tokend-dashboard"]["data"]["fleet-token.json"]
    assert json.loads(dashboard) == json.loads((DEPLOY / "observability" / "dashboard.json").read_text())


def signed_by_a_token():
    """The configuration of the key files, with a PKCS#11 token instead."""
    signs = "pkcs11: {module: /usr/local/lib/pkcs11/m.so, token: fleet, key: a, pinFile: /etc/tokend/pkcs11/pin}, issuer: a, keyId: b"
    return re.sub(r"serviceAccount: \S+(?=})", signs, values("key-files")["configuration"])


CHOICES = {
    "default": {},
    "everything": EVERYTHING,
    "pkcs11": {
        "keys": {"existingSecret": ""}, "configuration": signed_by_a_token(),
        "pkcs11": {"existingSecret": "tokend-pkcs11", "moduleVolume": {"emptyDir": {}}},
    },
    "fixed": {
        "autoscaling": {"enabled": False}, "replicas": 3, "podDisruptionBudget": {"enabled": False},
        "networkPolicy": {"enabled": False}, "serviceAccount": {"create": False, "name": "other"},
        "podLabels": {"team": "fleet"}, "podAnnotations": {"note": "x"}, "priorityClassName": "high",
        "nodeSelector": {"disk": "fast"}, "tolerations": [{"key": "a", "operator": "Exists"}],
        "imagePullSecrets": [{"name": "registry"}], "image": {"repository": "r/tokend", "digest": "sha256:" + "0" * 64},
        "extraVolumes": [{"name": "ca", "secret": {"secretName": "ca", "defaultMode": 0o400}}],
        "extraVolumeMounts": [{"name": "ca", "mountPath": "/etc/tokend/ca", "readOnly": True}],
    },
}  # fmt: skip


@pytest.mark.parametrize("choice", CHOICES.values(), ids=CHOICES)
def test_kubernetes_takes_every_object_of_the_chart(choice, tmp_path):
    text, notes = rendered(values("key-files", **choice))
    path = tmp_path / "rendered.yaml"
    # Kubernetes's own kinds; the operator's are compared above.
    found = [item for item in yaml.safe_load_all(text) if item and "monitoring.coreos.com" not in item["apiVersion"]]
    path.write_text(yaml.safe_dump_all(found))
    result = validate(path)
    assert result.returncode == 0, result.stdout + result.stderr
    assert "curl -H @header http://127.0.0.1:8080/token/driver/vehicle-1" in notes


@pytest.mark.parametrize("choice", CHOICES.values(), ids=CHOICES)
def test_helm_has_no_objection(choice):
    report = lint(CHART, values("key-files", **choice), strict=True)
    # The icon is a recommendation.
    found = [message for message in report["messages"] if "icon is recommended" not in str(message)]
    assert not report["errors"] and not found, report


def test_two_releases_live_side_by_side():
    first, second = (objects(rendered(values("key-files"), name)[0]) for name in ("first", "second"))
    assert not set(first) & set(second)
    selectors = [found["Service", name]["spec"]["selector"] for name, found in (("first", first), ("second", second))]
    pods = [found["Deployment", name]["spec"]["template"]["metadata"]["labels"] for name, found in
            (("first", first), ("second", second))]  # fmt: skip
    assert selectors[0].items() <= pods[0].items() and not selectors[0].items() <= pods[1].items()


WRONG = {
    "no configuration": ({"configuration": ""}, "configuration"),
    "a typo": ({"autoscalling": {}}, "autoscalling"),
    "a nested typo": ({"redis": {"enable": True}}, "enable"),
    "a number as text": ({"replicas": "3"}, "replicas"),
    "a short digest": ({"image": {"repository": "r", "digest": "sha256:1"}}, "digest"),
}


@pytest.mark.parametrize(("wrong", "name"), WRONG.values(), ids=WRONG)
def test_wrong_values_are_refused_by_name(wrong, name):
    with Chart.load(CHART) as chart, pytest.raises(HelmError, match=name):
        chart.validate_schema(values("key-files", **wrong))


def test_a_pod_is_started_when_it_lives_and_ready_when_it_can_serve():
    for found in (objects(rendered(values("key-files"))[0]), resources(kustomize.render(OVERLAYS[0]))):
        (container,) = found["Deployment", "tokend"]["spec"]["template"]["spec"]["containers"]
        paths = [container[f"{probe}Probe"]["httpGet"]["path"] for probe in ("startup", "liveness", "readiness")]
        assert paths == ["/livez", "/livez", "/readyz"]


@pytest.mark.skipif(not CHECKOV.exists(), reason="checkov is not installed")
def test_checkov_finds_nothing_in_the_chart(tmp_path):
    for name, choice in CHOICES.items():
        (tmp_path / f"{name}.yaml").write_text(rendered(values("key-files", **choice))[0])
    result = checkov("--framework", "kubernetes", "--directory", tmp_path)
    assert result.returncode == 0, result.stdout
