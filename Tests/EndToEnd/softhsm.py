"""SoftHSM, a PKCS#11 token in software."""

import os
import pathlib
import subprocess

MODULE = pathlib.Path("/usr/lib/softhsm/libsofthsm2.so")
ACCOUNT = "driver@my-project.iam.gserviceaccount.com"
PIN = "73519284"


class HSM:
    def __init__(self, folder):
        self.folder = folder
        (folder / "tokens").mkdir()
        self.environment = os.environ | {"SOFTHSM2_CONF": str(folder / "softhsm2.conf")}
        (folder / "softhsm2.conf").write_text(f"directories.tokendir = {folder / 'tokens'}\nlog.level = ERROR\n")
        self.util("--init-token", "--free", "--label", "fleet", "--so-pin", "87654321", "--pin", PIN)

    def util(self, *arguments):
        subprocess.run(["softhsm2-util", *arguments], env=self.environment, check=True, capture_output=True, timeout=60)

    def add(self, label, key_id):
        """Makes a key outside, as only a test may, puts it in, and returns its public half."""
        pem = self.folder / f"{label}.pem"
        subprocess.run(["openssl", "genpkey", "-algorithm", "RSA", "-out", pem], check=True, capture_output=True)
        public = subprocess.run(["openssl", "pkey", "-in", pem, "-pubout"], check=True, capture_output=True).stdout
        self.util("--import", pem, "--token", "fleet", "--label", label, "--id", key_id, "--pin", PIN)
        pem.unlink()
        return public


def use(site, module, key="driver", kind="driver"):
    """Lets a kind be signed with a key in the token, and returns the key's settings."""
    site.secret_file("pin", PIN)
    settings = {"module": str(module), "token": "fleet", "key": key, "pinFile": "pin"}
    site.configuration["kinds"][kind] = {"pkcs11": settings, "issuer": ACCOUNT, "keyId": f"0123{key}"}
    return settings
