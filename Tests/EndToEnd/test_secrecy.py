"""S2: the search for secrets finds them, whoever starts the service, however it ends and wherever they are."""

import base64
import json
import signal
import urllib.request

import pytest

import secrecy


@pytest.mark.parametrize("starter", ["start", "serve"])
@pytest.mark.threat("S2")
def test_search_finds_what_a_killed_service_wrote(request, site, starter):
    """By each of the two that start services; all is logged, and the metrics are read before the kill."""
    start = request.getfixturevalue(starter)
    service = start(site) if starter == "serve" else start()
    if starter == "start":
        # A development key is created on first use.
        urllib.request.urlopen(service.url + "/token/consumer/trip-1", timeout=30).close()
    killed = service.process
    secrecy.unsearched.remove(killed)
    service.process.send_signal(signal.SIGKILL)
    killed.wait(60)
    killed.search()
    assert b"Starting service" in b"".join(stream.read_bytes() for stream in killed.streams)
    assert b"fleet_token_build_info" in killed.page
    keys = killed._private_keys()
    assert keys
    markers = [b"eyJhbGciOiJSUzI1NiIs", b"-----BEGIN PRIVATE KEY-----", b"ftk_0123456789ab_"]
    for secret in [*markers, *keys, *(secret.encode() for secret in killed.secrets)]:
        for text in [secret, b"[" + ", ".join(map(str, secret)).encode() + b"]"][: 1 if secret in markers else 2]:
            assert_found(killed, text)
    killed.search()


def assert_found(killed, text):
    """Plants a text in each place, and takes it away again."""
    for sink in [*killed.streams, killed.folder / "planted.jsonl.1"]:
        before = sink.read_bytes() if sink.exists() else b""
        sink.write_bytes(before + b"# " + text + b"\n")
        with pytest.raises(AssertionError, match=f"{sink.name} holds a secret"):
            killed.search()
        sink.write_bytes(before)
    for name, value in (("page", text), ("answers", [text.decode()])):
        with pytest.MonkeyPatch.context() as patch, pytest.raises(AssertionError, match="holds a secret"):
            patch.setattr(killed, name, value)
            killed.search()


@pytest.mark.parametrize("name", ["alg", "typ", "kid", "iss", "sub", "aud", "iat", "exp", "authorization"])
def test_token_is_found_by_the_beginning_of_its_header_or_claims(name):
    encoded = base64.urlsafe_b64encode(json.dumps({name: 1}).encode())
    assert secrecy.MARKERS.search(b"a line with " + encoded)
