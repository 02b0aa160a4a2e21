"""What the release binaries consist of: the Swift packages that are linked in, and the system libraries that they load."""

import dataclasses
import json
import pathlib
import re
import shutil
import subprocess

ROOT = pathlib.Path(__file__).resolve().parents[2]
LICENSES = pathlib.Path(__file__).parent / "licenses"
# The programs of each package, by the folder of its Package.resolved.
PROGRAMS = {".": ("tokend", "tokenctl"), "FleetEngine": ("fleet-engine-emulator",)}


def released(build):
    """The folder of the package that was built in a scratch folder, and its programs."""
    for folder, programs in PROGRAMS.items():
        if (build / "release" / f"{programs[0]}.product").exists():
            return ROOT / folder, programs
    raise SystemExit(f"{build} has no program of a release.")


@dataclasses.dataclass(frozen=True)
class Package:
    """A Swift package whose code is in the programs."""

    name: str
    version: str
    revision: str
    location: str
    checkout: pathlib.Path

    @property
    def licenses(self):
        """The files with the licence and the notices, the package's own first, then those of code that it contains."""
        found = [path for path in self.checkout.iterdir() if re.match(r"(?i)(licen[cs]e|notice|copying)", path.name)]
        inside = [path for path in (self.checkout / "Sources").rglob("LICENSE*") if path.is_file()]
        return sorted(found) + sorted(inside)

    @property
    def expression(self):
        """The licence as an SPDX expression."""
        text = "".join(path.read_text() for path in self.licenses if "notice" not in path.name.lower())
        if "Apache License" in text:
            exception = " WITH Swift-exception" if "Runtime Library Exception" in text else ""
            return f"Apache-2.0{exception}"
        if "Permission is hereby granted, free of charge" in text:
            return "MIT"
        raise SystemExit(f"{self.name}: the licence is not known. Add it to scripts/release/dependencies.py.")


def linked_packages(build):
    """The packages that are linked into the programs, by name.

    Not those in Package.resolved: tests and other platforms need more.
    """
    names = {name for folder in linked_folders(build) for name in packages_of(folder)}
    pins = {pin["identity"]: pin for pin in json.loads((released(build)[0] / "Package.resolved").read_text())["pins"]}
    return [package(build, pins, name) for name in sorted(names, key=str.lower)]


def embedded_code(build):
    """Code of other projects inside these packages and the toolchain."""
    packages = {package.name: package for package in linked_packages(build)}
    modules = {}
    for folder in linked_folders(build):
        # Modules in C have no list of sources.
        if not (folder / "sources").exists():
            modules |= {folder.name.removesuffix(".build"): packages[name] for name in packages_of(folder)}
    parts = embedded(modules)
    # Programs that need FoundationEssentials only have no ICU.
    if any(b"icudt" in (build / "release" / program).read_bytes() for program in released(build)[1]):
        parts.append(icu())
    return parts


def linked_folders(build):
    """The build folders of the modules that are linked into the programs."""
    lists = [build / "release" / f"{program}.product" / "Objects.LinkFileList" for program in released(build)[1]]
    return [build / "release" / name for name in sorted({name for path in lists for name in folders(path.read_text())})]


def folders(objects):
    """The build folders of the modules in a list of object files."""
    return sorted(set(re.findall(r"/release/([\w-]+\.build)/", objects)))


def packages_of(folder):
    """The package that a module's sources come from; none for our own modules."""
    sources = folder / "sources"
    # Swift modules have a list of sources, modules in C a dependency file for each source.
    (path, *_) = [sources] if sources.exists() else folder.rglob("*.d")
    # ccache writes paths that are relative to the scratch folder.
    return set(re.findall(r"(?:^|[\s/])checkouts/([^/]+)/", path.read_text())[:1])


def package(build, pins, name):
    pin = pins[name.lower()]
    state = pin["state"]
    return Package(name, state["version"], state["revision"], pin["location"], build / "checkouts" / name)


def loaded_libraries(folder, programs):
    """The Debian packages of the shared libraries that programs load, as (package, version)."""
    needed = set()
    for program in programs:
        dynamic = subprocess.run(["readelf", "-d", folder / program], capture_output=True, text=True, check=True).stdout
        needed |= set(re.findall(r"\(NEEDED\).*\[(.*)\]", dynamic))
    found = set()
    for library in needed:
        # Through links: dpkg knows the files, and on merged-/usr systems under the old names.
        listed = subprocess.run(["dpkg-query", "-S", f"*/{library}"], capture_output=True, text=True, check=False).stdout
        names = {line.split(":")[0] for line in listed.splitlines() if line.endswith(f"/{library}")}
        found |= {min(names, key=len)} if names else set()
    query = ["dpkg-query", "-W", "-f", "${Package}\t${Version}\n", *sorted(found)]
    listed = subprocess.run(query, capture_output=True, text=True, check=True).stdout
    return sorted(tuple(line.split("\t")) for line in listed.splitlines())


def product_version():
    """The version in the source, which the CHANGELOG's top entry has once it is released."""
    text = (ROOT / "Sources/FleetToken/ProductVersion.swift").read_text()
    return re.search(r'current = "(.*)"', text).group(1)


# Code of other projects that Swift packages and the Swift toolchain have inside, and that is so in the programs


@dataclasses.dataclass(frozen=True)
class Embedded:
    """A project's code inside a Swift package or the toolchain."""

    name: str
    container: str
    version: str
    expression: str
    purl: str
    license: str

    @property
    def title(self):
        """Its heading in the notices."""
        return f"{self.name} {self.version} in {self.container} ({self.expression})"


def found(pattern, path):
    """What a pattern's group matches in a file, which says the version of the code beside it."""
    match = re.search(pattern, path.read_text())
    return match.group(1) if match else stop(f"{path} does not say the version.")


def stop(message):
    raise SystemExit(f"{message} Change scripts/release/dependencies.py.")


def boringssl(package, sources):
    commit = found(r"revision ([0-9a-f]{40})", sources / "hash.txt")
    # Each file's header names the Apache License, whose text is the package's own too. Of the licenses of fiat-crypto, which
    # BoringSSL has inside, it is one to choose.
    text = (package.checkout / "LICENSE.txt").read_text()
    return Embedded("BoringSSL", package.name, commit, "Apache-2.0", f"pkg:github/google/boringssl@{commit}", text)


def llhttp(package, sources):
    header = sources / "include" / "c_nio_llhttp.h"
    version = ".".join(found(rf"LLHTTP_VERSION_{part} (\d+)", header) for part in ("MAJOR", "MINOR", "PATCH"))
    return Embedded("llhttp", package.name, version, "MIT", f"pkg:github/nodejs/llhttp@v{version}", (sources / "LICENSE").read_text())


def zlib(package, sources):
    version = found(r"^([\d.]+)", sources / "vendored-zlib.version")
    # Its header begins with the licence.
    (header,) = (sources / "include").glob("*zlib.h")
    text = found(r"(?s)(  Copyright \(C\).*?)\n\n\n", header)
    return Embedded("zlib", package.name, version, "Zlib", f"pkg:github/madler/zlib@v{version}", text)


def xkcp(package, sources):
    commit = found(r"-g([0-9a-f]+)\)", sources / "vendored-sources.txt")
    expression = "CC0-1.0 AND Brian-Gladman-3-Clause"
    return Embedded("XKCP", package.name, commit, expression, f"pkg:github/XKCP/XKCP@{commit}", (LICENSES / "xkcp.txt").read_text())


# By the module in C that has the code.
MODULES = {
    "CCryptoBoringSSL": boringssl, "CNIOBoringSSL": boringssl, "CNIOLLHTTP": llhttp,
    "CNIOExtrasZlib": zlib, "CXKCP": xkcp,
}  # fmt: skip
# Modules in C that their package's own authors wrote.
OWN = {
    "CAsyncHTTPClient", "CCryptoBoringSSLShims", "CGRPCNIOTransportZlib", "CNIOAtomics", "CNIOBoringSSLShims", "CNIODarwin",
    "CNIOFreeBSD", "CNIOLinux", "CNIOOpenBSD", "CNIOPosix", "CNIOSHA1", "CNIOWASI", "CNIOWindows", "CSystem", "CXKCPShims",
    "_AtomicsShims", "_NumericsShims",
}  # fmt: skip


def icu():
    """The one in the toolchain's Foundation."""
    swift = pathlib.Path(shutil.which("swift") or stop("swift is not in PATH.")).resolve().parents[1]
    version = found(r'U_ICU_VERSION "([\d.]+)"', swift / "lib/swift_static/_foundation_unicode/uvernum.h")
    purl = f"pkg:github/unicode-org/icu@release-{version.replace('.', '-')}"
    return Embedded("ICU", "Foundation", version, "Unicode-3.0", purl, (LICENSES / "icu.txt").read_text())


def embedded(modules):
    """What the given modules in C have inside, each with its package."""
    parts = []
    for module, package in sorted(modules.items()):
        if module in MODULES:
            parts.append(MODULES[module](package, package.checkout / "Sources" / module))
        elif module not in OWN:
            stop(f"{module} of {package.name} has code in C, and nothing says whose.")
    return parts
