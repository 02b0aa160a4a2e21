#!/bin/sh
# Checks that an app can add this package by its URL and tag, as Xcode does: no other package is fetched, and nothing is warned of. It
# builds an app with TokenProvider, for debug and release, from a clone of the last commit.
set -eu

cd "$(dirname "$0")/.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
git clone --quiet . "$work/fleet-token"
git -C "$work/fleet-token" tag 0.1.0
mkdir -p "$work/app/Sources/app"
cat >"$work/app/Package.swift" <<SWIFT
// swift-tools-version: 6.2
import PackageDescription
let package = Package(
    name: "app", platforms: [.macOS(.v15)],
    dependencies: [.package(url: "file://$work/fleet-token", exact: "0.1.0", traits: [])],
    targets: [.executableTarget(name: "app", dependencies: [.product(name: "TokenProvider", package: "fleet-token")])])
SWIFT
echo 'import TokenProvider' >"$work/app/Sources/app/main.swift"
# An app sets no lane, and its CI may set CI.
unset FLEET_TOKEN_LANE
for configuration in debug release; do
    "${SWIFT:-swift}" build --package-path "$work/app" -c "$configuration" >"$work/log" 2>&1 || { cat "$work/log" >&2; exit 1; }
    if grep -iE 'warning|pkg-config' "$work/log" >&2; then exit 1; fi
    if grep '^Fetching' "$work/log" | grep -v "^Fetching .*$work/fleet-token" >&2; then exit 1; fi
done
