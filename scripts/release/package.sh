# shellcheck shell=bash disable=SC2154 # dist.sh reads this file, and sets the variables
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
    install -m 0644 deploy/debian/copyright "$doc/copyright"
    gzip -9n < CHANGELOG.md > "$doc/changelog.gz"
    gzip -9n "$doc/THIRD-PARTY-NOTICES"
    printf 'tokend (%s) stable; urgency=medium\n\n  * Release %s; changelog.gz has the changes.\n\n -- %s  %s\n' \
        "$version-1" "$version" "$(sed -n 's/^Maintainer: //p' deploy/debian/control)" \
        "$(date -R -d "@$SOURCE_DATE_EPOCH")" | gzip -9n > "$doc/changelog.Debian.gz"
    install -D -m 0644 deploy/debian/lintian-overrides "$root/usr/share/lintian/overrides/tokend"

    # Debian's shells need no interpreter line in a file that is sourced.
    sed -i '1{/^#!/d}' "$root/usr/share/bash-completion/completions"/*

    mkdir "$root/DEBIAN"
    install -m 0755 -t "$root/DEBIAN" deploy/debian/postinst deploy/debian/prerm deploy/debian/postrm
    install -m 0644 -t "$root/DEBIAN" deploy/debian/conffiles
    sed -e "s/@VERSION@/$version-1/" -e "s/@ARCHITECTURE@/$architecture/" -e "s/@DEPENDS@/$(shared_libraries tokend tokenctl)/" \
        -e "s/@SIZE@/$(du -sk --apparent-size --exclude=DEBIAN "$root" | cut -f1)/" deploy/debian/control \
        > "$root/DEBIAN/control"
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
