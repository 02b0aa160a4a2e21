"""Certificates for one test, made with the openssl command."""

import datetime
import subprocess

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec

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
        self.authority = authority
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


def expired(folder, name):
    """One that was valid yesterday; the openssl command makes none."""
    key = ec.generate_private_key(ec.SECP256R1())
    subject = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, name)])
    now = datetime.datetime.now(datetime.timezone.utc)
    certificate = (
        x509.CertificateBuilder(subject, subject, key.public_key(), x509.random_serial_number())
        .not_valid_before(now - datetime.timedelta(days=2))
        .not_valid_after(now - datetime.timedelta(days=1))
        .sign(key, hashes.SHA256())
    )
    (folder / f"{name}.crt").write_bytes(certificate.public_bytes(serialization.Encoding.PEM))
    (folder / f"{name}.key").write_bytes(
        key.private_bytes(
            serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
        )
    )
    (folder / f"{name}.key").chmod(0o600)
