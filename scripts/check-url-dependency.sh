#!/bin/sh
# Checks that an app can depend on this package by its URL, as Xcode does: a release and a debug build of an app that depends
# on a clone by `file:` URL and tag, without the service's trait. There must be no warning, no package fetched, and no line
# of pkg-config. A dependency by path, as in Examples, is compiled with other rules.
set -eu

fail() {
    echo "check-url-dependency: $1" >&2
    exit 1
}

root=$(cd "$(dirname "$0")/.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# What is committed, under a tag that no other version has.
git clone --quiet --bare "$root" "$work/fleet-token.git"
git -C "$work/fleet-token.git" tag 9999.0.0 HEAD

mkdir -p "$work/app/Sources/app"
cat >"$work/app/Package.swift" <<SWIFT
// swift-tools-version: 6.2
import PackageDescription
let package = Package(
    name: "app",
    platforms: [.iOS(.v16), .macOS(.v15)],
    dependencies: [.package(url: "file://$work/fleet-token.git", exact: "9999.0.0", traits: [])],
    targets: [
        .executableTarget(name: "app", dependencies: [.product(name: "TokenProvider", package: "fleet-token")])
    ]
)
SWIFT
cat >"$work/app/Sources/app/App.swift" <<'SWIFT'
import Foundation
import TokenProvider

@main
struct App {
    static func main() async {
        let tokens = FleetTokenProvider { _ in Token("token", lifetime: 3540) }
        let token = try? await tokens.token(for: .trip("trip-1"))
        print(token?.text ?? "no token")
    }
}
SWIFT

# As an app's developer builds: without this project's own settings, and without installed packages for pkg-config.
unset FLEET_TOKEN_LANE CI
export PKG_CONFIG_LIBDIR=/nonexistent
cd "$work/app"
for configuration in debug release; do
    swift build -c "$configuration" >"$work/log" 2>&1 || { cat "$work/log" >&2; fail "the $configuration build fails."; }
    if grep -iE 'warning|pkg-config|error:' "$work/log" >&2; then fail "the $configuration build warns."; fi
    [ "$(".build/$configuration/app")" = token ] || fail 'the app gets no token.'
done
fetched=$(swift package show-dependencies --format flatlist)
[ "$fetched" = fleet-token ] || fail "other packages were fetched: $fetched"
echo 'check-url-dependency: an app builds with a dependency by URL, and fetches nothing else.'
