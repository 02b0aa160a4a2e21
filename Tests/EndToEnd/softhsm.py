"""SoftHSM, a PKCS#11 token in software."""

import functools
import os
import pathlib
import shutil
import subprocess
import tempfile

MODULE = pathlib.Path("/usr/lib/softhsm/libsofthsm2.so")
ACCOUNT = "driver@my-project.iam.gserviceaccount.com"
PIN = "73519284"


@functools.cache
def token():
    """A folder with a token that has two keys, `driver` and `other`; and the public half of the first."""
    folder = tempfile.TemporaryDirectory()
    environment = configured(pathlib.Path(folder.name))

    def run(*command):
        return subprocess.run(command, env=environment, cwd=folder.name, check=True, capture_output=True, timeout=60).stdout

    run("softhsm2-util", "--init-token", "--free", "--label", "fleet", "--so-pin", "87654321", "--pin", PIN)
    for label, key_id in (("other", "a2"), ("driver", "a1")):
        # Made outside, as only a test may.
        run("openssl", "genpkey", "-algorithm", "RSA", "-out", "key.pem")
        run("softhsm2-util", "--import", "key.pem", "--token", "fleet", "--label", label, "--id", key_id, "--pin", PIN)
    return folder, run("openssl", "pkey", "-in", "key.pem", "-pubout")


def configured(folder):
    """The environment in which SoftHSM's tokens are in a folder."""
    (folder / "tokens").mkdir(exist_ok=True)
    (folder / "softhsm2.conf").write_text(f"directories.tokendir = {folder / 'tokens'}\nlog.level = ERROR\n")
    return os.environ | {"SOFTHSM2_CONF": str(folder / "softhsm2.conf")}


def copy(folder, monkeypatch):
    """Gives a test a token of its own in a folder; returns the public half of its key for drivers."""
    original, public = token()
    shutil.copytree(pathlib.Path(original.name) / "tokens", folder / "tokens")
    monkeypatch.setenv("SOFTHSM2_CONF", configured(folder)["SOFTHSM2_CONF"])
    return public


def use(site, module, key="driver", kind="driver"):
    """Lets a kind be signed with a key in the token, and returns the key's settings."""
    site.secret_file("pin", PIN)
    settings = {"module": str(module), "token": "fleet", "key": key, "pinFile": "pin"}
    site.configuration["kinds"][kind] = {"pkcs11": settings, "issuer": ACCOUNT, "keyId": f"0123{key}"}
    return settings
