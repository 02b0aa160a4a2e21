"""An HTTP/2 client that can also do what no good client does."""

import contextlib
import socket

import h2.config
import h2.connection
import h2.events
import hyperframe.frame

PREFACE = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"


class HTTP2Client:
    def __init__(self, service, identity=None, source="127.0.0.1"):
        context = service.authority.context(identity)
        context.set_alpn_protocols(["h2"])
        self.service = service
        plain = socket.create_connection(("127.0.0.1", service.port), 60, (source, 0))
        self.socket = context.wrap_socket(plain, server_hostname="127.0.0.1")
        assert self.socket.selected_alpn_protocol() == "h2"
        self.h2 = h2.connection.H2Connection(h2.config.H2Configuration(client_side=True, header_encoding="utf-8"))
        self.received = b""

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.socket.close()

    def fields(self, path="/token/consumer/trip-1", method="GET", *more):
        return [
            (":method", method), (":scheme", "https"), (":authority", "localhost"), (":path", path),
            ("x-api-key", self.service.key), *more,
        ]  # fmt: skip

    def begin(self):
        self.h2.initiate_connection()
        self.flush()

    def flush(self):
        self.socket.sendall(self.h2.data_to_send())

    def send(self, *frames):
        self.socket.sendall(b"".join(frame.serialize() for frame in frames))

    def events(self):
        """What the service says next; ends when it hangs up."""
        while data := self._receive():
            self.received += data
            for event in self.h2.receive_data(data):
                if isinstance(event, h2.events.DataReceived):
                    self.h2.acknowledge_received_data(event.flow_controlled_length, event.stream_id)
                yield event
            self.flush()

    def until_closed(self):
        with contextlib.suppress(OSError):
            while data := self._receive():
                self.received += data
        return list(frames(self.received))

    def until(self, kind):
        """The frames of a kind so far, as soon as there is one."""
        while not (found := [frame for frame in frames(self.received) if isinstance(frame, kind)]):
            data = self._receive()
            assert data, "the connection ended"
            self.received += data
        return found

    def _receive(self):
        try:
            return self.socket.recv(65536)
        except ConnectionError:
            return b""


def frames(data):
    view = memoryview(data)
    while len(view) >= 9:
        frame, length = hyperframe.frame.Frame.parse_frame_header(view[:9])
        if len(view) < 9 + length:
            return
        frame.parse_body(view[9 : 9 + length])
        view = view[9 + length :]
        yield frame


def goodbye(received):
    """The error code of the connection's end; None where there was no GOAWAY."""
    codes = [frame.error_code for frame in received if isinstance(frame, hyperframe.frame.GoAwayFrame)]
    return codes[-1] if codes else None
