#!/usr/bin/env bash
# Pins what the tests and the images take from others:
#
#   scripts/pin.sh requirements  writes requirements.txt beside each requirements.in: the newest versions that fit, with hashes
#   scripts/pin.sh images        adds to the images of deploy/Dockerfile and of the workflows the digests that their tags have
#                                now, at their registry; needs skopeo and the network
#
# Review the difference before it is committed.
set -euo pipefail
cd "$(dirname "$0")/.."

requirements() {
    [ -x .build/venv-pin/bin/pip-compile ] || {
        python3 -m venv .build/venv-pin
        .build/venv-pin/bin/pip install --quiet --disable-pip-version-check pip-tools
    }
    for file in Tests/EndToEnd/requirements.in Benchmarks/requirements.in; do
        # No name of an index: each machine has its own.
        .build/venv-pin/bin/pip-compile --quiet --upgrade --generate-hashes --strip-extras --allow-unsafe --no-header \
            --no-emit-index-url --no-emit-trusted-host --no-emit-find-links --output-file "${file%.in}.txt" "$file"
    done
}

images() {
    files=(deploy/Dockerfile .github/workflows/*.yml)
    pattern='\b(swift|debian|ubuntu):[0-9][A-Za-z0-9.-]*(@sha256:[0-9a-f]{64})?'
    grep -hoE "$pattern" "${files[@]}" | sed 's/@.*//' | sort -u | while read -r image; do
        # The digest of the list of all platforms, so that each runner takes its own.
        digest=$(skopeo inspect --raw "docker://docker.io/library/$image" | sha256sum | cut -d ' ' -f 1)
        echo "$image@sha256:$digest"
        sed -Ei "s,\\b${image//./\\.}(@sha256:[0-9a-f]{64})?([^A-Za-z0-9.@-]|$),$image@sha256:$digest\\2,g" "${files[@]}"
    done
}

case ${1-} in
requirements | images) "$1" ;;
*)
    echo "usage: scripts/pin.sh requirements|images" >&2
    exit 64
    ;;
esac
