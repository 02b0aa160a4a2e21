#!/usr/bin/env bash
# Builds everything that a release consists of, for this machine's architecture, into .build/dist: scripts/release/dist.sh
# Expects the programs of `make release` in .build/ship. With --no-image, builds no container image; with --only-image,
# adds it to the other files, with the programs of the tarball.
set -euo pipefail
cd "$(dirname "$0")/../.."
here=scripts/release
build=.build/static
ship=.build/ship
dist=${DIST:-.build/dist}
stage=$dist.tree
architecture=$(dpkg --print-architecture)
version=$(sed -n 's/.*current = "\(.*\)"/\1/p' Sources/FleetToken/ProductVersion.swift)
# The commit's, so that the same commit gives the same bytes.
SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct)}
export SOURCE_DATE_EPOCH TZ=UTC LC_ALL=C.UTF-8
umask 022

# $1/bin, $1/share and so on: the programs with what belongs to them, as below /usr or /usr/local. $2 is that prefix.
tree() {
    local page name shell file folder
    install -D -t "$1/bin" "$ship/tokend" "$ship/tokenctl"
    for page in tokend.8 tokenctl.1; do
        name=${page%.*}
        mkdir -p "$1/share/man/man${page##*.}"
        "$ship/$name" --experimental-dump-help |
            $here/manual.py "${page##*.}" "$(date -d "@$SOURCE_DATE_EPOCH" '+%B %-d, %Y')" |
            gzip -9n > "$1/share/man/man${page##*.}/$page.gz"
        for shell in "bash $name bash-completion/completions" "zsh _$name zsh/vendor-completions" \
            "fish $name.fish fish/vendor_completions.d"; do
            read -r shell file folder <<< "$shell"
            mkdir -p "$1/share/$folder"
            "$ship/$name" completion "$shell" > "$1/share/$folder/$file"
        done
    done
    mkdir -p "$1/lib/systemd/system" "$1/lib/sysusers.d"
    sed "s|/usr/local/bin/|$2/bin/|g" deploy/systemd/tokend.service > "$1/lib/systemd/system/tokend.service"
    cp deploy/systemd/tokend.sysusers.conf "$1/lib/sysusers.d/tokend.conf"
    install -D -m 0644 -t "$1/share/doc/tokend" LICENSE "$dist/THIRD-PARTY-NOTICES"
    # Its links are relative to a checkout.
    perl -pe "s,(\]\(|src=\")(?!https?:|#),\$1https://github.com/OWNER/fleet-token/blob/v$version/,g" README.md \
        > "$1/share/doc/tokend/README.md"
    install -D -m 0644 -t "$1/share/doc/tokend/examples" deploy/tokend.example.yaml deploy/debian/tokend.yaml \
        deploy/debian/tokend.logrotate deploy/systemd/credentials.conf deploy/observability/alerts.yaml \
        deploy/observability/dashboard.json
    cp -R deploy/proxies "$1/share/doc/tokend/examples/"
}

tarball() {
    local name=fleet-token-$version-linux-$architecture
    tree "$stage/$name" /usr/local
    cp CHANGELOG.md "$stage/$name/share/doc/tokend/"
    tar --create --directory "$stage" --format=gnu --sort=name --owner=0 --group=0 --numeric-owner \
        --mtime="@$SOURCE_DATE_EPOCH" "$name" | gzip -6n > "$dist/$name.tar.gz"
}

# All but the image.
files() {
    cp Package.resolved "$dist/"
    $here/notices.py $build > "$dist/THIRD-PARTY-NOTICES"
    $here/sbom.py $build $ship "$version" "$(git rev-parse HEAD)" "$(date -d "@$SOURCE_DATE_EPOCH" +%FT%TZ)" \
        > "$dist/fleet-token-$version-linux-$architecture.cdx.json"
    tarball
    $here/npm.sh "$dist"
    $here/chart.py "$dist"
    # shellcheck source=scripts/release/package.sh
    . $here/package.sh
    package
}

if [ "${1:-}" = --only-image ]; then
    rm -rf "$stage"
    mkdir -p "$ship"
    (cd "$dist" && sha256sum --check --quiet --strict SHA256SUMS)
    tar --extract --gzip --file "$dist/fleet-token-$version-linux-$architecture.tar.gz" --directory "$ship" \
        --strip-components=2 --wildcards '*/bin/tokend' '*/bin/tokenctl'
    mkdir -p "$stage"
    tar --extract --gzip --file "$dist/fleet-engine-emulator-$version-linux-$architecture.tar.gz" --directory "$ship" \
        --strip-components=2 --wildcards '*/bin/fleet-engine-emulator'
    tar --extract --gzip --file "$dist/fleet-engine-emulator-$version-linux-$architecture.tar.gz" --to-stdout \
        --wildcards '*/THIRD-PARTY-NOTICES' > "$stage/emulator-notices"
    rm "$dist/SHA256SUMS"
else
    rm -rf "$dist" "$stage"
    mkdir -p "$dist"
    files
fi
# shellcheck source=scripts/release/emulator.sh
. $here/emulator.sh
if [ "${1:-}" != --no-image ]; then
    # shellcheck source=scripts/release/image.sh
    . $here/image.sh
    image
fi
if [ "${1:-}" = --only-image ]; then emulator_image; else emulator "${1:-}"; fi
rm -rf "$stage"
sums=$(cd "$dist" && sha256sum -- *)
echo "$sums" > "$dist/SHA256SUMS"
du -h --apparent-size "$dist"/*
