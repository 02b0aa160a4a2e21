"""An OpenID Connect provider over TLS, whose documents a test may spoil."""

import ssl

import certificates
from issuer import Issuer
from servers import Handler, Server

DOCUMENT = "/.well-known/openid-configuration"


class Provider(Issuer, Server):
    """Serves its description and its keys under a path of its own, with a certificate of its own authority."""

    class Handler(Handler):
        protocol_version = "HTTP/1.0"

        def do_GET(self):
            self.server.requests.append(self.path)
            self.send(*self.server.pages.get(self.path, (404,)))

    def __init__(self, folder, path="", **options):
        self.authority = certificates.authority(folder, "provider-ca")
        leaf = certificates.leaf(folder, "provider", self.authority, "DNS:localhost")
        self.context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        self.context.load_cert_chain(leaf.certificate, leaf.key)
        self.pages, self.requests, self.path = {}, [], path
        Server.__init__(self, self.Handler)
        Issuer.__init__(self, f"https://localhost:{self.server_port}{path}", **options)
        self.describe()
        self.page(f"{path}/keys", self.key_set())

    def get_request(self):
        # The handshake belongs to the connection's thread: a client that breaks it off must stop no other.
        connection, address = super().get_request()
        return self.context.wrap_socket(connection, server_side=True, do_handshake_on_connect=False), address

    def describe(self, **changes):
        """Describes itself; a member that is None is left out."""
        document = {
            "issuer": self.name, "authorization_endpoint": f"{self.name}/authorize", "jwks_uri": f"{self.name}/keys",
            "id_token_signing_alg_values_supported": list(self.keys),
        } | changes
        self.page(self.path + DOCUMENT, {name: value for name, value in document.items() if value is not None})

    def page(self, path, content, status=200, **headers):
        self.pages[path] = (status, content, None, headers)
