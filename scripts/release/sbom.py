#!/usr/bin/env python3
"""Writes the software bill of materials of the release binaries: CycloneDX 1.6, in JSON.

    sbom.py BUILD PROGRAMS VERSION REVISION TIMESTAMP
"""

import json
import pathlib
import re
import subprocess
import sys
import uuid

import dependencies


def component(package):
    """A Swift package as it was resolved."""
    repository = re.sub(r"^https://|\.git$", "", package.location)
    return {
        "type": "library",
        "bom-ref": f"pkg:swift/{repository}@{package.version}",
        "name": package.name,
        "version": package.version,
        "licenses": [{"expression": package.expression}],
        "purl": f"pkg:swift/{repository}@{package.version}",
        "properties": [{"name": "git:revision", "value": package.revision}],
    }


def embedded(part):
    """Code of another project inside a Swift package; two packages may have the same."""
    return {
        "type": "library",
        "bom-ref": f"{part.purl}#{part.container}",
        "name": part.name,
        "version": part.version,
        "licenses": [{"expression": part.expression}],
        "purl": part.purl,
        "properties": [{"name": "fleet-token:inside", "value": part.container}],
    }


def library(name, version):
    """A Debian package whose shared library the programs load."""
    reference = f"pkg:deb/debian/{name}@{version.replace('+', '%2B').replace(':', '%3A')}"
    return {"type": "library", "bom-ref": reference, "name": name, "version": version, "purl": reference}


def runtime():
    """The Swift runtime, which is linked in."""
    text = subprocess.run(["swift", "--version"], capture_output=True, text=True, check=True).stdout
    version = re.search(r"swift-([\d.]+)-RELEASE|Swift version ([\d.]+)", text)
    version = version.group(1) or version.group(2)
    expression = "Apache-2.0 WITH Swift-exception"
    reference = f"pkg:github/swiftlang/swift@swift-{version}-RELEASE"
    return {"type": "framework", "bom-ref": reference, "name": "swift", "version": version, "purl": reference,
            "licenses": [{"expression": expression}]}  # fmt: skip


def bill(build, programs, version, revision, timestamp):
    folder, names = dependencies.released(build)
    product = "fleet-token" if folder == dependencies.ROOT else names[0]
    components = [runtime(), *map(component, dependencies.linked_packages(build))]
    components += map(embedded, dependencies.embedded_code(build))
    components += [library(*found) for found in dependencies.loaded_libraries(programs, names)]
    reference = f"pkg:generic/{product}@{version}"
    main = {
        "type": "application",
        "bom-ref": reference,
        "name": product,
        "version": version,
        "licenses": [{"expression": "Apache-2.0"}],
        "purl": reference,
        "properties": [{"name": "git:revision", "value": revision}],
    }
    content = {
        "metadata": {"timestamp": timestamp, "component": main},
        "components": components,
        "dependencies": [{"ref": reference, "dependsOn": [item["bom-ref"] for item in components]}],
    }
    # From the content and not at random, so that the same build has the same bill.
    serial = uuid.uuid5(uuid.NAMESPACE_URL, json.dumps(content, sort_keys=True))
    return {"bomFormat": "CycloneDX", "specVersion": "1.6", "serialNumber": f"urn:uuid:{serial}", "version": 1} | content


if __name__ == "__main__":
    build, programs, version, revision, timestamp = sys.argv[1:]
    json.dump(bill(pathlib.Path(build), pathlib.Path(programs), version, revision, timestamp), sys.stdout, indent=2)
    print()
