"""The search for secrets finds them, however the service ends and wherever they are."""

import base64
import json
import signal

import pytest

import secrecy


def test_search_finds_what_a_killed_service_wrote(site, serve):
    """All is logged, and the metrics are read before the kill; a wrong key is a secret, too: all but a letter may be right."""
    service = serve(site)
    wrong = site.key[:-1] + ("a" if site.key[-1] != "a" else "b")
    assert service.request("/token/driver/v-1", key=wrong).status == 401
    assert wrong in service.process.secrets
    killed = service.process
    secrecy.unsearched.remove(killed)
    service.process.send_signal(signal.SIGKILL)
    killed.wait(60)
    killed.search()
    assert b"Starting service" in b"".join(stream.read_bytes() for stream in killed.streams)
    assert b"fleet_token_build_info" in killed.page
    keys = killed._private_keys()
    assert keys
    # Tokens are found by the beginning of their header or claims.
    names = ["alg", "typ", "kid", "iss", "sub", "aud", "iat", "exp", "authorization"]
    assert all(secrecy.MARKERS.search(base64.urlsafe_b64encode(json.dumps({name: 1}).encode())) for name in names)
    markers = [b"eyJhbGciOiJSUzI1NiIs", b"-----BEGIN PRIVATE KEY-----", b"ftk_0123456789ab_"]
    for secret in [*markers, *keys, *(secret.encode() for secret in killed.secrets)]:
        assert_found(killed, secret)
        if secret not in markers:
            assert_found(killed, b"[" + ", ".join(map(str, secret)).encode() + b"]")
            # A part of it, without the beginning that tells what it is.
            assert_found(killed, b'"' + secret[-secrecy.WINDOW :] + b'"')
    killed.search()


def assert_found(killed, text):
    """Plants a text in each place, and takes it away again."""
    for sink in [*killed.streams, killed.folder / "planted.jsonl.1"]:
        before = sink.read_bytes() if sink.exists() else b""
        sink.write_bytes(before + b"# " + text + b"\n")
        with pytest.raises(AssertionError, match=f"{sink.name} holds a secret"):
            killed.search()
        sink.write_bytes(before)
    for name, value in (("page", text), ("responses", [text.decode()])):
        with pytest.MonkeyPatch.context() as patch, pytest.raises(AssertionError, match="holds a secret"):
            patch.setattr(killed, name, value)
            killed.search()
