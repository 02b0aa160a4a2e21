"""The Helm chart: valid, safe, and fit for the configuration that it brings."""

import json
import os
import re
import shutil

import kubernetes_validate
import pytest
import yaml
from helm_python.chart import Chart, lint

from deployment import DEPLOY, ROOT
from production import tool

CHART = DEPLOY / "helm" / "fleet-token"
EXAMPLES = sorted(path.stem for path in (DEPLOY / "helm" / "examples").glob("*.yaml"))
EVERYTHING = {
    "ingress": {"host": "tokens.example.com"}, "httpRoute": {"parentRefs": [{"name": "gateway"}], "hostnames": ["tokens.example.com"]},
    "monitoring": {"enabled": True},
}  # fmt: skip


def values(example, **more):
    return yaml.safe_load((DEPLOY / "helm" / "examples" / f"{example}.yaml").read_text()) | more


def rendered(values, name="tokend"):
    """The objects, as a stream of YAML documents, and the notes."""
    with Chart.load(CHART) as chart:
        files = chart.render(values, name=name, namespace="tokend")
    (notes,) = [text for path, text in files.items() if path.endswith("NOTES.txt")]
    texts = [text for path, text in sorted(files.items()) if not path.endswith(("NOTES.txt", "_helpers.tpl"))]
    return "\n---\n".join(text for text in texts if text.strip()), notes


def objects(text, hooks=False):
    """The release's objects by kind and name, or those of its hooks."""
    found = [item for item in yaml.safe_load_all(text) if item]
    return {
        (item["kind"], item["metadata"]["name"]): item
        for item in found if hooks == ("helm.sh/hook" in item["metadata"].get("annotations", {}))
    }  # fmt: skip


def deployment(found):
    return found["Deployment", "tokend"]["spec"]["template"]


def configuration_of(found):
    (text,) = [item["data"]["tokend.yaml"] for item in found.values() if "tokend.yaml" in item.get("data", {})]
    return text


@pytest.mark.parametrize("example", EXAMPLES)
def test_an_example_has_the_objects_of_a_service_and_mounts_what_its_configuration_reads(example):
    found = objects(rendered(values(example))[0])
    assert {kind for kind, _ in found} - {"Ingress", "BackendConfig"} == {
        "ConfigMap", "Deployment", "HorizontalPodAutoscaler", "NetworkPolicy", "PodDisruptionBudget", "Service", "ServiceAccount",
    }  # fmt: skip
    assert all(item["metadata"]["namespace"] == "tokend" for item in found.values())
    pod = deployment(found)["spec"]
    (container,) = pod["containers"]
    folders = {mount["mountPath"] for mount in container["volumeMounts"]}
    files = set(re.findall(r"/etc/tokend/[\w./-]+", configuration_of(found)))
    assert {os.path.dirname(file) for file in files} | {"/etc/tokend/config"} == folders
    assert {volume["name"] for volume in pod["volumes"]} == {mount["name"] for mount in container["volumeMounts"]}
    assert all(volume.get("secret", {"defaultMode": 0o400})["defaultMode"] == 0o400 for volume in pod["volumes"])
    service, ports = yaml.safe_load(configuration_of(found)), {port["name"]: port["containerPort"] for port in container["ports"]}
    assert service["service"]["listen"] == f"0.0.0.0:{ports['http']}"
    assert service["admin"]["listen"] == f"0.0.0.0:{ports['admin']}"


@pytest.mark.parametrize(
    "changes, expected",
    [
        ({}, None),
        ({"ingress": {"host": "h.example", "className": "alb"}}, None),
        ({"ingress": {"host": "h.example", "className": "gce"}}, "620s"),
        ({"ingress": {"host": "h.example", "className": "gce-internal"}}, "620s"),
        ({"httpRoute": {"parentRefs": [{"name": "g"}], "hostnames": ["h.example"], "gke": True}}, "620s"),
    ],
)
def test_connections_outlast_those_of_the_load_balancer(changes, expected):
    """Google's keeps an unused connection for 600 seconds; for others the default of 75 is longer, or the guide says what to set."""
    chosen = values("key-files", **changes, networkPolicy={"enabled": False})
    assert yaml.safe_load(configuration_of(objects(rendered(chosen)[0])))["service"].get("idleTimeout") == expected
    chosen["config"]["service"]["idleTimeout"] = "15m"
    assert yaml.safe_load(configuration_of(objects(rendered(chosen)[0])))["service"]["idleTimeout"] == "15m"


def test_prometheus_finds_the_pods():
    found = objects(rendered(values("key-files", **EVERYTHING))[0])
    service, monitor = found["Service", "tokend-admin"], found["ServiceMonitor", "tokend"]
    pod = deployment(found)
    assert monitor["spec"]["selector"]["matchLabels"].items() <= service["metadata"]["labels"].items()
    assert service["spec"]["selector"].items() <= pod["metadata"]["labels"].items()
    assert monitor["spec"]["endpoints"][0]["port"] == service["spec"]["ports"][0]["name"]
    assert service["spec"]["ports"][0]["targetPort"] in {port["name"] for port in pod["spec"]["containers"][0]["ports"]}


@pytest.mark.parametrize("page", ["deploy/missing-lines.jq", "docs/operate.md"])
def test_the_log_command_of_a_page_selects_the_pods(page):
    (selected,) = re.findall(r"kubectl .* -l (\S+)=(\S+) ", (ROOT / page).read_text())
    assert selected in deployment(objects(rendered(values("key-files"))[0]))["metadata"]["labels"].items()


def test_the_alerts_are_those_of_the_observability_folder():
    alerts = yaml.safe_load((DEPLOY / "observability" / "alerts.yaml").read_text())
    chart = objects(rendered(values("key-files", **EVERYTHING))[0])
    assert chart["PrometheusRule", "tokend"]["spec"] == alerts
    dashboard = chart["ConfigMap", "tokend-dashboard"]["data"]["fleet-token.json"]
    assert json.loads(dashboard) == json.loads((DEPLOY / "observability" / "dashboard.json").read_text())


CHOICES = {
    "default": {},
    "everything": EVERYTHING,
    "fixed": {
        "replicas": {"min": 3, "max": 3}, "networkPolicy": {"enabled": False}, "serviceAccount": {"name": "other"},
        "podMetadata": {"labels": {"team": "fleet"}, "annotations": {"note": "x"}},
        "podSpec": {
            "priorityClassName": "high", "nodeSelector": {"disk": "fast"}, "tolerations": [{"key": "a", "operator": "Exists"}],
            "imagePullSecrets": [{"name": "registry"}],
        },
        "image": "r/tokend:1@sha256:" + "0" * 64,
        "extraVolumes": [{"name": "ca", "mountPath": "/etc/tokend/ca", "secret": {"secretName": "ca", "defaultMode": 0o400}}],
    },
}  # fmt: skip


# The values of each choice, and of each example.
VALUES = {name: values("key-files", **choice) for name, choice in CHOICES.items()} | {name: values(name) for name in EXAMPLES}
# The kinds of others, whose schemas Kubernetes does not have: the tests name their fields.
FOREIGN = ("monitoring.coreos.com/", "gateway.networking.k8s.io/", "networking.gke.io/", "cloud.google.com/")


def test_kubernetes_takes_every_object_of_the_chart():
    # The schemas take seconds to read: once for all.
    for chosen in VALUES.values():
        text, notes = rendered(chosen)
        for item in yaml.safe_load_all(text):
            if item and not item["apiVersion"].startswith(FOREIGN):
                kubernetes_validate.validate(item, kubernetes_validate.latest_version(), strict=True)
        host = "--connect-to ::127.0.0.1:8080 https://NAME" if "tls" in chosen["config"]["service"] else "http://127.0.0.1:8080"
        assert f"curl -H @header {host}/token/driver/vehicle-1" in notes


@pytest.mark.parametrize("chosen", VALUES.values(), ids=VALUES)
def test_helm_has_no_objection(chosen):
    report = lint(CHART, chosen, strict=True)
    # The icon is a recommendation.
    found = [message for message in report["messages"] if "icon is recommended" not in str(message)]
    assert not report["errors"] and not found, report


def test_two_releases_live_side_by_side():
    texts = [rendered(values("key-files"), name)[0] for name in ("first", "second")]
    first, second = map(objects, texts)
    assert not set(first) & set(second) and not set(objects(texts[0], hooks=True)) & set(objects(texts[1], hooks=True))
    selectors = [found["Service", name]["spec"]["selector"] for name, found in (("first", first), ("second", second))]
    pods = [found["Deployment", name]["spec"]["template"]["metadata"]["labels"] for name, found in
            (("first", first), ("second", second))]  # fmt: skip
    assert selectors[0].items() <= pods[0].items() and not selectors[0].items() <= pods[1].items()


# The check before an installation


def checked(changes, folder, accounts):
    """Runs what the hook's pod does, with the chart's ConfigMap and the example's Secrets below a folder in place of /etc/tokend."""
    found = objects(rendered(values("key-files"))[0], hooks=True)
    (container,) = found["Job", "tokend-check"]["spec"]["template"]["spec"]["containers"]
    text = found["ConfigMap", "tokend-check"]["data"]["tokend.yaml"]
    for name in ("config", "callers"):
        (folder / name).mkdir(mode=0o700)
    shutil.copytree(accounts, folder / "keys")
    tool("tokenctl", "apikey", "new", "--label", "test", "--file", folder / "callers" / "api-keys")
    assert changes[0] in text
    (folder / "config" / "tokend.yaml").write_text(text.replace(*changes, 1).replace("/etc/tokend", str(folder)))
    environment = {item["name"]: item["value"].replace("/etc/tokend", str(folder)) for item in container["env"]}
    return tool("tokend", *container["args"], check=False, env=os.environ | environment)


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("", "", None),
        ("driver:", "drivers:", "kinds.drivers: is not a kind of token. Did you mean driver?"),
        ("keys/driver.json", "keys/missing.json", "kinds.driver.serviceAccount: Cannot read"),
    ],
    ids=["valid", "an unknown kind", "a missing file"],
)  # fmt: skip
def test_the_check_refuses_what_the_schema_cannot_see(old, new, said, tmp_path, accounts):
    result = checked((old, new), tmp_path, accounts)
    assert result.returncode == (0 if said is None else 1), result.stderr
    assert said is None or said in result.stderr


def test_the_check_runs_as_the_service_before_anything_changes():
    text = rendered(VALUES["fixed"])[0]
    check, found = objects(text, hooks=True), objects(text)
    assert {kind for kind, _ in check} == {"ConfigMap", "Job"}
    for item in check.values():
        assert item["metadata"]["annotations"]["helm.sh/hook"] == "pre-install,pre-upgrade,test"
    assert check["ConfigMap", "tokend-check"]["metadata"]["annotations"]["helm.sh/hook-weight"] == "-1"
    assert check["ConfigMap", "tokend-check"]["data"]["tokend.yaml"] == configuration_of(found)
    job, service = check["Job", "tokend-check"]["spec"]["template"], deployment(found)
    (first,), (second,) = job["spec"]["containers"], service["spec"]["containers"]
    assert {name: first[name] for name in first.keys() - {"name", "args"}} == {name: second[name] for name in first.keys() - {"name", "args"}}
    different = {"containers", "volumes", "restartPolicy"}
    assert all(job["spec"][name] == service["spec"][name] for name in job["spec"].keys() - different)
    assert job["spec"]["volumes"][:-1] == service["spec"]["volumes"][:-1]
    assert job["spec"]["volumes"][-1] == {"name": "config", "configMap": {"name": "tokend-check"}}
    # It gets none of the service's requests, and the service's account does not exist yet.
    assert not found["Service", "tokend"]["spec"]["selector"].items() <= job["metadata"]["labels"].items()
    assert "serviceAccountName" not in job["spec"]


@pytest.mark.parametrize(
    "source", [{"persistentVolumeClaim": {"claimName": "audit"}}, {"ephemeral": {"volumeClaimTemplate": {"spec": {}}}}], ids=lambda source: next(iter(source))
)  # fmt: skip
def test_the_check_job_does_not_mount_a_volume_claim(source):
    volume = {"name": "audit", "mountPath": "/var/lib/tokend"} | source
    text = rendered(values("key-files", extraVolumes=[volume]))[0]
    (check,), (service,) = (
        [volume for volume in spec["volumes"] if volume["name"] == "audit"]
        for spec in (objects(text, hooks=True)["Job", "tokend-check"]["spec"]["template"]["spec"], deployment(objects(text))["spec"])
    )
    assert check == {"name": "audit", "emptyDir": {}} and service == {"name": "audit"} | source


# Permissions


@pytest.mark.parametrize("chosen", VALUES.values(), ids=VALUES)
def test_no_pod_has_more_permissions_than_it_needs(chosen):
    text = rendered(chosen)[0]
    for pod in (deployment(objects(text))["spec"], objects(text, hooks=True)["Job", "tokend-check"]["spec"]["template"]["spec"]):
        for container in pod["containers"] + pod.get("initContainers", []):
            security = pod["securityContext"] | container["securityContext"]
            assert security["runAsNonRoot"] is True and security["runAsUser"] > 10_000
            assert security["seccompProfile"] == {"type": "RuntimeDefault"}
            assert security["readOnlyRootFilesystem"] is True and security["allowPrivilegeEscalation"] is False
            assert security["capabilities"] == {"drop": ["ALL"]} and "privileged" not in security
            assert container["resources"].keys() >= {"requests", "limits"} and "memory" in container["resources"]["limits"]
        assert pod["automountServiceAccountToken"] is False
        assert not {"hostNetwork", "hostPID", "hostIPC"} & pod.keys()
        assert not any("hostPath" in volume for volume in pod["volumes"])


def test_kubernetes_probes_the_admin_listener():
    (container,) = deployment(objects(rendered(values("key-files"))[0]))["spec"]["containers"]
    probes = {name: container[name]["httpGet"] for name in container if name.endswith("Probe")}
    assert probes == {
        "startupProbe": {"path": "/livez", "port": "admin"}, "livenessProbe": {"path": "/livez", "port": "admin"},
        "readinessProbe": {"path": "/readyz", "port": "admin"},
    }  # fmt: skip
