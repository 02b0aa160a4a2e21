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

KEYS = {"ec": ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256"], "rsa": ["-newkey", "rsa:2048"]}


class Certificate:
    def __init__(self, folder, name, extensions, authority=None, kind="ec"):
        self.authority = authority
        self.certificate, self.key = folder / f"{name}.crt", folder / f"{name}.key"
        configuration = folder / f"{name}.cnf"
        configuration.write_text(CONFIGURATION.format(name=name, extensions=extensions))
        signing = ["-CA", authority.certificate, "-CAkey", authority.key] if authority else []
        subprocess.run(
            ["openssl", "req", "-x509", *KEYS[kind], "-noenc", "-days", "1", "-config", configuration, "-keyout", self.key,
             "-out", self.certificate, *signing],
            check=True, capture_output=True, timeout=60,
        )  # fmt: skip
        self.key.chmod(0o600)


def authority(folder, name):
    """One that signs others."""
    return Certificate(folder, name, "basicConstraints = critical, CA:TRUE\nkeyUsage = critical, keyCertSign")


def leaf(folder, name, authority, names, kind="ec"):
    """A server's or a client's, with some names: `URI:…, DNS:…, IP:…`."""
    return Certificate(folder, name, f"basicConstraints = critical, CA:FALSE\nsubjectAltName = {names}", authority, kind)


def named(folder, name, authority, names):
    """A client's, with names of any type and content; without names, with none but the subject's."""
    key = ec.generate_private_key(ec.SECP256R1())
    issuer = x509.load_pem_x509_certificate(authority.certificate.read_bytes())
    end = datetime.datetime.now(datetime.timezone.utc) + datetime.timedelta(hours=1)
    builder = _builder(_subject(name), issuer.subject, key, end)
    if names:
        builder = builder.add_extension(x509.SubjectAlternativeName(names), critical=False)
    signing = serialization.load_pem_private_key(authority.key.read_bytes(), None)
    _write(folder, "named", key, builder.sign(signing, hashes.SHA256()))
    return folder / "named.crt", folder / "named.key"


def brief(folder, name, authority, uri, seconds):
    """A client's, which expires in so many seconds; its files, and when it expires."""
    key = ec.generate_private_key(ec.SECP256R1())
    issuer = x509.load_pem_x509_certificate(authority.certificate.read_bytes())
    # Certificates know whole seconds.
    end = datetime.datetime.now(datetime.timezone.utc).replace(microsecond=0) + datetime.timedelta(seconds=seconds)
    builder = _builder(_subject(name), issuer.subject, key, end).add_extension(
        x509.SubjectAlternativeName([x509.UniformResourceIdentifier(uri)]), critical=False
    )
    signing = serialization.load_pem_private_key(authority.key.read_bytes(), None)
    _write(folder, name, key, builder.sign(signing, hashes.SHA256()))
    return folder / f"{name}.crt", folder / f"{name}.key", end


def _subject(name):
    return x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, name)])


def _builder(subject, issuer, key, end):
    """The openssl command makes certificates for whole days from now only."""
    return (
        x509.CertificateBuilder(issuer, subject, key.public_key(), x509.random_serial_number())
        .not_valid_before(end - datetime.timedelta(days=1))
        .not_valid_after(end)
    )


def _write(folder, name, key, certificate):
    (folder / f"{name}.crt").write_bytes(certificate.public_bytes(serialization.Encoding.PEM))
    (folder / f"{name}.key").write_bytes(
        key.private_bytes(
            serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
        )
    )
    (folder / f"{name}.key").chmod(0o600)
