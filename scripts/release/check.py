#!/usr/bin/env python3
"""Checks that the version is the same everywhere, that dependencies are those reviewed, and that a tag may be released.

    check.py               the source's version fits the CHANGELOG's top entry; what was resolved, if anything was, has the
                           reviewed versions
    check.py --tag v0.1.0  all that a release needs: the tag's version, its entry with a date, and no placeholders
    check.py --notes       prints the top entry, as the release's notes
    check.py --repository  prints the repository's URL
    check.py --same BUILT IMAGE
                           the image in a folder has the program of the tarball in another: it is made by a job with rights that
                           the job which compiles does not have
"""

import argparse
import hashlib
import json
import pathlib
import re
import subprocess
import sys
import tarfile

import versions
from dependencies import ROOT, product_version

# The one file with the owner of the repository, whom a maintainer fills in before the first release. All else derives from it.
CODEOWNERS = ROOT / ".github/CODEOWNERS"
PLACEHOLDER = "OWNER"
# Files that name images of containers, and an image whose tag could be moved to another: one without a digest.
IMAGES = ["deploy/Dockerfile", ".github/workflows/release.yml"]
MOVABLE = re.compile(r"(?m)(?:^FROM|^ARG BASE=|\bimage:|\bcontainer:)[ =]*([a-z][\w./-]*:[\w.-]+)(?!\S)")
RELEASED = re.compile(r"\[?(\d+\.\d+\.\d+)\]? [-–] \d{4}-\d{2}-\d{2}")


def entries(changelog):
    """The headings of the CHANGELOG with the text below them, the newest first."""
    parts = re.split(r"(?m)^## (.+)\n", changelog)[1:]
    return [(title.strip(), text.strip("\n")) for title, text in zip(parts[::2], parts[1::2], strict=True)]


EMULATOR = ROOT / "FleetEngineEmulator/Sources/FleetEngineEmulator/HTTP/HTTPCall.swift"


def emulator_version():
    """The version of the emulator, which is released with the rest."""
    return re.search(r'current = "(.*)"', EMULATOR.read_text()).group(1)


def emulator_problems():
    """Whether the emulator's version is another."""
    if emulator_version() != product_version():
        yield f"EmulatorVersion is {emulator_version()}, but ProductVersion is {product_version()}."


def owner():
    """The owner of the repository at GitHub."""
    return re.search(r"(?m)^\* @([\w-]+)", CODEOWNERS.read_text())[1]


def placeholder_problems():
    """Files that name the owner themselves, by the placeholder."""
    command = ["git", "grep", "--name-only", f"github.com/{PLACEHOLDER}/\\|ghcr.io/{PLACEHOLDER}/\\|@{PLACEHOLDER}\\b"]
    found = subprocess.run(command, cwd=ROOT, capture_output=True, text=True).stdout.split()
    yield from (f"{name} contains the placeholder {PLACEHOLDER}." for name in found if name != ".github/CODEOWNERS")


def numbers(version):
    return [int(part) for part in version.split(".")]


def problems(version, found):
    """What is wrong between the source's version and the CHANGELOG."""
    title, text = found[0]
    if title == "Unreleased":
        if text and len(found) > 1 and (last := RELEASED.fullmatch(found[1][0])):
            if numbers(version) < numbers(last.group(1)):
                yield f"ProductVersion is {version}, which is older than the released {last.group(1)}."
    elif not (released := RELEASED.fullmatch(title)):
        yield f"CHANGELOG.md begins with '{title}': neither 'Unreleased' nor 'X.Y.Z - YYYY-MM-DD'."
    elif released.group(1) != version:
        yield f"ProductVersion is {version}, but CHANGELOG.md begins with {released.group(1)}."


def release_problems(tag, version, found):
    """What keeps a tag from being released."""
    if tag != f"v{version}":
        yield f"The tag is {tag}, but ProductVersion is {version}."
    if not RELEASED.fullmatch(found[0][0]):
        yield f"CHANGELOG.md begins with '{found[0][0]}' and not with this version and its date."
    if owner() == PLACEHOLDER:
        yield f".github/CODEOWNERS contains the placeholder {PLACEHOLDER}."
    for name in IMAGES:
        for image in sorted(set(MOVABLE.findall((ROOT / name).read_text()))):
            yield f"{name} names the image {image} without a digest. Run scripts/pin.sh images."


def dependency_problems():
    """What was resolved otherwise than reviewed; nothing where nothing was resolved."""
    yield from versions.all_problems(versions.FOLDERS)


# The image has the programs that were compiled

PROGRAM = "tokend"


def of_tarball(path):
    """The SHA-256 of the program in a release's tarball."""
    with tarfile.open(path) as archive:
        return digest(archive, f"{archive.next().name.split('/')[0]}/bin/{PROGRAM}")


def of_image(path):
    """The SHA-256 of the program in the topmost layer of a Docker archive that has one."""
    with tarfile.open(path) as archive:
        (manifest,) = json.load(archive.extractfile("manifest.json"))
        for layer in reversed(manifest["Layers"]):
            with tarfile.open(fileobj=archive.extractfile(layer)) as files:
                names = [name for name in files.getnames() if name.lstrip("./") == f"usr/local/bin/{PROGRAM}"]
                if names:
                    return digest(files, names[-1])
    raise SystemExit(f"{path} has no {PROGRAM}.")


def digest(archive, name):
    return hashlib.sha256(archive.extractfile(name).read()).hexdigest()


def require_same(built, image):
    (tarball,) = pathlib.Path(built).glob("fleet-token*.tar.gz")
    (archive,) = pathlib.Path(image).glob("tokend*.docker.tar")
    if of_tarball(tarball) != of_image(archive):
        sys.exit(f"Error: {PROGRAM} in {archive} is not the one in {tarball}.")


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--tag")
    parser.add_argument("--notes", action="store_true")
    parser.add_argument("--repository", action="store_true")
    parser.add_argument("--same", nargs=2, metavar=("BUILT", "IMAGE"))
    arguments = parser.parse_args()
    if arguments.same:
        sys.exit(require_same(*arguments.same))
    if arguments.repository:
        print(f"https://github.com/{owner()}/fleet-token")
        sys.exit()
    found = entries((ROOT / "CHANGELOG.md").read_text())
    if arguments.notes:
        print(found[0][1])
        sys.exit()
    messages = [
        *problems(product_version(), found), *emulator_problems(), *dependency_problems(), *placeholder_problems(),
    ]  # fmt: skip
    if arguments.tag:
        messages += release_problems(arguments.tag, product_version(), found)
    for message in messages:
        print(f"Error: {message}", file=sys.stderr)
    sys.exit(1 if messages else 0)
