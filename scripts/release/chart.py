#!/usr/bin/env python3
"""Packs the Helm chart as `helm package` does, with the same bytes for the same files: chart.py FOLDER

The alerts and the dashboard are links in the chart; the archive has their contents.
"""

import gzip
import io
import os
import pathlib
import re
import sys
import tarfile

CHART = pathlib.Path(__file__).resolve().parents[2] / "deploy/helm/fleet-token"


def pack(folder):
    name, version = (
        re.search(rf"(?m)^{field}: (\S+)$", (CHART / "Chart.yaml").read_text()).group(1) for field in ("name", "version")
    )
    content = io.BytesIO()
    with tarfile.open(fileobj=content, mode="w", format=tarfile.GNU_FORMAT) as archive:
        for path in sorted(path for path in CHART.rglob("*") if path.is_file()):
            member = tarfile.TarInfo(f"{name}/{path.relative_to(CHART)}")
            data = path.read_bytes()
            member.size, member.mode, member.mtime = len(data), 0o644, int(os.environ.get("SOURCE_DATE_EPOCH", "0"))
            archive.addfile(member, io.BytesIO(data))
    (folder / f"{name}-{version}.tgz").write_bytes(gzip.compress(content.getvalue(), mtime=0))


if __name__ == "__main__":
    pack(pathlib.Path(sys.argv[1]))
