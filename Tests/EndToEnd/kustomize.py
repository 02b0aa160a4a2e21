"""What `kubectl kustomize` makes of our manifests, without kubectl.

It knows the fields that they have, and refuses everything else: a test must not pass on what was never rendered.
"""

import hashlib
import json
import pathlib

import yaml

# How the elements of a list are told apart in a strategic merge patch, by the list's path in a Deployment.
MERGE_KEYS = {
    "spec.template.spec.containers": "name",
    "spec.template.spec.containers.volumeMounts": "mountPath",
    "spec.template.spec.volumes": "name",
}
FIELDS = {"apiVersion", "kind", "namespace", "labels", "resources", "components", "configMapGenerator", "patches", "images"}
VERSIONS = {
    ("kustomize.config.k8s.io/v1beta1", "Kustomization"),
    ("kustomize.config.k8s.io/v1alpha1", "Component"),
}


class Unsupported(Exception):
    """Something that this renderer does not know, and kubectl perhaps does."""


class Dumper(yaml.SafeDumper):
    """Writes what is there twice, twice."""

    def ignore_aliases(self, data):
        return True


def render(folder):
    """The objects of an overlay, as a stream of YAML documents."""
    objects = build(pathlib.Path(folder))
    for item in [item for item in objects if item.pop("generated", False)]:
        name = item["metadata"]["name"]
        item["metadata"]["name"] = f"{name}-{content_hash(item)}"
        for volume in volumes(objects):
            if volume.get("configMap", {}).get("name") == name:
                volume["configMap"]["name"] = item["metadata"]["name"]
    return yaml.dump_all(objects, Dumper=Dumper, sort_keys=True)


def build(folder, below=()):
    """The objects of a kustomization; a component's are added to those below it."""
    kustomization = yaml.safe_load((folder / "kustomization.yaml").read_text())
    known(kustomization, FIELDS, folder)
    if (kustomization["apiVersion"], kustomization["kind"]) not in VERSIONS:
        raise Unsupported(f"{folder}: {kustomization['apiVersion']} {kustomization['kind']}")
    objects = list(below)
    for resource in kustomization.get("resources", []):
        path = folder / resource
        objects += build(path) if path.is_dir() else list(yaml.safe_load_all(path.read_text()))
    for component in kustomization.get("components", []):
        objects = build(folder / component, objects)
    for generator in kustomization.get("configMapGenerator", []):
        generate(objects, folder, generator)
    for patch in kustomization.get("patches", []):
        apply(objects, folder, patch)
    if "namespace" in kustomization:
        move(objects, kustomization["namespace"])
    for labels in kustomization.get("labels", []):
        label(objects, labels)
    for image in kustomization.get("images", []):
        rename(objects, image)
    identities = [(item["kind"], item["metadata"]["name"]) for item in objects]
    if len(set(identities)) != len(identities):
        raise Unsupported(f"{folder}: two objects of one name")
    return objects


def known(mapping, fields, place):
    if unknown := set(mapping) - fields:
        raise Unsupported(f"{place}: {', '.join(sorted(unknown))}")


def find(objects, kind, name):
    found = [item for item in objects if (item["kind"], item["metadata"]["name"]) == (kind, name)]
    if len(found) != 1:
        raise Unsupported(f"{len(found)} objects are {kind} {name}")
    return found[0]


def generate(objects, folder, generator):
    known(generator, {"name", "files", "behavior"}, folder)
    if any("=" in file or "/" in file for file in generator["files"]):
        raise Unsupported(f"{folder}: a file under another name")
    data = {file: (folder / file).read_text() for file in generator["files"]}
    behavior = generator.get("behavior", "create")
    if behavior == "create":
        metadata = {"name": generator["name"]}
        objects.append({"apiVersion": "v1", "kind": "ConfigMap", "metadata": metadata, "data": data, "generated": True})
    elif behavior == "replace":
        item = find(objects, "ConfigMap", generator["name"])
        if not item.get("generated"):
            raise Unsupported(f"{folder}: replaces what was not generated")
        item["data"] = data
    else:
        raise Unsupported(f"{folder}: behavior {behavior}")


def content_hash(config_map):
    """The first ten digits of the SHA-256, some of them as others, so that they make no words."""
    known(config_map, {"apiVersion", "kind", "metadata", "data"}, "a ConfigMap")
    content = {"data": config_map["data"], "kind": "ConfigMap", "name": ""}
    text = json.dumps(content, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    # As Go's encoder has it.
    for character in "<>&\u2028\u2029":
        text = text.replace(character, f"\\u{ord(character):04x}")
    return hashlib.sha256(text.encode()).hexdigest()[:10].translate(str.maketrans("013ae", "ghkmt"))


def apply(objects, folder, patch):
    known(patch, {"path", "target"}, folder)
    content = yaml.safe_load((folder / patch["path"]).read_text())
    if isinstance(content, dict):
        known(patch, {"path"}, folder)
        refuse_directives(content)
        merge(find(objects, content["kind"], content["metadata"]["name"]), content, "")
        return
    known(patch["target"], {"kind", "name"}, folder)
    target = find(objects, patch["target"]["kind"], patch["target"]["name"])
    for operation in content:
        known(operation, {"op", "path", "value"}, folder)
        *way, last = operation["path"].removeprefix("/").split("/")
        if operation["op"] != "add" or last != "-":
            raise Unsupported(f"{folder}: {operation['op']} {operation['path']}")
        place = target
        for name in way:
            place = place[name]
        place.append(operation["value"])


def refuse_directives(patch):
    """What removes something, or says how to merge."""
    for name, value in patch.items() if isinstance(patch, dict) else enumerate(patch):
        if value is None or str(name).startswith("$"):
            raise Unsupported(f"a patch with {name}: {value}")
        if isinstance(value, (dict, list)):
            refuse_directives(value)


def merge(target, patch, path):
    """A strategic merge: mappings by their keys, lists of mappings by the key that the field has."""
    for name, value in patch.items():
        inner = f"{path}.{name}" if path else name
        if isinstance(value, dict):
            merge(target.setdefault(name, {}), value, inner)
        elif isinstance(value, list):
            if inner not in MERGE_KEYS:
                raise Unsupported(f"a patch of the list {inner}")
            merge_lists(target.setdefault(name, []), value, MERGE_KEYS[inner], inner)
        else:
            target[name] = value


def merge_lists(target, patch, key, path):
    new = []
    for element in patch:
        found = [other for other in target if other[key] == element[key]]
        if found:
            merge(found[0], element, path)
        else:
            new.append(element)
    # New elements come first.
    target[:0] = new


def move(objects, namespace):
    for item in objects:
        if item["kind"] == "Namespace":
            item["metadata"]["name"] = namespace
        else:
            item["metadata"]["namespace"] = namespace


def label(objects, labels):
    known(labels, {"pairs", "includeTemplates"}, "labels")
    for item in objects:
        item["metadata"].setdefault("labels", {}).update(labels["pairs"])
        if labels.get("includeTemplates") and item["kind"] == "Deployment":
            item["spec"]["template"]["metadata"].setdefault("labels", {}).update(labels["pairs"])


def rename(objects, image):
    known(image, {"name", "newName", "newTag"}, "images")
    for pod in pods(objects):
        for container in pod["containers"]:
            name, _, tag = container["image"].partition(":")
            if name == image["name"]:
                container["image"] = f"{image.get('newName', name)}:{image.get('newTag', tag)}"


def pods(objects):
    workloads = {"DaemonSet", "StatefulSet", "Job", "CronJob", "Pod", "ReplicaSet"}
    for item in objects:
        if item["kind"] in workloads:
            raise Unsupported(f"a {item['kind']}")
        if item["kind"] == "Deployment":
            known(item["spec"]["template"]["spec"], POD_FIELDS, "a pod")
            yield item["spec"]["template"]["spec"]


# Those of a pod that are here; others, such as initContainers, have images and volumes too.
POD_FIELDS = {
    "automountServiceAccountToken", "containers", "enableServiceLinks", "securityContext", "serviceAccountName",
    "terminationGracePeriodSeconds", "topologySpreadConstraints", "volumes",
}  # fmt: skip


def volumes(objects):
    return [volume for pod in pods(objects) for volume in pod["volumes"]]
