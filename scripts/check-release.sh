#!/bin/sh
# Lists what a release lacks in the sources: scripts/check-release.sh v0.1.0
set -eu
cd "$(dirname "$0")/.."
version=${1#v}
status=0

problem() { # text
    echo "error: $1" >&2
    status=1
}

for file in Sources/FleetToken/ProductVersion.swift FleetEngine/Sources/fleet-engine-emulator/Command/EmulatorVersion.swift; do
    grep -qF "current = \"$version\"" "$file" || problem "$file has another version than $version."
done
grep -qE "^## $version - [0-9]{4}-[0-9]{2}-[0-9]{2}$" CHANGELOG.md || problem "CHANGELOG.md has no section \"$version - YYYY-MM-DD\"."
if grep -q '@OWNER' .github/CODEOWNERS; then problem '.github/CODEOWNERS has the placeholder @OWNER.'; fi
if grep -nE '(swift|debian|ubuntu):[0-9]' deploy/Dockerfile .github/workflows/*.yml | grep -v '@sha256:' >&2; then
    problem 'The images above have no digest: scripts/pin.sh images.'
fi
exit $status
