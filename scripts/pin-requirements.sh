#!/bin/sh
# Writes requirements.txt beside each requirements.in: the newest versions that fit, with the hashes of their files.
set -eu
cd "$(dirname "$0")/.."
[ -x .build/venv-pin/bin/pip-compile ] || {
    python3 -m venv .build/venv-pin
    .build/venv-pin/bin/pip install --quiet --disable-pip-version-check pip-tools
}
for file in Tests/EndToEnd/requirements.in Tests/EndToEnd/requirements-checkov.in Benchmarks/requirements.in; do
    # No name of an index: each machine has its own.
    .build/venv-pin/bin/pip-compile --quiet --upgrade --generate-hashes --strip-extras --allow-unsafe --no-header \
        --no-emit-index-url --no-emit-trusted-host --no-emit-find-links --output-file "${file%.in}.txt" "$file"
done
