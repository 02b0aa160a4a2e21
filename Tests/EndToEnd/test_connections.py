"""How long a connection, and what its client showed at its beginning, is good for."""

import contextlib
import http.client
import ssl

import pytest

import certificates
from production import connect, replace, send, until

PATH = "/token/driver/v-1"
NAME = "spiffe://fleet.example/dispatch"


@pytest.fixture
def secure(site):
    site.use_tls(client_authorities="clients.crt")
    site.clients = site.folder / "clients.crt"
    site.clients.write_bytes(site.authority.certificate.read_bytes())
    site.configuration["callers"]["dispatch"] = {"certificate": {"names": [NAME]}}
    site.configuration["grants"]["backend-any"]["callers"] = ["dispatch"]
    return site


class Connection1:
    def __init__(self, service, identity):
        self.connection = connect(service.port, service.authority.context(identity))
        self.connection.connect()
        # A second connection would be another one.
        self.connection.auto_open = False

    def status(self):
        """The answer's status; None where the connection has ended."""
        try:
            return send(self.connection, PATH).status
        except (OSError, http.client.HTTPException):
            return None

    def close(self):
        self.connection.close()


VERSIONS = {"http1": Connection1}


def connects(version, service, identity):
    """The status of a request on a new connection; None where there is none."""
    try:
        with contextlib.closing(version(service, identity)) as connection:
            return connection.status()
    except OSError:
        return None


def identity(site, **options):
    return certificates.leaf(site.folder, "dispatch", site.authority, f"URI:{NAME}", **options)


def test_certificate_that_expires_is_nobodys_on_an_open_connection(secure, serve):
    service = serve(secure)
    brief = identity(secure, seconds=4)
    with contextlib.ExitStack() as stack:
        connections = [stack.enter_context(contextlib.closing(version(service, brief))) for version in VERSIONS.values()]
        assert [connection.status() for connection in connections] == [200]
        for connection in connections:
            until(lambda: connection.status() == 401, "the end of the certificate")  # noqa: B023
            assert connection.status() == 401
    for version in VERSIONS.values():
        # The TLS library reads a coarse clock, which is some milliseconds late.
        until(lambda: connects(version, service, brief) is None, "handshakes to fail")  # noqa: B023


def resuming(service, context):
    """Requests on connections that go on with the session of the first: their statuses, and whether the session was resumed."""
    sessions = [None]

    def ask():
        connection = connect(service.port, context)
        try:
            connection.sock = context.wrap_socket(
                connection._create_connection(("127.0.0.1", service.port)), server_hostname="127.0.0.1", session=sessions[-1]
            )
            answer = send(connection, PATH)
            resumed = connection.sock.session_reused
            if sessions == [None]:
                sessions.append(connection.sock.session)
            return answer.status, resumed
        except OSError:
            return None, None
        finally:
            connection.close()

    return ask


def test_certificate_that_expires_is_nobodys_in_a_resumed_session(secure, serve):
    service = serve(secure)
    brief, asks = identity(secure, seconds=4), []
    for version in (ssl.TLSVersion.TLSv1_2, ssl.TLSVersion.TLSv1_3):
        context = secure.authority.context(brief)
        context.maximum_version = version
        asks.append(resuming(service, context))
    for ask in asks:
        assert ask() == (200, False)
        assert ask() == (200, True)
    for ask in asks:
        until(lambda: ask()[0] != 200, "the end of the certificate")  # noqa: B023
        # The session goes on, and what was shown at its beginning does not.
        assert ask()[0] in (401, None)


@pytest.mark.parametrize("version", VERSIONS.values(), ids=VERSIONS)
def test_other_authorities_end_what_the_former_let_in(secure, serve, version):
    service = serve(secure)
    former = identity(secure)
    with contextlib.closing(version(service, former)) as connection:
        assert connection.status() == 200
        replace(secure.clients, certificates.authority(secure.folder, "other").certificate.read_bytes())
        service.reload()
        # Its thread learns of it a moment later: one more request may be answered.
        until(lambda: connection.status() is None, "the connection to end")
    assert connects(version, service, former) is None
