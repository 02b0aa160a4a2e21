"""Certificates for one test."""

import datetime
import ipaddress
import ssl

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec, rsa
from cryptography.x509.oid import NameOID

NAMES = {
    "URI": x509.UniformResourceIdentifier, "DNS": x509.DNSName, "IP": lambda text: x509.IPAddress(ipaddress.ip_address(text)),
}  # fmt: skip
# Those that an authority has not.
USAGES = [
    "digital_signature", "content_commitment", "key_encipherment", "data_encipherment", "key_agreement", "crl_sign", "encipher_only",
    "decipher_only",
]  # fmt: skip


class Certificate:
    """A certificate and its key, in files; an authority's without the name of another."""

    def __init__(self, folder, name, authority, names, kind="ec", subject=None, seconds=86400):
        self.certificate, self.key = folder / f"{name}.crt", folder / f"{name}.key"
        self.private = ec.generate_private_key(ec.SECP256R1()) if kind == "ec" else rsa.generate_private_key(65537, 2048)
        self.subject = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, subject or name)])
        issuer = authority or self
        # Certificates know whole seconds.
        self.end = datetime.datetime.now(datetime.timezone.utc).replace(microsecond=0) + datetime.timedelta(seconds=seconds)
        public = self.private.public_key()
        builder = (
            x509.CertificateBuilder(issuer.subject, self.subject, public, x509.random_serial_number())
            .not_valid_before(self.end - datetime.timedelta(days=1))
            .not_valid_after(self.end)
            .add_extension(x509.BasicConstraints(authority is None, None), critical=True)
            .add_extension(x509.SubjectKeyIdentifier.from_public_key(public), critical=False)
        )
        if authority is None:
            usage = x509.KeyUsage(key_cert_sign=True, **dict.fromkeys(USAGES, False))
            builder = builder.add_extension(usage, critical=True)
        if isinstance(names, str):
            names = [NAMES[kind](text) for kind, _, text in (name.strip().partition(":") for name in names.split(",") if name)]
        if names:
            builder = builder.add_extension(x509.SubjectAlternativeName(names), critical=False)
        pem = serialization.Encoding.PEM
        self.certificate.write_bytes(builder.sign(issuer.private, hashes.SHA256()).public_bytes(pem))
        self.key.touch(0o600)
        encoding = (pem, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
        self.key.write_bytes(self.private.private_bytes(*encoding))

    def context(self):
        """What a client needs to trust an authority's servers."""
        return ssl.create_default_context(cafile=self.certificate)



def authority(folder, name="authority"):
    """One that signs others."""
    return Certificate(folder, name, None, "")


def leaf(folder, name, authority, names, **options):
    """A server's, with some names: `URI:…, DNS:…, IP:…`, or a list of names of any type and content."""
    return Certificate(folder, name, authority, names, **options)
