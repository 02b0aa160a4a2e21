"""What the listener's TLS offers: forward secrecy and authenticated encryption, and nothing of old."""

import contextlib
import socket
import ssl

import pytest

# Each has to be refused with its own version of TLS, whatever the client's library thinks of it.
ANCIENT = "ALL:@SECLEVEL=0"


@pytest.fixture(scope="module")
def services(make_site, serve_for_module):
    """One with a certificate of each sort of key, since suites go with keys."""
    return {kind: secure(make_site(), serve_for_module, kind) for kind in ("ec", "rsa")}


def secure(site, serve, kind):
    site.use_tls(kind=kind)
    return serve(site)


def agreed(service, ciphers, version=ssl.TLSVersion.TLSv1_2):
    """The suite that a client with these gets; None where there is none."""
    context = service.authority.context()
    context.minimum_version = context.maximum_version = version
    context.set_ciphers(ciphers)
    plain = socket.create_connection(("127.0.0.1", service.port), timeout=30)
    try:
        with context.wrap_socket(plain, server_hostname="127.0.0.1") as connection:
            return connection.cipher()[0]
    except (ssl.SSLError, ConnectionError):
        return None


@pytest.mark.parametrize(
    "kind, ciphers, expected",
    [
        ("rsa", "AES128-SHA:@SECLEVEL=0", None),
        ("rsa", "AES256-GCM-SHA384", None),
        ("rsa", "ECDHE-RSA-AES128-SHA:@SECLEVEL=0", None),
        ("rsa", "ECDHE-RSA-AES128-SHA256", None),
        ("rsa", "ECDHE-RSA-AES128-GCM-SHA256", "ECDHE-RSA-AES128-GCM-SHA256"),
        ("rsa", "ECDHE-RSA-AES256-GCM-SHA384", "ECDHE-RSA-AES256-GCM-SHA384"),
        ("rsa", "ECDHE-RSA-CHACHA20-POLY1305", "ECDHE-RSA-CHACHA20-POLY1305"),
        ("ec", "ECDHE-ECDSA-AES128-SHA:@SECLEVEL=0", None),
        ("ec", "ECDHE-ECDSA-AES256-SHA:@SECLEVEL=0", None),
        ("ec", "ECDHE-ECDSA-AES128-GCM-SHA256", "ECDHE-ECDSA-AES128-GCM-SHA256"),
        ("ec", "ECDHE-ECDSA-CHACHA20-POLY1305", "ECDHE-ECDSA-CHACHA20-POLY1305"),
    ],
)
def test_suites_of_tls_1_2(services, kind, ciphers, expected):
    assert agreed(services[kind], ciphers) == expected


@pytest.mark.parametrize("version", [ssl.TLSVersion.TLSv1, ssl.TLSVersion.TLSv1_1])
@pytest.mark.parametrize("kind", ["ec", "rsa"])
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_older_versions_are_refused(services, kind, version):
    assert agreed(services[kind], ANCIENT, version) is None


def test_client_that_offers_http2_gets_http1(services):
    service = services["ec"]
    context = service.authority.context()
    context.set_alpn_protocols(["h2", "http/1.1"])
    with socket.create_connection(("127.0.0.1", service.port), timeout=30) as plain:
        with context.wrap_socket(plain, server_hostname="127.0.0.1") as connection:
            assert connection.selected_alpn_protocol() == "http/1.1"


@pytest.mark.parametrize("sent", [b"", b"\x16\x03\x01\x02\x00\x01"])
def test_handshake_that_does_not_end_is_closed(serve_solo, sent):
    service = serve_solo(tls=True, service={"requestTimeout": "1s"})
    with socket.create_connection(("127.0.0.1", service.port), timeout=30) as plain:
        plain.sendall(sent)
        assert plain.recv(65536) == b""


def test_connection_over_the_limit_gets_no_plain_text_for_its_handshake(site, serve):
    site.use_tls()
    site.configuration["limits"] = {"connections": 1}
    service = serve(site)
    kept = service.connect()
    assert service.request("/token/driver/v-1", key=service.key, connection=kept).status == 200
    received = b""
    with socket.create_connection(("127.0.0.1", service.port), 60) as refused, contextlib.suppress(ConnectionError):
        # The refusal follows what the client sends.
        refused.sendall(b"\x16\x03\x01")
        # Before a handshake would have to be complete.
        refused.settimeout(5)
        received = refused.recv(65536)
    assert received == b""
    assert service.metric("fleet_token_connections_refused_total") == 1
    assert service.request("/token/driver/v-1", key=service.key, connection=kept).status == 200
