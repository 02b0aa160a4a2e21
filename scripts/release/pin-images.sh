#!/usr/bin/env bash
# Adds to the images of deploy/Dockerfile and of the release workflow the digests that their tags have now, at their
# registry: scripts/release/pin-images.sh. Needs skopeo and the network. Review the difference before it is committed.
set -euo pipefail
cd "$(dirname "$0")/../.."
files=(deploy/Dockerfile .github/workflows/release.yml)
pattern='\b(swift|debian):[0-9][A-Za-z0-9.-]*(@sha256:[0-9a-f]{64})?'
grep -hoE "$pattern" "${files[@]}" | sed 's/@.*//' | sort -u | while read -r image; do
    # Of the list of all platforms, so that each runner takes its own.
    digest=$(skopeo inspect --raw "docker://docker.io/library/$image" | sha256sum | cut -d ' ' -f 1)
    echo "$image@sha256:$digest"
    sed -Ei "s,\\b${image//./\\.}(@sha256:[0-9a-f]{64})?([^A-Za-z0-9.@-]|$),$image@sha256:$digest\\2,g" "${files[@]}"
done
