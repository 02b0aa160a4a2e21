#!/usr/bin/env bash
# Builds a part of a release into .build/dist:
#
#   scripts/dist.sh package   the Debian package of the programs of `make release` (.build/ship)
#   scripts/dist.sh chart     the archive of the Helm chart
#   scripts/dist.sh image     prints the name of the image, with its tag
set -euo pipefail
cd "$(dirname "$0")/.."
ship=.build/ship
dist=${DIST:-.build/dist}
version=$(sed -n 's/.*current = "\(.*\)"/\1/p' Sources/FleetToken/ProductVersion.swift)
owner=$(sed -n 's/^\* @\([A-Za-z0-9-]*\).*/\1/p' .github/CODEOWNERS)
# The commit's, so that the same commit gives the same bytes.
SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct)}
export SOURCE_DATE_EPOCH TZ=UTC LC_ALL=C.UTF-8
umask 022
stage=$(mktemp -d)
trap 'rm -rf "$stage"' EXIT
mkdir -p "$dist"

with_owner() { # copies standard input, with the owner of the repository in place of @OWNER@
    sed "s|@OWNER@|$owner|g"
}

image() {
    echo "ghcr.io/${owner,,}/tokend:$version"
}

# Packs the chart as `helm package` does. The alerts and the dashboard are links in the chart; the archive has their contents.
chart() {
    cp -RL deploy/helm/fleet-token "$stage/"
    with_owner < deploy/observability/alerts.yaml > "$stage/fleet-token/files/alerts.yaml"
    sed -i "s|^image: \"\"|image: $(image)|" "$stage/fleet-token/values.yaml"
    (cd "$stage" && find fleet-token -type f | sort |
        tar --create --files-from=- --owner=0 --group=0 --mode=0644 --mtime="@$SOURCE_DATE_EPOCH") |
        gzip -9n > "$dist/fleet-token-$(sed -n 's/^version: //p' deploy/helm/fleet-token/Chart.yaml).tgz"
}

# The package of deploy/debian. dpkg-deb takes the times from SOURCE_DATE_EPOCH.
package() {
    local root=$stage/package doc=$stage/package/usr/share/doc/tokend architecture
    architecture=$(dpkg --print-architecture)
    install -D -t "$root/usr/bin" "$ship/tokend" "$ship/tokenctl"
    # Packages of Debian 12 have their units below /lib.
    mkdir -p "$root/lib/systemd/system" "$root/usr/lib/sysusers.d"
    sed 's|/usr/local/bin/|/usr/bin/|g' deploy/systemd/tokend.service > "$root/lib/systemd/system/tokend.service"
    cp deploy/systemd/tokend.sysusers.conf "$root/usr/lib/sysusers.d/tokend.conf"
    mkdir -p "$root/etc/tokend/keys"
    install -D -m 0644 deploy/debian/tokend.logrotate "$root/etc/logrotate.d/tokend"
    install -D -m 0644 -t "$doc/examples" deploy/tokend.example.yaml deploy/tokend.schema.json \
        deploy/observability/dashboard.json deploy/missing-lines.jq
    with_owner < deploy/observability/alerts.yaml > "$doc/examples/alerts.yaml"
    with_owner < deploy/debian/copyright > "$doc/copyright"
    scripts/notices.sh .build/static | gzip -9n > "$doc/THIRD-PARTY-NOTICES.gz"
    gzip -9n < CHANGELOG.md > "$doc/changelog.gz"
    printf 'tokend (%s) stable; urgency=medium\n\n  * Release %s; changelog.gz has the changes.\n\n -- %s  %s\n' \
        "$version-1" "$version" "$(with_owner < deploy/debian/control | sed -n 's/^Maintainer: //p')" \
        "$(date -R -d "@$SOURCE_DATE_EPOCH")" | gzip -9n > "$doc/changelog.Debian.gz"
    install -D -m 0644 deploy/debian/lintian-overrides "$root/usr/share/lintian/overrides/tokend"

    mkdir "$root/DEBIAN"
    install -m 0755 -t "$root/DEBIAN" deploy/debian/postinst deploy/debian/prerm deploy/debian/postrm
    install -m 0644 -t "$root/DEBIAN" deploy/debian/conffiles
    sed -e "s/@VERSION@/$version-1/" -e "s/@ARCHITECTURE@/$architecture/" -e "s/@DEPENDS@/$(shared_libraries)/" \
        -e "s/@SIZE@/$(du -sk --apparent-size --exclude=DEBIAN "$root" | cut -f1)/" deploy/debian/control |
        with_owner > "$root/DEBIAN/control"
    (cd "$root" && find usr lib -type f -print0 | sort -z | xargs -0 md5sum > DEBIAN/md5sums)
    find "$root" -exec touch --no-dereference --date="@$SOURCE_DATE_EPOCH" {} +
    dpkg-deb --root-owner-group -Zxz -z1 --build "$root" "$dist/tokend_$version-1_$architecture.deb" > /dev/null
}

# The packages of the shared libraries that the programs load, with their least versions.
shared_libraries() {
    local programs=$PWD/$ship
    mkdir -p "$stage/shlibs/debian"
    touch "$stage/shlibs/debian/control"
    (cd "$stage/shlibs" && dpkg-shlibdeps -O -e"$programs/tokend" -e"$programs/tokenctl" 2> /dev/null) |
        sed 's/^shlibs:Depends=//'
}

case ${1-} in
package | chart | image) "$1" ;;
*)
    echo "usage: scripts/dist.sh package|chart|image" >&2
    exit 64
    ;;
esac
