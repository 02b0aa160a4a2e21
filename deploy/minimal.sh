#!/bin/sh
# Copies what programs need from this Debian into an empty folder: the packages of the libraries that they load, without their
# documentation, and certificate authorities. No shell, no package manager, no program with SUID: minimal.sh FOLDER PROGRAM...
set -eu
root=$1
shift

owner() { # of a library's file; on merged-/usr systems, packages know some files under their old names
    name=$(dpkg-query --search "$1" 2> /dev/null || dpkg-query --search "/usr$1" 2> /dev/null ||
        dpkg-query --search "${1#/usr}") || { echo "No package has $1." >&2; exit 1; }
    echo "${name%%:*}"
}

libraries=$(ldd "$@" | awk '/not found/ { print > "/dev/stderr"; exit 1 } $2 == "=>" { print $3 } $1 ~ "^/" { print $1 }')
packages=$(for library in $libraries; do owner "$library"; done; echo base-files; echo ca-certificates)
packages=$(echo "$packages" | sort -u)

mkdir -p "$root/usr/lib" "$root/usr/lib64" "$root/usr/bin" "$root/etc/ssl/certs" "$root/var/lib/dpkg/status.d"
for folder in lib lib64 bin; do ln -s "usr/$folder" "$root/$folder"; done
for package in $packages; do
    # Vulnerability scanners read this.
    dpkg-query --status "$package" > "$root/var/lib/dpkg/status.d/$package"
    dpkg-query --listfiles "$package" | while read -r file; do
        case $file in
            /usr/share/doc/*/copyright | /usr/lib/os-release | /etc/os-release | /usr/share/common-licenses/*) ;;
            /usr/share/ca-certificates/* | /usr/sbin/* | /sbin/* | /usr/share/* | /etc/* | /usr/lib/*/gconv/* | /usr/lib/*/audit/*) continue ;;
        esac
        if [ -f "$file" ] || [ -L "$file" ] && [ ! -d "$file" ]; then echo "${file#/}"; fi
    done
done | tar -C / --no-recursion --dereference --hard-dereference --files-from=- --create | tar -C "$root" --keep-directory-symlink --extract
# The package's own script makes this file.
cp /etc/ssl/certs/ca-certificates.crt "$root/etc/ssl/certs/"

echo 'hosts: files dns' > "$root/etc/nsswitch.conf"
printf '%s\n' 'root:x:0:0:root:/root:/usr/sbin/nologin' 'tokend:x:65532:65532::/nonexistent:/usr/sbin/nologin' > "$root/etc/passwd"
printf '%s\n' 'root:x:0:' 'tokend:x:65532:' > "$root/etc/group"
install -d -m 1777 "$root/tmp"
install -d -m 0755 "$root/proc" "$root/sys" "$root/dev" "$root/run" "$root/usr/local/bin" "$root/etc/tokend"
install -d -o 65532 -g 65532 -m 0700 "$root/keys"
