#!/bin/sh
# Installs missing dependencies of the build (`run`), a release build (`release`), the release's files (`dist`), the
# tests of these (`test-dist`), all other tests (`test`) or the benchmarks (`bench`). Fast if nothing is missing.
set -eu

purpose=${1:-run}
missing=""
sudo=""
[ "$(id -u)" = 0 ] || sudo=sudo

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

need pkg-config command -v pkg-config
need libssl-dev test -e /usr/include/openssl/evp.h
# swift-nio-extras links it.
need zlib1g-dev test -e /usr/include/zlib.h
need libyaml-dev test -e /usr/include/yaml.h
# For Foundation's URLSession, if it is linked statically.
[ "$purpose" = run ] || need libcurl4-openssl-dev sh -c 'command -v curl-config'
[ -z "${CI:-}" ] || need ccache command -v ccache
if [ "$purpose" = dist ] || [ "$purpose" = test-dist ]; then
    need python3 command -v python3
    need dpkg-dev command -v dpkg-shlibdeps
    need binutils command -v readelf
    need mmdebstrap command -v mmdebstrap
    need buildah command -v buildah
    # For the types of the npm package.
    need node-typescript command -v tsc
fi
if [ "$purpose" = test-dist ]; then
    need lintian command -v lintian
    need man-db command -v man
    need zsh command -v zsh
    need fish command -v fish
    need iproute2 command -v ip
fi
if [ "$purpose" = test ]; then
    need libjwt-dev test -e /usr/include/jwt.h
    need openssl command -v openssl
    need redis-server command -v redis-server
    # Compares the emulator's .proto files with Google's descriptors.
    need protobuf-compiler command -v protoc
    need libprotobuf-dev test -e /usr/include/google/protobuf/timestamp.proto
    need curl command -v curl
    need softhsm2 command -v softhsm2-util
    # The tests compile a faulty PKCS#11 module.
    need gcc command -v cc
    need binutils command -v readelf
    need shellcheck command -v shellcheck
    # For the JavaScript modules and the pages.
    need nodejs command -v node
    need node-typescript command -v tsc
    need chromium-headless-shell sh -c 'command -v chromium-headless-shell || command -v chromium'
    need fonts-dejavu-core test -e /usr/share/fonts/truetype/dejavu/DejaVuSans.ttf
    # For promtool, which checks the metrics' format. The package includes a server, so install it in CI only.
    [ -z "${CI:-}" ] || need prometheus command -v promtool
    # Reverse proxies and a TLS scanner. The proxies run as servers, so install them in CI only.
    if [ -n "${CI:-}" ]; then
        need nginx-light test -x /usr/sbin/nginx
        need caddy command -v caddy
        need haproxy test -x /usr/sbin/haproxy
        need testssl.sh command -v testssl
    fi
    # For systemd-analyze, which checks the unit.
    need systemd command -v systemd-analyze
fi
if [ "$purpose" = bench ]; then
    need gcc command -v cc
    need openssl command -v openssl
    need wrk command -v wrk
    need golang-go command -v go
    need golang-github-golang-jwt-jwt-dev test -d /usr/share/gocode/src/github.com/golang-jwt/jwt
    need golang-github-prometheus-client-golang-dev test -d /usr/share/gocode/src/github.com/prometheus/client_golang
    need golang-golang-x-time-dev test -d /usr/share/gocode/src/golang.org/x/time
    need default-jdk-headless command -v javac
    need nodejs command -v node
    need valgrind command -v valgrind
fi
case $purpose in test | bench) need python3-venv python3 -c 'import ensurepip, venv' ;; esac

if [ -n "$missing" ]; then
    if ! command -v apt-get >/dev/null 2>&1; then
        echo "Missing:$missing. Install these Debian packages, or their equivalents on this system, and try again." >&2
        exit 1
    fi
    echo "Installing:$missing"
    apt_get update -qq
    # shellcheck disable=SC2086 # a list of names
    apt_get install -y -qq --no-install-recommends $missing
fi

environment() { # requirements file, then the folder of the virtual environment
    cmp -s "$1" "$2/installed.txt" && return
    echo "Installing the requirements in $1 into $2"
    python3 -m venv "$2"
    "$2/bin/pip" install --quiet --disable-pip-version-check --require-hashes -r "$1"
    cp "$1" "$2/installed.txt"
}

if [ "$purpose" = test ]; then
    environment Tests/EndToEnd/requirements.txt .build/venv
    # Large, and for files that seldom change.
    [ -z "${CI:-}" ] || environment Tests/EndToEnd/requirements-checkov.txt .build/venv-checkov
fi
if [ "$purpose" = bench ]; then
    environment Benchmarks/requirements.txt .build/bench/venv
    # Unpacked, not installed: Debian's package would start a web server.
    if ! command -v /usr/sbin/nginx >/dev/null && [ ! -e .build/bench/nginx/usr/sbin/nginx ]; then
        echo "Unpacking nginx into .build/bench/nginx"
        apt_get update -qq
        (cd .build/bench && apt-get download -qq nginx && dpkg -x nginx_*.deb nginx)
    fi
fi
