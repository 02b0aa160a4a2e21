#!/bin/sh
# Tries the package on a fresh Debian or Ubuntu, as root: installs it, writes a configuration, makes keys, starts the service
# as its unit says, fetches a token and verifies it: Tests/EndToEnd/try-package.sh PACKAGE
set -eu
package=$(realpath "$1")
export DEBIAN_FRONTEND=noninteractive
apt-get -q update
apt-get -q -y --no-install-recommends install "$package"

folder=$(mktemp -d)
cd "$folder"
tokend init --project my-project --caller api-key --ids any --offline
for kind in consumer driver; do
    tokenctl keys new "$kind.json" --email "$kind@example.invalid" > /dev/null
    install -m 0640 -g tokend "$kind.json" /etc/tokend/keys/
done
(umask 077; printf 'X-API-Key: %s\n' "$(cat /etc/tokend/backend.key)" > header)
runuser -u tokend -- tokend check

# Its words are to be split: the unit's command.
# shellcheck disable=SC2046
setpriv --reuid=tokend --regid=tokend --clear-groups $(sed -n 's/^ExecStart=//p' /lib/systemd/system/tokend.service) 2> log &
trap 'kill $!' EXIT
timeout 30 sh -c 'until tokend healthcheck 2> /dev/null; do sleep 0.1; done' || { cat log; exit 1; }
tokenctl fetch --server http://127.0.0.1:8080 --kind driver --id vehicle-1 --header-file header > token
tokenctl verify token --kind driver --id vehicle-1 --jwks http://127.0.0.1:9090/.well-known/jwks.json
echo "The package works on $(sed -n 's/^PRETTY_NAME="\(.*\)"/\1/p' /etc/os-release)."
