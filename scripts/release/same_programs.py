#!/usr/bin/env python3
"""Checks that an image has the program of a release's tarball: same_programs.py FOLDER-OF-TARBALL FOLDER-OF-IMAGE

The image is made by a job with rights that the job which compiles does not have.
"""

import hashlib
import json
import pathlib
import sys
import tarfile

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


if __name__ == "__main__":
    (tarball,) = pathlib.Path(sys.argv[1]).glob("fleet-token*.tar.gz")
    (image,) = pathlib.Path(sys.argv[2]).glob("tokend*.docker.tar")
    if of_tarball(tarball) != of_image(image):
        sys.exit(f"Error: {PROGRAM} in {image} is not the one in {tarball}.")
