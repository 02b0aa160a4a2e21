#!/bin/sh
# Checks that TokenProvider is light: it imports Foundation only, and Examples, which depends on this package as apps do, gets no
# other package with it.
set -eu

cd "$(dirname "$0")/.."
imports=$(grep -rhoE --include='*.swift' '^ *((public|package|internal) )?import +[A-Za-z_.]+' Sources/TokenProvider |
    sed 's/.* //' | sort -u | grep -vxE 'Foundation|FoundationNetworking|os|ObjectiveC' || true)
[ -z "$imports" ] || {
    echo "check-light-client: TokenProvider must import Foundation only, and not: $imports" >&2
    exit 1
}
# A package on disk goes by the name of its folder.
this=$(basename "$PWD" | tr '[:upper:]' '[:lower:]')
packages=$("${SWIFT:-swift}" package --package-path Examples show-dependencies --format flatlist | grep -vxF "$this" || true)
[ -z "$packages" ] || {
    echo "check-light-client: an app that embeds TokenProvider must not get these packages: $packages" >&2
    exit 1
}
