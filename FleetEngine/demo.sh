#!/bin/sh
# Starts tokend and the Fleet Engine emulator on free ports, lets fleet-demo drive and follow, and ends all of them:
#
#   FleetEngine/demo.sh [--faults PROFILE] [--delivery]
#
# `make demo` builds the programs first. FLEET_TOKEN_BUILD is the folder that has tokend, FLEET_ENGINE_EMULATOR_BUILD the one
# with the emulator and the demo.
set -eu
cd "$(dirname "$0")/.."
tokend=${FLEET_TOKEN_BUILD:-.build/debug}
programs=${FLEET_ENGINE_EMULATOR_BUILD:-FleetEngine/.build/debug}
usage='usage: make demo ARGS="[--faults PROFILE] [--delivery]"

Drives a rider, or with --delivery a parcel, for a minute and a half. PROFILE is one of the emulator: flaky, lossy or quota.'
faults=healthy
delivery=
while [ $# -gt 0 ]; do
    case $1 in
        --faults) faults=${2:?"a profile such as flaky is missing"} && shift ;;
        --delivery) delivery=--delivery ;;
        -h | --help) echo "$usage" && exit ;;
        *) echo "$usage" >&2 && exit 64 ;;
    esac
    shift
done
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
    # The shell may look for the file before the program's process has made it.
    until grep -qs 'Control-C' "$folder/$name.out"; do
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
start "$programs/fleet-engine-emulator" --port 0 --keys "$folder/keys" --token-server "$tokens" --faults "$faults"
engine=$(announced fleet-engine-emulator 'FLEET_ENGINE_EMULATOR_HOST=')
if [ -n "$delivery" ]; then journey='tracking=parcel-1'; else journey='trip=trip-1'; fi
echo "Watch it in a browser: http://$engine/?$journey"
# In the background: while a shell waits for a program in the foreground, it handles no signal.
"$programs/fleet-demo" --tokens "$tokens" --engine "$engine" $delivery &
running="$running $!"
wait "$!"
