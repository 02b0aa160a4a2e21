# shellcheck shell=bash disable=SC2154 # dist.sh reads this file, and sets the variables
# Builds what the emulator's users download: a tarball, a Debian package, a bill of materials and an image archive.
# `make release-emulator` has built the program.
emulator() {
    local name=fleet-engine-emulator
    local full=$name-$version-linux-$architecture build=.build/static-emulator
    cp FleetEngineEmulator/Package.resolved "$dist/$name-Package.resolved"
    "$here"/sbom.py notices $build > "$stage/emulator-notices"
    "$here"/sbom.py bill $build "$ship" "$version" "$(git rev-parse HEAD)" "$(date -d "@$SOURCE_DATE_EPOCH" +%FT%TZ)" \
        > "$dist/$full.cdx.json"
    emulator_tree "$stage/$full"
    cp CHANGELOG.md "$stage/$full/share/doc/$name/"
    tar --create --directory "$stage" --format=gnu --sort=name --owner=0 --group=0 --numeric-owner \
        --mtime="@$SOURCE_DATE_EPOCH" "$full" | gzip -6n > "$dist/$full.tar.gz"
    emulator_package
    [ "${1:-}" = --no-image ] || emulator_image
}

# $1/bin, $1/share: the program with what belongs to it.
emulator_tree() {
    local program=$ship/fleet-engine-emulator share=$1/share
    install -D -t "$1/bin" "$program"
    mkdir -p "$share/man/man1" "$share/bash-completion/completions" "$share/zsh/vendor-completions" \
        "$share/fish/vendor_completions.d"
    "$program" --experimental-dump-help |
        "$here"/manual.py 1 "$(date -d "@$SOURCE_DATE_EPOCH" '+%B %-d, %Y')" |
        gzip -9n > "$share/man/man1/fleet-engine-emulator.1.gz"
    "$program" --generate-completion-script bash > "$share/bash-completion/completions/fleet-engine-emulator"
    "$program" --generate-completion-script zsh > "$share/zsh/vendor-completions/_fleet-engine-emulator"
    "$program" --generate-completion-script fish > "$share/fish/vendor_completions.d/fleet-engine-emulator.fish"
    install -D -m 0644 -t "$share/doc/fleet-engine-emulator" LICENSE docs/emulator-parity.md
    install -m 0644 "$stage/emulator-notices" "$share/doc/fleet-engine-emulator/THIRD-PARTY-NOTICES"
    install -D -m 0644 -t "$share/doc/fleet-engine-emulator/examples" Examples/EmulatorInCI/github-actions.yml \
        Examples/EmulatorInCI/test_with_testcontainers.py
}

emulator_package() {
    local root=$stage/emulator-package
    local doc="$root/usr/share/doc/fleet-engine-emulator"
    emulator_tree "$root/usr"
    rm "$doc/LICENSE"
    filled < deploy/debian/copyright > "$doc/copyright"
    gzip -9n < CHANGELOG.md > "$doc/changelog.gz"
    gzip -9n "$doc/THIRD-PARTY-NOTICES"
    printf 'fleet-engine-emulator (%s) stable; urgency=medium\n\n  * Release %s; changelog.gz has the changes.\n\n -- %s  %s\n' \
        "$version-1" "$version" "$(filled < deploy/emulator/control | sed -n 's/^Maintainer: //p')" \
        "$(date -R -d "@$SOURCE_DATE_EPOCH")" | gzip -9n > "$doc/changelog.Debian.gz"
    install -D -m 0644 deploy/emulator/lintian-overrides "$root/usr/share/lintian/overrides/fleet-engine-emulator"
    sed -i '1{/^#!/d}' "$root/usr/share/bash-completion/completions"/*
    mkdir "$root/DEBIAN"
    sed -e "s/@VERSION@/$version-1/" -e "s/@ARCHITECTURE@/$architecture/" \
        -e "s/@DEPENDS@/$(shared_libraries fleet-engine-emulator)/" \
        -e "s/@SIZE@/$(du -sk --apparent-size --exclude=DEBIAN "$root" | cut -f1)/" deploy/emulator/control |
        filled > "$root/DEBIAN/control"
    (cd "$root" && find . -path ./DEBIAN -prune -o -type f -printf '%P\0' | sort -z | xargs -0 md5sum > DEBIAN/md5sums)
    find "$root" -exec touch --no-dereference --date="@$SOURCE_DATE_EPOCH" {} +
    dpkg-deb --root-owner-group -Zxz -z1 --build "$root" "$dist/fleet-engine-emulator_$version-1_$architecture.deb" \
        > /dev/null
}

emulator_image() {
    local context=$stage/emulator-context base=localhost/debian:bookworm-slim
    local tag=localhost/fleet-engine-emulator:$version
    install -D -t "$context/out" "$ship/fleet-engine-emulator"
    install -m 0644 LICENSE "$context/out/LICENSE"
    install -m 0644 "$stage/emulator-notices" "$context/out/THIRD-PARTY-NOTICES"
    base_image $base
    buildah build --target emulator --isolation chroot --layers=false --format docker --timestamp "$SOURCE_DATE_EPOCH" \
        --build-arg BASE=$base --build-context build="$context" \
        --build-arg VERSION="$version" --build-arg REVISION="$(git rev-parse HEAD)" \
        --volume /etc/apt:/etc/apt:ro --quiet --file deploy/emulator/Dockerfile --tag "$tag" . > /dev/null
    buildah push --quiet "$tag" \
        "docker-archive:$dist/fleet-engine-emulator-$version-linux-$architecture.docker.tar:fleet-engine-emulator:$version"
    buildah rmi "$tag" $base > /dev/null || true
}
