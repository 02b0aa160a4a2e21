"""How long a connection, and what its client showed at its beginning, is good for."""

import contextlib
import http.client
import signal
import ssl

import h2.events
import h2.exceptions
import pytest
from hyperframe.frame import DataFrame, GoAwayFrame, HeadersFrame, PingFrame, RstStreamFrame

import certificates
from http2_client import HTTP2Client
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


class Connection2:
    def __init__(self, service, identity):
        self.client = HTTP2Client(service, identity)
        self.client.begin()
        self.stream = -1

    def status(self):
        self.stream += 2
        fields = [field for field in self.client.fields(PATH) if field[0] != "x-api-key"]
        try:
            self.client.h2.send_headers(self.stream, fields, end_stream=True)
            self.client.flush()
            status = None
            for event in self.client.events():
                if isinstance(event, h2.events.ResponseReceived):
                    status = int(dict(event.headers)[":status"])
                if isinstance(event, h2.events.StreamEnded):
                    return status
                if isinstance(event, h2.events.ConnectionTerminated):
                    return None
        except (OSError, h2.exceptions.ProtocolError):
            return None

    def close(self):
        self.client.socket.close()


VERSIONS = {"http1": Connection1, "http2": Connection2}


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
        assert [connection.status() for connection in connections] == [200, 200]
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


def test_client_of_http2_hears_that_the_service_drains(serve_solo):
    service = serve_solo(tls=True, service={"drainSeconds": 300}, receiveSeconds=30)
    with HTTP2Client(service) as caller:
        caller.begin()
        caller.h2.send_headers(1, caller.fields("/token", "POST", ("content-type", "application/json")))
        caller.flush()
        # The answer tells that the request has begun.
        caller.send(PingFrame(0, opaque_data=b"are you?"))
        caller.until(PingFrame)
        service.process.send_signal(signal.SIGTERM)
        assert [(frame.error_code, frame.last_stream_id) for frame in caller.until(GoAwayFrame)] == [(0, 2**31 - 1)]
        # A request that was on its way is refused, and can be repeated (REFUSED_STREAM).
        fields = caller.h2.encoder.encode(caller.fields())
        caller.send(HeadersFrame(3, data=fields, flags=["END_HEADERS", "END_STREAM"]))
        assert [(frame.stream_id, frame.error_code) for frame in caller.until(RstStreamFrame)] == [(3, 7)]
        caller.send(DataFrame(1, data=b'{"kind":"consumer","tripId":"t"}', flags=["END_STREAM"]))
        (answer,) = caller.until(HeadersFrame)
    assert dict(caller.h2.decoder.decode(answer.data))[":status"] == "200"
