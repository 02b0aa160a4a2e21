#!/bin/sh
# Starts tokend and the Fleet Engine emulator on free ports, lets fleet-demo drive and follow, and ends all of them:
#
#   FleetEngine/demo.sh [--fast] [--faults PROFILE]
#
# `make demo` builds the programs first. FLEET_TOKEN_BUILD is the folder that has tokend, FLEET_ENGINE_EMULATOR_BUILD the one
# with the emulator and the demo.
set -eu
cd "$(dirname "$0")/.."
tokend=${FLEET_TOKEN_BUILD:-.build/debug}
programs=${FLEET_ENGINE_EMULATOR_BUILD:-FleetEngine/.build/debug}
# Wrong arguments and --help start nothing.
for argument; do
    case $argument in -h | --help) exec "$programs/fleet-demo" --help ;; esac
done
"$programs/fleet-demo" --check "$@"
folder=$(mktemp -d)
running=""

finish() {
    # shellcheck disable=SC2086 # a list of process IDs
    [ -z "$running" ] || kill $running 2>/dev/null || true
    wait
    rm -rf "$folder"
}
trap finish EXIT
trap 'exit 129' HUP
trap 'exit 130' INT
trap 'exit 143' TERM

# Starts a program that ends its banner with how to stop it, and waits for the banner.
start() {
    name=$(basename "$1")
    program=$1
    shift
    "$program" "$@" >"$folder/$name.out" 2>"$folder/$name.err" &
    process=$!
    running="$running $process"
    until grep -q 'Control-C' "$folder/$name.out"; do
        if ! kill -0 "$process" 2>/dev/null; then
            cat "$folder/$name.out" "$folder/$name.err" >&2
            exit 1
        fi
        sleep 0.1
    done
}

# Prints what follows a text in a program's banner.
announced() {
    sed -n "s|.*$2\([0-9.]*:[0-9]*\).*|\1|p" "$folder/$1.out" | head -n 1
}

echo "Starting tokend, which makes keys for its accounts ..."
start "$tokend/tokend" dev --port 0 --admin-port 0 --keys "$folder/keys"
tokens=http://$(announced tokend 'http://')
echo "Starting the Fleet Engine emulator ..."
start "$programs/fleet-engine-emulator" --port 0 --keys "$folder/keys" --token-server "$tokens"
engine=$(announced fleet-engine-emulator 'FLEET_ENGINE_EMULATOR_HOST=')
echo "Watch it in a browser: http://$engine/?trip=trip-1"
# In the background: while a shell waits for a program in the foreground, it handles no signal.
"$programs/fleet-demo" --tokens "$tokens" --engine "$engine" "$@" &
running="$running $!"
wait "$!"
