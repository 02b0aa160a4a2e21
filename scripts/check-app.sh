#!/bin/sh
# Checks that an app can add TokenProvider by this package's URL and tag, as Xcode does, and gets nothing else with it.
#
# The library imports Foundation only. A debug and a release build of an app that depends on a clone by URL give no warning,
# fetch no other package and don't look for system libraries, and the app gets a token. A dependency by path, as in Examples,
# is compiled with other rules. The macOS job of ci.yml runs this too, and compiles the library for iOS 16.
set -eu

fail() {
    echo "check-app: $1" >&2
    exit 1
}

cd "$(dirname "$0")/.."
imports=$(grep -rhoE --include='*.swift' '^ *((public|package|internal) )?import +[A-Za-z_.]+' Sources/TokenProvider |
    sed 's/.* //' | sort -u | grep -vxE 'Foundation|FoundationNetworking|os|ObjectiveC' || true)
[ -z "$imports" ] || fail "TokenProvider must import Foundation only, and not: $imports"

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# What is committed, under a tag that no other version has.
git clone --quiet --bare . "$work/fleet-token.git"
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
import TokenProvider

@main
struct App {
    static func main() async throws {
        let tokens = FleetTokenProvider { _ in Token("token", lifetime: 3540) }
        print(try await tokens.token(for: .trip("trip-1")).text)
    }
}
SWIFT

# As an app's developer builds: without this project's own settings, and without packages for pkg-config.
unset FLEET_TOKEN_LANE CI
export PKG_CONFIG_LIBDIR=/nonexistent
for configuration in debug release; do
    "${SWIFT:-swift}" build --package-path "$work/app" -c "$configuration" >"$work/log" 2>&1 || {
        cat "$work/log" >&2
        fail "the $configuration build fails."
    }
    if grep -iE 'warning|pkg-config|error:' "$work/log" >&2; then fail "the $configuration build warns."; fi
    [ "$("$work/app/.build/$configuration/app")" = token ] || fail 'the app gets no token.'
done
fetched=$("${SWIFT:-swift}" package --package-path "$work/app" show-dependencies --format flatlist)
[ "$fetched" = fleet-token ] || fail "other packages were fetched: $fetched"
echo 'check-app: an app builds with a dependency by URL, and gets nothing else.'
