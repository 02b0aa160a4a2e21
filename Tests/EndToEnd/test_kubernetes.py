"""The Kubernetes manifests: whole, valid, safe, and fit for the configuration that they bring."""

import os
import re
import shutil
import sys

import pytest
import yaml

import kustomize
from deployment import DEPLOY, ROOT, documents, name, run

KUBERNETES = DEPLOY / "kubernetes"
OVERLAYS = sorted(KUBERNETES.glob("overlays/*"))
CHECKOV = ROOT / ".build" / "venv-checkov" / "bin" / "checkov"


def validate(*paths):
    return run(sys.executable, "-m", "kubernetes_validate", "--strict", *paths)


def resources(text):
    return {(document["kind"], document["metadata"]["name"]): document for document in yaml.safe_load_all(text)}


def configuration_of(resources):
    (configuration,) = [resource for (kind, _), resource in resources.items() if kind == "ConfigMap"]
    return configuration["data"]["tokend.yaml"]


def rendered(overlay):
    """What kustomize makes of an overlay."""
    text = kustomize.render(overlay)
    # Where there is a kubectl, which brings kustomize along, the two say the same.
    if shutil.which("kubectl"):
        result = run("kubectl", "kustomize", overlay)
        assert result.returncode == 0, result.stderr
        assert resources(result.stdout) == resources(text)
    return text


def objects(folder):
    """The kinds and names of what a kustomization has, with what those below it have."""
    (kustomization,) = documents(folder / "kustomization.yaml")
    for path in (folder / resource for resource in kustomization["resources"]):
        if path.is_dir():
            yield from objects(path)
        else:
            yield from ((document["kind"], document["metadata"]["name"]) for document in documents(path))


@pytest.mark.parametrize("path", sorted(KUBERNETES.rglob("kustomization.yaml")), ids=name)
def test_every_kustomization_names_files_and_objects_that_are_there(path):
    (kustomization,) = documents(path)
    known = set(objects(path.parent))
    if kustomization["kind"] == "Component":
        known |= set(objects(KUBERNETES / "base"))
    used = {resource for resource in kustomization["resources"] if resource.endswith(".yaml")}
    for patch in kustomization.get("patches", []):
        used.add(patch["path"])
        content = yaml.safe_load((path.parent / patch["path"]).read_text())
        target = patch.get("target") or {"kind": content["kind"], "name": content["metadata"]["name"]}
        assert (target["kind"], target["name"]) in known
    for generator in kustomization.get("configMapGenerator", []):
        used |= set(generator["files"])
    # None is missing, and none lies there unused.
    assert used | {"kustomization.yaml"} == {file.name for file in path.parent.iterdir()}


@pytest.mark.parametrize("overlay", OVERLAYS, ids=name)
def test_kubernetes_takes_every_object(overlay, tmp_path):
    path = tmp_path / "rendered.yaml"
    path.write_text(rendered(overlay))
    result = validate(path)
    assert result.returncode == 0, result.stdout + result.stderr


@pytest.mark.parametrize("overlay", OVERLAYS, ids=name)
def test_prometheus_finds_the_pods(overlay, tmp_path):
    parts = {"resources": overlay, "components": KUBERNETES / "components" / "monitoring"}
    paths = {key: [os.path.relpath(path, tmp_path.resolve())] for key, path in parts.items()}
    head = {"apiVersion": "kustomize.config.k8s.io/v1beta1", "kind": "Kustomization", "namespace": "tokend"}
    (tmp_path / "kustomization.yaml").write_text(yaml.safe_dump(head | paths))
    found = resources(rendered(tmp_path))
    service, monitor = found["Service", "tokend-admin"], found["ServiceMonitor", "tokend"]
    pod = found["Deployment", "tokend"]["spec"]["template"]
    assert monitor["spec"]["selector"]["matchLabels"].items() <= service["metadata"]["labels"].items()
    assert service["spec"]["selector"].items() <= pod["metadata"]["labels"].items()
    assert monitor["spec"]["endpoints"][0]["port"] == service["spec"]["ports"][0]["name"]
    assert service["spec"]["ports"][0]["targetPort"] in {port["name"] for port in pod["spec"]["containers"][0]["ports"]}


UNKNOWN = {
    "field": ("base/kustomization.yaml", "namespace: tokend", "namespace: tokend\nnamePrefix: a-"),
    "version": ("base/kustomization.yaml", "v1beta1", "v1"),
    "labels": ("base/kustomization.yaml", "includeTemplates", "includeSelectors"),
    "generator": ("overlays/key-files/kustomization.yaml", "files: [tokend.yaml]", "literals: [a=b]"),
    "file": ("overlays/key-files/kustomization.yaml", "files: [tokend.yaml]", "files: [a=tokend.yaml]"),
    "behavior": ("overlays/redis/kustomization.yaml", "behavior: replace", "behavior: merge"),
    "image": ("overlays/key-files/kustomization.yaml", "newTag: 0.1.0", "digest: 0.1.0"),
    "operation": ("overlays/redis/network-policy.yaml", "op: add", "op: remove"),
    "place": ("overlays/redis/network-policy.yaml", "/spec/egress/-", "/spec/egress/0"),
    "target": ("overlays/redis/kustomization.yaml", "kind: NetworkPolicy, name: tokend", "kind: NetworkPolicy"),
    "list": ("overlays/redis/password.yaml", "name: tokend\n          volumeMounts", "name: tokend\n          env"),
    "directive": ("overlays/redis/password.yaml", "- name: redis", "- $patch: delete\n          name: redis"),
    "workload": ("base/deployment.yaml", "kind: Deployment", "kind: StatefulSet"),
    "pod": ("base/deployment.yaml", "enableServiceLinks: false", "initContainers: []"),
}


@pytest.mark.parametrize(("file", "text", "other"), UNKNOWN.values(), ids=UNKNOWN)
def test_the_renderer_refuses_what_it_does_not_know(file, text, other, tmp_path):
    shutil.copytree(KUBERNETES, tmp_path / "kubernetes")
    path = tmp_path / "kubernetes" / file
    assert text in path.read_text()
    path.write_text(path.read_text().replace(text, other, 1))
    with pytest.raises((kustomize.Unsupported, KeyError)):
        kustomize.render(tmp_path / "kubernetes" / "overlays" / "redis")


def test_kubernetes_takes_what_the_base_has():
    paths = KUBERNETES.glob("base/*.yaml")
    result = validate(*(path for path in paths if path.name != "kustomization.yaml"))
    assert result.returncode == 0, result.stdout + result.stderr


def test_an_unknown_field_is_noticed(tmp_path):
    path = tmp_path / "service.yaml"
    path.write_text((KUBERNETES / "base" / "service.yaml").read_text().replace("selector:", "selectors:"))
    assert validate(path).returncode != 0


@pytest.mark.parametrize("overlay", OVERLAYS, ids=name)
def test_what_the_pod_mounts_is_what_the_configuration_reads(overlay):
    found = resources(rendered(overlay))
    pod = found["Deployment", "tokend"]["spec"]["template"]["spec"]
    (container,) = pod["containers"]
    configuration = configuration_of(found)
    folders = {mount["mountPath"] for mount in container["volumeMounts"]}
    files = set(re.findall(r"/etc/tokend/[\w./-]+", re.sub(r"#.*", "", configuration)))
    assert {os.path.dirname(file) for file in files} | {"/etc/tokend/config"} == folders
    assert {volume["name"] for volume in pod["volumes"]} == {mount["name"] for mount in container["volumeMounts"]}
    assert all(volume.get("secret", {"defaultMode": 0o400})["defaultMode"] == 0o400 for volume in pod["volumes"])


@pytest.mark.parametrize("overlay", OVERLAYS, ids=name)
def test_the_pods_ports_are_where_the_service_listens(overlay):
    found = resources(rendered(overlay))
    pod = found["Deployment", "tokend"]["spec"]["template"]["spec"]
    service = yaml.safe_load(configuration_of(found))
    ports = {port["name"]: port["containerPort"] for port in pod["containers"][0]["ports"]}
    assert service["service"]["listen"] == f"0.0.0.0:{ports['http']}"
    assert service["admin"]["listen"] == f"0.0.0.0:{ports['admin']}"


# Known mistakes


def checkov(*arguments):
    environment = {**os.environ, "BC_SKIP_MAPPING": "TRUE"}
    return run(CHECKOV, "--quiet", "--compact", "--skip-download", *arguments, env=environment)


@pytest.mark.skipif(not CHECKOV.exists(), reason="checkov is not installed")
def test_checkov_finds_nothing_in_the_images_and_the_pods(tmp_path):
    for overlay in OVERLAYS:
        (tmp_path / f"{overlay.name}.yaml").write_text(rendered(overlay))
    shutil.copy(DEPLOY / "Dockerfile", tmp_path)
    result = checkov("--framework", "kubernetes", "dockerfile", "--directory", tmp_path)
    assert result.returncode == 0, result.stdout


@pytest.mark.skipif(not CHECKOV.exists(), reason="checkov is not installed")
def test_checkov_finds_a_pod_that_may_become_root(tmp_path):
    text = (KUBERNETES / "base" / "deployment.yaml").read_text()
    (tmp_path / "deployment.yaml").write_text(text.replace("allowPrivilegeEscalation: false", "privileged: true"))
    result = checkov("--framework", "kubernetes", "--directory", tmp_path)
    assert result.returncode == 1 and "CKV_K8S_16" in result.stdout
