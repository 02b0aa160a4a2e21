#!/bin/sh
# Installs what the build (`run`) or the tests (`test`) need and this machine lacks. Quick when nothing is missing.
set -eu

purpose=${1:-run}
missing=""

need() { # package, then a command that succeeds when it is there
    package=$1
    shift
    "$@" >/dev/null 2>&1 || missing="$missing $package"
}

need pkg-config command -v pkg-config
need libssl-dev test -e /usr/include/openssl/evp.h
need libhiredis-dev test -e /usr/include/hiredis/hiredis.h
if [ "$purpose" = test ]; then
    need libjwt-dev test -e /usr/include/jwt.h
    need openssl command -v openssl
    need redis-server command -v redis-server
    need curl command -v curl
    need shellcheck command -v shellcheck
    # Its promtool checks the metrics' format. It brings a server along, so only CI gets it unasked.
    [ -z "${CI:-}" ] || need prometheus command -v promtool
    need python3-venv python3 -c 'import ensurepip, venv'
fi

if [ -n "$missing" ]; then
    if ! command -v apt-get >/dev/null 2>&1; then
        echo "Missing:$missing. Install them, by whatever names this system has for them, and try again." >&2
        exit 1
    fi
    sudo=""
    [ "$(id -u)" = 0 ] || sudo=sudo
    echo "Installing:$missing"
    $sudo apt-get update -qq
    # shellcheck disable=SC2086 # a list of names
    DEBIAN_FRONTEND=noninteractive $sudo apt-get install -y -qq --no-install-recommends $missing >/dev/null
fi

requirements=Tests/EndToEnd/requirements.txt
if [ "$purpose" = test ] && ! cmp -s $requirements .build/venv/installed.txt; then
    echo "Installing what $requirements names into .build/venv"
    python3 -m venv .build/venv
    .build/venv/bin/pip install --quiet --disable-pip-version-check -r $requirements
    cp $requirements .build/venv/installed.txt
fi
