"""Code of other projects that Swift packages and the Swift toolchain have inside, and that is so in the programs."""

import dataclasses
import pathlib
import re
import shutil

LICENSES = pathlib.Path(__file__).parent / "licenses"


@dataclasses.dataclass(frozen=True)
class Embedded:
    """A project's code inside a Swift package or the toolchain."""

    name: str
    container: str
    version: str
    expression: str
    purl: str
    license: pathlib.Path

    @property
    def title(self):
        """Its heading in the notices."""
        return f"{self.name} {self.version} in {self.container} ({self.expression})"


def found(pattern, path):
    """What a pattern's group matches in a file, which says the version of the code beside it."""
    match = re.search(pattern, path.read_text())
    return match.group(1) if match else stop(f"{path} does not say the version.")


def stop(message):
    raise SystemExit(f"{message} Change scripts/release/embedded.py.")


def boringssl(package, sources):
    commit = found(r"revision ([0-9a-f]{40})", sources / "hash.txt")
    # Each file's header names the Apache License, whose text is the package's own too. Of the licenses of fiat-crypto, which
    # BoringSSL has inside, it is one to choose.
    text = package.checkout / "LICENSE.txt"
    return Embedded("BoringSSL", package.name, commit, "Apache-2.0", f"pkg:github/google/boringssl@{commit}", text)


def llhttp(package, sources):
    header = sources / "include" / "c_nio_llhttp.h"
    version = ".".join(found(rf"LLHTTP_VERSION_{part} (\d+)", header) for part in ("MAJOR", "MINOR", "PATCH"))
    return Embedded("llhttp", package.name, version, "MIT", f"pkg:github/nodejs/llhttp@v{version}", sources / "LICENSE")


def zlib(package, sources):
    version = found(r"^([\d.]+)", sources / "vendored-zlib.version")
    return Embedded("zlib", package.name, version, "Zlib", f"pkg:github/madler/zlib@v{version}", LICENSES / "zlib.txt")


def xkcp(package, sources):
    commit = found(r"-g([0-9a-f]+)\)", sources / "vendored-sources.txt")
    expression = "CC0-1.0 AND Brian-Gladman-3-Clause"
    return Embedded("XKCP", package.name, commit, expression, f"pkg:github/XKCP/XKCP@{commit}", LICENSES / "xkcp.txt")


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
    return Embedded("ICU", "Foundation", version, "Unicode-3.0", purl, LICENSES / "icu.txt")


def embedded(modules):
    """What the given modules in C have inside, each with its package."""
    parts = []
    for module, package in sorted(modules.items()):
        if module in MODULES:
            parts.append(MODULES[module](package, package.checkout / "Sources" / module))
        elif module not in OWN:
            stop(f"{module} of {package.name} has code in C, and nothing says whose.")
    return parts
