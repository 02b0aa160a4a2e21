#!/usr/bin/env bash
# Builds everything that a release consists of, for this machine's architecture, into .build/dist: scripts/release/dist.sh
# Expects the programs of `make release` in .build/ship. With --no-image, builds no container image; with --only-image,
# adds it to the other files, with the programs of the tarball; with
# --only-chart, builds the chart's archive alone; with --only-repository, adds the packages in .build/dist to the apt repository.
set -euo pipefail
cd "$(dirname "$0")/../.."
here=scripts/release
build=.build/static
ship=.build/ship
dist=${DIST:-.build/dist}
stage=$dist.tree
architecture=$(dpkg --print-architecture)
repository=$($here/check.py --repository)
owner=$(basename "$(dirname "$repository")")
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
            "$ship/$name" --generate-completion-script "$shell" > "$1/share/$folder/$file"
        done
    done
    mkdir -p "$1/lib/systemd/system" "$1/lib/sysusers.d"
    sed "s|/usr/local/bin/|$2/bin/|g" deploy/systemd/tokend.service > "$1/lib/systemd/system/tokend.service"
    cp deploy/systemd/tokend.sysusers.conf "$1/lib/sysusers.d/tokend.conf"
    install -D -m 0644 -t "$1/share/doc/tokend" LICENSE "$dist/THIRD-PARTY-NOTICES"
    # Its links are relative to a checkout.
    perl -pe "s,(\]\(|src=\")(?!https?:|#),\$1$repository/blob/v$version/,g" README.md \
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
    $here/sbom.py notices $build > "$dist/THIRD-PARTY-NOTICES"
    $here/sbom.py bill $build $ship "$version" "$(git rev-parse HEAD)" "$(date -d "@$SOURCE_DATE_EPOCH" +%FT%TZ)" \
        > "$dist/fleet-token-$version-linux-$architecture.cdx.json"
    tarball
    chart
    package
}

# Fills in what a source does not know, the owner of the repository, in the contents of standard input.
filled() {
    sed -e "s|@REPOSITORY@|$repository|" -e "s|@OWNER_ADDRESS@|$owner@users.noreply.github.com|"
}

# As `helm package` does. The alerts and the dashboard are links in the chart; the archive has their contents.
chart() {
    mkdir -p "$stage/chart"
    cp -RL deploy/helm/fleet-token "$stage/chart/"
    sed -i "s|^  repository: \"\"|  repository: ghcr.io/$owner/tokend|" "$stage/chart/fleet-token/values.yaml"
    printf 'home: %s\nsources: [%s]\n' "$repository" "$repository" >> "$stage/chart/fleet-token/Chart.yaml"
    (cd "$stage/chart" && find fleet-token -type f | LC_ALL=C sort |
        tar --create --files-from=- --format=gnu --owner=0 --group=0 --numeric-owner --mode=0644 \
            --mtime="@$SOURCE_DATE_EPOCH") |
        gzip -9n > "$dist/fleet-token-$(sed -n 's/^version: //p' deploy/helm/fleet-token/Chart.yaml).tgz"
}

# Builds the Debian package from deploy/debian. dpkg-deb takes the times from SOURCE_DATE_EPOCH.
package() {
    local root=$stage/package
    local doc="$root/usr/share/doc/tokend"
    tree "$root/usr" /usr
    # On Debian 12, packages still have units below /lib.
    mkdir -p "$root/lib"
    mv "$root/usr/lib/systemd" "$root/lib"/
    install -D -m 0644 deploy/debian/tokend.yaml "$root/etc/tokend/tokend.yaml"
    mkdir -p "$root/etc/tokend/keys" "$root/etc/logrotate.d"
    mv "$doc/examples/tokend.logrotate" "$root/etc/logrotate.d/tokend"
    rm "$doc/LICENSE" "$doc/examples/tokend.yaml"
    filled < deploy/debian/copyright > "$doc/copyright"
    gzip -9n < CHANGELOG.md > "$doc/changelog.gz"
    gzip -9n "$doc/THIRD-PARTY-NOTICES"
    printf 'tokend (%s) stable; urgency=medium\n\n  * Release %s; changelog.gz has the changes.\n\n -- %s  %s\n' \
        "$version-1" "$version" "$(filled < deploy/debian/control | sed -n 's/^Maintainer: //p')" \
        "$(date -R -d "@$SOURCE_DATE_EPOCH")" | gzip -9n > "$doc/changelog.Debian.gz"
    install -D -m 0644 deploy/debian/lintian-overrides "$root/usr/share/lintian/overrides/tokend"

    # Debian's shells need no interpreter line in a file that is sourced.
    sed -i '1{/^#!/d}' "$root/usr/share/bash-completion/completions"/*

    mkdir "$root/DEBIAN"
    install -m 0755 -t "$root/DEBIAN" deploy/debian/postinst deploy/debian/prerm deploy/debian/postrm
    install -m 0644 -t "$root/DEBIAN" deploy/debian/conffiles
    sed -e "s/@VERSION@/$version-1/" -e "s/@ARCHITECTURE@/$architecture/" -e "s/@DEPENDS@/$(shared_libraries tokend tokenctl)/" \
        -e "s/@SIZE@/$(du -sk --apparent-size --exclude=DEBIAN "$root" | cut -f1)/" deploy/debian/control |
        filled > "$root/DEBIAN/control"
    (cd "$root" && find . -path ./DEBIAN -prune -o -path ./etc -prune -o -type f -printf '%P\0' | sort -z |
        xargs -0 md5sum > DEBIAN/md5sums)
    find "$root" -exec touch --no-dereference --date="@$SOURCE_DATE_EPOCH" {} +
    dpkg-deb --root-owner-group -Zxz -z1 --build "$root" "$dist/tokend_$version-1_$architecture.deb" > /dev/null
}

# The packages of the shared libraries that some programs load, with their least versions.
shared_libraries() {
    local folder=$stage/shlibs program
    local -a programs
    for program; do programs+=("-e$PWD/$ship/$program"); done
    mkdir -p "$folder/debian"
    touch "$folder/debian/control"
    (cd "$folder" && dpkg-shlibdeps -O "${programs[@]}" 2> /dev/null) |
        sed 's/^shlibs:Depends=//'
}

# Adds the packages to an apt repository in .build/apt, which any web server can serve. What is there stays: former versions to go
# back to, and former lists for clients that fetch them by their hash meanwhile. APT_KEY names the key of gpg that signs; without
# it, a key of this checkout's own does.
repository() {
    local apt=${APT:-.build/apt} suite file index hashed name
    suite=$apt/dists/stable
    local -a gpg=(gpg --batch --yes --quiet)
    # One hash, by which apt also names the lists.
    local -a archive=(apt-ftparchive -o APT::FTPArchive::MD5=false -o APT::FTPArchive::SHA1=false -o APT::FTPArchive::SHA512=false)
    mkdir -p "$apt/pool" "$suite"
    cp "$dist"/*.deb "$apt/pool/"
    for file in "$apt"/pool/*.deb; do
        name=${file%.deb}
        index=$suite/main/binary-${name##*_}
        mkdir -p "$index/by-hash/SHA256"
        (cd "$apt" && "${archive[@]}" --arch "${name##*_}" packages pool) > "$index/Packages"
        gzip -9knf "$index/Packages"
    done
    for file in "$suite"/main/*/Packages*; do
        hashed=$(sha256sum "$file")
        cp "$file" "${file%/*}/by-hash/SHA256/${hashed%% *}"
    done
    if [ -z "${APT_KEY:-}" ]; then
        gpg+=(--homedir "$PWD/.build/apt-key")
        APT_KEY="Fleet Token (of this checkout)"
        [ -e .build/apt-key ] || { mkdir -m 0700 .build/apt-key &&
            "${gpg[@]}" --passphrase "" --quick-generate-key "$APT_KEY" rsa3072 sign never; }
    fi
    "${gpg[@]}" --export "$APT_KEY" > "$apt/fleet-token.gpg"
    # The list of the lists is last, by one rename.
    (cd "$suite" && unset SOURCE_DATE_EPOCH && "${archive[@]}" -o APT::FTPArchive::Release::Origin="Fleet Token" \
        -o APT::FTPArchive::Release::Suite=stable -o APT::FTPArchive::Release::Codename=stable \
        -o APT::FTPArchive::Release::Components=main -o APT::FTPArchive::Release::Acquire-By-Hash=yes \
        -o APT::FTPArchive::Release::Architectures="$(cd main && echo binary-* | sed 's/binary-//g')" release .) > "$apt/Release"
    "${gpg[@]}" --local-user "$APT_KEY" --armor --output "$suite/Release.gpg" --detach-sign "$apt/Release"
    "${gpg[@]}" --local-user "$APT_KEY" --output "$suite/InRelease.new" --clear-sign "$apt/Release"
    mv "$apt/Release" "$suite/Release"
    mv "$suite/InRelease.new" "$suite/InRelease"
}

# Builds the image archive from the last stages of deploy/Dockerfile, with the programs that were built here. Debian's
# packages are its base, since this needs no image registry; it needs root, or user namespaces.
# In Docker's format, which every runtime reads: an OCI image has no HEALTHCHECK.
image() {
    local context=$stage/context base=localhost/debian:bookworm-slim
    install -D -t "$context/out" "$ship/tokend" "$ship/tokenctl"
    install -m 0644 -t "$context/out" LICENSE "$dist/THIRD-PARTY-NOTICES"
    base_image $base
    # The stages that compile the programs are replaced by a folder that has them. The Dockerfile's last stage is the same
    # as `service`; buildah would leave its container behind.
    buildah build --target service --isolation chroot --layers=false --format docker --timestamp "$SOURCE_DATE_EPOCH" \
        --build-arg BASE=$base --build-context build="$context" \
        --build-arg VERSION="$version" --build-arg REVISION="$(git rev-parse HEAD)" \
        --volume /etc/apt:/etc/apt:ro --quiet --file deploy/Dockerfile --tag localhost/tokend:"$version" . > /dev/null
    buildah push --quiet localhost/tokend:"$version" \
        "docker-archive:$dist/tokend-$version-linux-$architecture.docker.tar:tokend:$version"
    # The archive has it all. A container that an interrupted build left may still use them; it is no reason to fail.
    buildah rmi localhost/tokend:"$version" $base > /dev/null || true
}

# A Debian without documentation, as the image debian:bookworm-slim is. Its files are kept for the next time.
base_image() {
    local root=.build/rootfs/bookworm.tar
    [ -e $root ] || { mkdir -p .build/rootfs && mmdebstrap --quiet --variant=minbase --aptopt='APT::Install-Recommends "0"' \
        --dpkgopt='path-exclude=/usr/share/doc/*' --dpkgopt='path-exclude=/usr/share/man/*' \
        --dpkgopt='path-exclude=/usr/share/locale/*' --dpkgopt='path-include=/usr/share/doc/*/copyright' \
        bookworm $root.new.tar && mv $root.new.tar $root; }
    local container
    container=$(buildah from scratch)
    buildah add --quiet "$container" $root / > /dev/null
    buildah commit --quiet --rm "$container" "$1" > /dev/null
}

if [ "${1:-}" = --only-chart ]; then
    mkdir -p "$dist"
    chart
    rm -rf "$stage"
    exit
fi
if [ "${1:-}" = --only-repository ]; then
    repository
    exit
fi
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
    image
fi
if [ "${1:-}" = --only-image ]; then
    emulator_image
else
    emulator "${1:-}"
    repository
fi
rm -rf "$stage"
sums=$(cd "$dist" && sha256sum -- *)
echo "$sums" > "$dist/SHA256SUMS"
du -h --apparent-size "$dist"/*
