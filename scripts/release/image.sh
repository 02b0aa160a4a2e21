# shellcheck shell=bash disable=SC2154 # dist.sh reads this file, and sets the variables
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
