"""How much tokend serve gives to one caller and to one address, to bursts of a fleet, and what others notice of it."""

import contextlib
import socket

import pytest

from issuer import Issuer
from production import PLENTY, until

PATH = "/token/driver/v-1"
LITTLE = {"perMinute": 1, "burst": 3}


def assert_limited(service, answer):
    assert (answer.status, answer.reason) == (429, "RATE_LIMITED")
    assert answer.json["error"]["status"] == "RESOURCE_EXHAUSTED"
    assert 1 <= int(answer.headers["Retry-After"]) <= 60
    # It is counted, or one client could fill the disk: test_strangers.py.
    assert answer.headers["X-Request-Id"] not in (service.site.folder / "audit.jsonl").read_text()


def statuses(service, count, **options):
    return [service.ask(PATH, **options).status for _ in range(count)]


def test_caller_has_a_bucket_of_its_own(site, serve):
    issuer = Issuer("https://id.example", algorithms=["ES256"])
    site.trust(issuer)
    site.configuration["limits"] = {"perUser": LITTLE, "perClient": LITTLE, "failuresPerAddress": LITTLE}
    second = site.api_key("second")
    service = serve(site)
    assert statuses(service, 3, key=site.key) == [200] * 3
    assert_limited(service, service.ask(PATH, key=site.key))
    # Another key of the same caller, another user of the same app: each has its own.
    assert statuses(service, 3, key=second) == [200] * 3
    for user in ["u-1", "u-2"]:
        # A new token doesn't bring a new bucket.
        tokens = [issuer.token(sub=user, jti=str(number)) for number in range(4)]
        assert [service.ask(PATH, bearer=token).status for token in tokens] == [200] * 3 + [429]


def test_address_that_guesses_is_limited(site, serve):
    site.configuration["limits"] = {"failuresPerAddress": LITTLE}
    service = serve(site)
    wrong = site.key[:-4] + "0000"
    assert [*statuses(service, 1), *statuses(service, 2, key=wrong)] == [401] * 3
    assert_limited(service, service.ask(PATH, key=wrong))
    assert_limited(service, service.ask(PATH))


@pytest.mark.parametrize(
    "trusted, fields, address",
    [
        ([], ["203.0.113.9"], "127.0.0.1"),
        # What stands left of the last address that is no proxy's was made up by whoever asked.
        (["127.0.0.0/8", "10.0.0.0/8"], ["1.1.1.1, 203.0.113.9, 10.1.2.3"], "203.0.113.9"),
        (["127.0.0.0/8"], ["1.1.1.1", "203.0.113.9"], "203.0.113.9"),
    ],
)
@pytest.mark.threat("S10")
def test_address_behind_proxies(site, serve, trusted, fields, address):
    site.configuration["service"]["trustedProxies"] = trusted
    service = serve(site)
    answer = service.ask(PATH, *(("X-Forwarded-For", field) for field in fields), key=site.key)
    assert answer.status == 200
    assert service.audited(answer)["address"] == address


# Bursts of a fleet


def ask(service, connection):
    return service.ask(PATH, key=service.key, connection=connection)


def test_connections_over_a_limit_are_closed(site, serve):
    site.configuration["limits"] = {"connections": 40}
    service = serve(site)
    # An address may have an eighth.
    kept = [service.connect(f"127.{number}.0.1") for number in range(1, 9) for _ in range(5)]
    assert [ask(service, connection).status for connection in kept] == [200] * 40
    assert service.metric("fleet_token_connections") == 40
    for source in ["127.1.0.1", "127.9.0.1"]:
        with pytest.raises(ConnectionError):
            ask(service, service.connect(source))
    assert service.metric("fleet_token_connections_refused_total") == 2
    assert [ask(service, connection).status for connection in kept] == [200] * 40
    kept.pop().close()
    until(lambda: service.metric("fleet_token_connections") == 39, "the connection to be closed")
    assert ask(service, service.connect("127.9.0.1")).status == 200


def test_connection_over_the_limit_gets_no_plain_text_for_its_handshake(site, serve):
    site.use_tls()
    site.configuration["limits"] = {"connections": 1}
    service = serve(site)
    kept = service.connect()
    assert ask(service, kept).status == 200
    received = b""
    with socket.create_connection(("127.0.0.1", service.port), 60) as refused, contextlib.suppress(ConnectionError):
        # The refusal follows what the client sends.
        refused.sendall(b"\x16\x03\x01")
        # Before a handshake would have to be complete.
        refused.settimeout(5)
        received = refused.recv(65536)
    assert received == b""
    assert service.metric("fleet_token_connections_refused_total") == 1
    assert ask(service, kept).status == 200


def test_silent_connections_leave_others_served(site, serve):
    """More than there are places for; good callers come through a trusted proxy, which is exempt."""
    site.configuration["service"]["trustedProxies"] = ["127.0.0.2"]
    site.configuration["limits"] = PLENTY | {"connections": 40}
    service = serve(site)
    good = [service.connect("127.0.0.2") for _ in range(15)]
    for connection in good:
        connection.connect()
    idle = [socket.create_connection(("127.0.0.1", service.port), 60) for _ in range(40)]
    # An eighth is one address's share.
    until(lambda: sum(hung_up(connection) for connection in idle) == 35, "the connections over the share to be closed")
    assert [ask(service, connection).status for connection in good] == [200] * 15
    for connection in idle + good:
        connection.close()


def hung_up(connection):
    connection.setblocking(False)
    try:
        return connection.recv(1) == b""
    except BlockingIOError:
        return False
    except ConnectionError:
        return True
