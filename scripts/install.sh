#!/bin/sh
# Finds a Swift that is new enough, installs what a purpose lacks, and runs a command: scripts/install.sh PURPOSE [COMMAND ...]
#
# The purposes: the build (`run`), a release build (`release`), its files (`dist`), their tests (`test-dist`), the tests of each
# change (`test`), those in a browser (`browser`), all of them (`all`), the benchmarks (`bench`). Fast if nothing is missing.
#
# Without Swift, COMMAND runs in a container with Swift where Docker or Podman is installed. Elsewhere the script says how to
# install Swift.
set -eu

purpose=${1:-run}
[ $# -eq 0 ] || shift
missing=""
sudo=""
[ "$(id -u)" = 0 ] || sudo=sudo
# Whether tools are wanted that most developers leave to CI.
everything=${CI:-}
[ "$purpose" != all ] || everything=true

cd "$(dirname "$0")/.."

is() { # purposes; succeeds if this is one of them, or if all are wanted
    [ "$purpose" != all ] || return 0
    for each; do [ "$each" != "$purpose" ] || return 0; done
    return 1
}

# Swift

# The oldest that the service is built with. The manifest names that of the modules for apps.
wanted=6.3
# The one that releases are built with.
release=$(sed -n 's/^FROM swift:\([0-9.]*\)-.*/\1/p' deploy/Dockerfile | head -n 1)

found_swift() { # prints the version of the Swift in PATH
    "${SWIFT:-swift}" --version 2>/dev/null | sed -n 's/.*Swift version \([0-9][0-9.]*\).*/\1/p' | head -n 1
}

is_new_enough() { # version
    [ -n "$1" ] && [ "$(printf '%s\n' "$wanted" "$1" | sort -V | head -n 1)" = "$wanted" ]
}

swift_commands() { # how swift.org installs it
    cat <<COMMANDS
curl --fail --location https://download.swift.org/swiftly/linux/swiftly-$(uname -m).tar.gz --output swiftly.tar.gz && tar -xzf swiftly.tar.gz
./swiftly init --assume-yes --skip-install --quiet-shell-followup && . "\${SWIFTLY_HOME_DIR:-\$HOME/.local/share/swiftly}/env.sh"
swiftly install --assume-yes --use $release --post-install-file packages.sh && { [ ! -e packages.sh ] || $sudo sh packages.sh; }
COMMANDS
}

in_container() { # container program, then the command
    engine=$1
    shift
    echo "No Swift $wanted or newer here: building and running in a container with Swift $release, by $engine"
    "$engine" build --target toolchain --tag fleet-token-toolchain --file deploy/Dockerfile .
    # The host's network, since a development server listens on the loopback address only.
    set -- --rm --init --network host --workdir "$PWD" --volume "$PWD:$PWD" fleet-token-toolchain "$@"
    if [ "$purpose" = run ]; then
        # What it writes, such as keys/, is this user's.
        case $engine in
        podman) set -- --userns keep-id "$@" ;;
        *) set -- --user "$(id -u):$(id -g)" --env HOME=/tmp "$@" ;;
        esac
    else
        # Tests install packages, and many need root. What they build is not in the checkout.
        set -- --volume "fleet-token-$purpose:$PWD/.build" --env GIT_CONFIG_COUNT=1 --env GIT_CONFIG_KEY_0=safe.directory \
            --env 'GIT_CONFIG_VALUE_0=*' "$@"
    fi
    [ ! -t 0 ] || set -- --interactive --tty "$@"
    exec "$engine" run "$@"
}

require_swift() { # command
    version=$(found_swift || true)
    ! is_new_enough "$version" || return 0
    if [ "$(uname)" = Darwin ]; then
        echo "Swift $wanted or newer is needed${version:+, and this is $version}: https://www.swift.org/install/macos" >&2
        exit 1
    fi
    if [ $# -gt 0 ]; then
        for engine in docker podman; do
            if command -v "$engine" >/dev/null 2>&1 && "$engine" info >/dev/null 2>&1; then in_container "$engine" "$@"; fi
        done
    fi
    {
        echo "Swift $wanted or newer is needed${version:+, and this is $version}. Install it, in an empty folder:"
        swift_commands
    } >&2
    exit 1
}

# Packages

apt_get() { # arguments; waits for another process's lock on the lists or the packages, five minutes at most
    deadline=$(($(date +%s) + 300))
    while ! message=$(DEBIAN_FRONTEND=noninteractive $sudo apt-get "$@" 2>&1 >/dev/null); do
        case $message in
        *"Could not get lock"* | *"Unable to acquire the dpkg frontend lock"*) ;;
        *) deadline=0 ;;
        esac
        if [ "$(date +%s)" -ge "$deadline" ]; then
            echo "$message" >&2
            return 1
        fi
        echo "Waiting for another process to finish installing packages"
        sleep 3
    done
}

need() { # package, then a command that succeeds if it is installed
    package=$1
    shift
    "$@" >/dev/null 2>&1 || missing="$missing $package"
}

install_missing() {
    [ -n "$missing" ] || return 0
    if ! command -v apt-get >/dev/null 2>&1; then
        echo "Missing:$missing. Install these Debian packages, or their equivalents on this system, and try again." >&2
        exit 1
    fi
    echo "Installing:$missing"
    apt_get update -qq
    # shellcheck disable=SC2086 # a list of names
    apt_get install -y -qq --no-install-recommends $missing
    missing=""
}

unpack() { # package, a file in it, and a folder: without installing it, since it would start a server
    [ ! -e "$3/$2" ] || return 0
    command -v apt-get >/dev/null 2>&1 || { echo "Missing: ${2##*/}, of Debian's package $1" >&2; return 0; }
    echo "Unpacking $1 into $3"
    mkdir -p "$3"
    apt_get update -qq
    (cd "$3" && apt-get -qq -o APT::Sandbox::User=root download "$1" && dpkg -x "$1"_*.deb . && rm "$1"_*.deb)
}

require_swift "$@"

need pkg-config command -v pkg-config
need libssl-dev test -e /usr/include/openssl/evp.h
# swift-nio-extras links it.
need zlib1g-dev test -e /usr/include/zlib.h
need libyaml-dev test -e /usr/include/yaml.h
# Foundation's URLSession needs it, if it is linked statically.
[ "$purpose" = run ] || need libcurl4-openssl-dev sh -c 'command -v curl-config'
need python3 command -v python3
need git command -v git
if is dist test-dist; then
    need dpkg-dev command -v dpkg-shlibdeps
    need binutils command -v readelf
fi
if is test-dist; then
    need lintian command -v lintian
    need mmdebstrap command -v mmdebstrap
    need iproute2 command -v ip
fi
if is test browser; then
    need openssl command -v openssl
    need curl command -v curl
    need binutils command -v readelf
    # The unit runs its kill, and systemd-analyze looks for it.
    need procps test -x /bin/kill
    need shellcheck command -v shellcheck
    # The JavaScript modules and the pages need these.
    need nodejs command -v node
    need node-typescript command -v tsc
    # Reverse proxies, which run as servers.
    if [ -n "$everything" ]; then
        need nginx-light test -x /usr/sbin/nginx
        need caddy command -v caddy
        need haproxy test -x /usr/sbin/haproxy
    fi
    # Its systemd-analyze checks the unit.
    need systemd command -v systemd-analyze
fi
if is browser; then
    if ! command -v chromium-headless-shell chromium google-chrome >/dev/null 2>&1; then
        # Ubuntu has no such package, and its chromium is a snap. A new machine has no list of packages.
        ! command -v apt-get >/dev/null 2>&1 || apt_get update -qq
        if ! apt-cache show chromium-headless-shell >/dev/null 2>&1; then
            echo "The tests in a browser need Chrome or Chromium. Install google-chrome, and try again." >&2
            exit 1
        fi
        need chromium-headless-shell false
    fi
    need fonts-dejavu-core test -e /usr/share/fonts/truetype/dejavu/DejaVuSans.ttf
fi
if [ "$purpose" = bench ]; then
    need openssl command -v openssl
    need wrk command -v wrk
    need golang-github-golang-jwt-jwt-dev test -d /usr/share/gocode/src/github.com/golang-jwt/jwt
    need golang-github-prometheus-client-golang-dev test -d /usr/share/gocode/src/github.com/prometheus/client_golang
    need golang-golang-x-time-dev test -d /usr/share/gocode/src/golang.org/x/time
    need default-jdk-headless command -v javac
    need nodejs command -v node
fi
case $purpose in test | browser | all | bench) need python3-venv python3 -c 'import ensurepip, venv' ;; esac

install_missing

environment() { # requirements file, then the folder of the virtual environment
    cmp -s "$1" "$2/installed.txt" && return
    echo "Installing the requirements in $1 into $2"
    python3 -m venv "$2"
    "$2/bin/pip" install --quiet --disable-pip-version-check --require-hashes -r "$1"
    cp "$1" "$2/installed.txt"
}

if is test browser; then
    environment Tests/EndToEnd/requirements.txt .build/venv
    # Tests the alerts.
    command -v promtool >/dev/null || unpack prometheus usr/bin/promtool .build/tools
fi
if [ "$purpose" = bench ]; then
    environment Benchmarks/requirements.txt .build/bench/venv
fi

[ $# -eq 0 ] || exec "$@"
