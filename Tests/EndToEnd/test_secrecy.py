"""S2: the search for secrets finds them, whoever starts the service, however it ends and wherever they are."""

import base64
import json
import signal
import urllib.request

import pytest

import secrecy


@pytest.fixture(params=["start", "serve"])
def killed(request, site):
    """A service by each of the two starters, that has handed out a token and been killed."""
    starter = request.getfixturevalue(request.param)
    service = starter(site) if request.param == "serve" else starter()
    if request.param == "start":
        # A development key is created on first use.
        urllib.request.urlopen(service.url + "/token/consumer/trip-1", timeout=30).close()
    secrecy.unsearched.remove(service.process)
    service.process.send_signal(signal.SIGKILL)
    service.process.wait(60)
    service.process.search()
    return service.process


@pytest.mark.threat("S2")
def test_all_is_logged_and_the_metrics_are_read_before_the_kill(killed):
    assert b"Starting service" in b"".join(stream.read_bytes() for stream in killed.streams)
    assert b"fleet_token_build_info" in killed.page


@pytest.mark.threat("S2")
def test_search_finds_what_it_looks_for(killed):
    keys = killed._private_keys()
    assert keys
    markers = [b"eyJhbGciOiJSUzI1NiIs", b"-----BEGIN PRIVATE KEY-----", b"ftk_0123456789ab_"]
    for secret in [*markers, *keys, *(secret.encode() for secret in killed.secrets)]:
        for text in [secret, b"[" + ", ".join(map(str, secret)).encode() + b"]"][: 1 if secret in markers else 2]:
            for sink in [*killed.streams, killed.folder / "planted.jsonl.1"]:
                before = sink.read_bytes() if sink.exists() else b""
                sink.write_bytes(before + b"# " + text + b"\n")
                with pytest.raises(AssertionError, match=f"{sink.name} holds a secret"):
                    killed.search()
                sink.write_bytes(before)
            page, killed.page = killed.page, text
            with pytest.raises(AssertionError, match="metrics holds a secret"):
                killed.search()
            killed.page = page
            answers, killed.answers = killed.answers, [text.decode()]
            with pytest.raises(AssertionError, match="answers holds a secret"):
                killed.search()
            killed.answers = answers
    killed.search()


@pytest.mark.parametrize("name", ["alg", "typ", "kid", "iss", "sub", "aud", "iat", "exp", "authorization"])
def test_token_is_found_by_the_beginning_of_its_header_or_claims(name):
    encoded = base64.urlsafe_b64encode(json.dumps({name: 1}).encode())
    assert secrecy.MARKERS.search(b"a line with " + encoded)
