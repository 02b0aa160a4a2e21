"""Certificates for one test, made with the openssl command."""

import subprocess

CONFIGURATION = """
[req]
distinguished_name = name
x509_extensions = extensions
prompt = no
[name]
CN = {name}
[extensions]
subjectKeyIdentifier = hash
{extensions}
"""


class Certificate:
    """A certificate and its key, by file."""

    def __init__(self, folder, name, extensions, authority=None):
        self.certificate, self.key = folder / f"{name}.crt", folder / f"{name}.key"
        configuration = folder / f"{name}.cnf"
        configuration.write_text(CONFIGURATION.format(name=name, extensions=extensions))
        signing = ["-CA", authority.certificate, "-CAkey", authority.key] if authority else []
        subprocess.run(
            ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-noenc", "-days", "1",
             "-config", configuration, "-keyout", self.key, "-out", self.certificate, *signing],
            check=True, capture_output=True, timeout=60,
        )  # fmt: skip
        self.key.chmod(0o600)


def authority(folder, name):
    """One that signs others."""
    return Certificate(folder, name, "basicConstraints = critical, CA:TRUE\nkeyUsage = critical, keyCertSign")


def leaf(folder, name, authority, names):
    """A server's or a client's, with some names: `URI:…, DNS:…, IP:…`."""
    return Certificate(folder, name, f"basicConstraints = critical, CA:FALSE\nsubjectAltName = {names}", authority)
