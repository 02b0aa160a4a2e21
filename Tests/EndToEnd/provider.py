"""An OpenID Connect provider over TLS, whose documents a test may spoil."""

import http.server
import json
import ssl
import threading

import certificates
from issuer import Issuer

DOCUMENT = "/.well-known/openid-configuration"


class Provider(Issuer):
    """Serves its description and its keys under a path of its own, with a certificate of its own authority."""

    def __init__(self, folder, path="", **options):
        self.authority = certificates.authority(folder, "provider-ca")
        leaf = certificates.leaf(folder, "provider", self.authority, "DNS:localhost")
        self.pages, self.requests = {}, []
        provider = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                provider.requests.append(self.path)
                status, headers, body = provider.pages.get(self.path, (404, {}, b""))
                self.send_response(status)
                for name, value in ({"Content-Length": str(len(body))} | headers).items():
                    self.send_header(name, value)
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *_):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(leaf.certificate, leaf.key)
        # The handshake belongs to the connection's thread: a client that breaks it off must stop no other.
        self.server.socket = context.wrap_socket(self.server.socket, server_side=True, do_handshake_on_connect=False)
        self.path = path
        self.base = f"https://localhost:{self.server.server_port}{path}"
        super().__init__(self.base, **options)
        self.describe()
        self.publish()
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def publish(self):
        self.page(f"{self.path}/keys", self.key_set())

    def describe(self, **changes):
        """Describes itself; a member that is None is left out."""
        document = {
            "issuer": self.name, "authorization_endpoint": f"{self.base}/authorize", "jwks_uri": f"{self.base}/keys",
            "id_token_signing_alg_values_supported": list(self.keys),
        } | changes
        self.page(self.path + DOCUMENT, {name: value for name, value in document.items() if value is not None})

    def page(self, path, content, status=200, **headers):
        body = content if isinstance(content, bytes) else json.dumps(content).encode()
        self.pages[path] = (status, headers, body)

    def stop(self):
        self.server.shutdown()
        self.server.server_close()
