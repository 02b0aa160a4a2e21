#!/usr/bin/env python3
"""Writes what is in the release binaries. BUILD is SwiftPM's scratch folder, such as .build/static.

    sbom.py notices BUILD                                     THIRD-PARTY-NOTICES: the licences and notices of all code
    sbom.py bill BUILD PROGRAMS VERSION REVISION TIMESTAMP    the software bill of materials: CycloneDX 1.6, in JSON
"""

import json
import pathlib
import re
import shutil
import subprocess
import sys
import uuid

import dependencies


# The names that vulnerability databases have for components which they do not find by a package URL: vendor and product.
CPES = {
    "BoringSSL": "google:boringssl", "llhttp": "llhttp:llhttp", "zlib": "zlib:zlib", "ICU": "icu-project:international_components_for_unicode",
    "libssl3": "openssl:openssl", "libyaml-0-2": "pyyaml:libyaml", "zlib1g": "zlib:zlib", "libc6": "gnu:glibc", "swift": "apple:swift",
}  # fmt: skip


def with_cpe(item):
    """A component with its CPE, where it has one: of the version that its own project gave it, without Debian's."""
    if item["name"] in CPES:
        version = re.sub(r"^\d+:|(\.dfsg)?[-+].*$", "", item["version"])
        item["cpe"] = f"cpe:2.3:a:{CPES[item['name']]}:{version}:*:*:*:*:*:*:*"
    return item


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
    components = list(map(with_cpe, components))
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


# Notices


def toolchain_license():
    """The licence of the Swift standard library, Foundation and Dispatch, which are linked in."""
    swift = pathlib.Path(shutil.which("swift") or sys.exit("swift is not in PATH."))
    return swift.resolve().parents[1] / "share/swift/LICENSE.txt"


def notices(build):
    """The text, section by section; a licence that several packages share is written once."""
    sections = [("The Swift runtime, Foundation and Dispatch", [toolchain_license()])]
    for package in dependencies.linked_packages(build):
        if not package.licenses:
            sys.exit(f"{package.name} has no licence file.")
        sections.append((f"{package.name} {package.version} ({package.expression})", package.licenses))
    sections = [(title, [path.read_text() for path in paths]) for title, paths in sections]
    sections += [(part.title, [part.license]) for part in dependencies.embedded_code(build)]

    written = {}
    yield "The programs of Fleet Token contain the following software.\n"
    for title, texts in sections:
        yield f"\n{'=' * 80}\n{title}\n{'=' * 80}\n"
        for text in (text.strip("\n") for text in texts):
            first = written.setdefault(text, title)
            yield f"\n{text}\n" if first is title else f"\nThe same text as under {first}.\n"


if __name__ == "__main__":
    mode, build, *rest = sys.argv[1:]
    if mode == "notices":
        sys.stdout.write("".join(notices(pathlib.Path(build))))
    else:
        json.dump(bill(pathlib.Path(build), pathlib.Path(rest[0]), *rest[1:]), sys.stdout, indent=2)
        print()
