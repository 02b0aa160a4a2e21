"""Everything that tokend reads, changed while it serves; and what is wrong, which must not stop it."""

import json
import re
import socket
import threading

import pytest

from good_caller import Repeated
from issuer import Issuer
from production import replace, tool, until
from webhook import hang

PATH = "/token/driver/v-1"


@pytest.fixture
def site(plentiful):
    return plentiful


def test_grant_that_is_added_and_removed_takes_effect(site, serve):
    service = serve(site)
    assert service.request("/token/consumer/t-1", key=site.key).reason == "KIND_NOT_GRANTED"
    site.configuration["kinds"]["consumer"] = {"serviceAccount": "consumer.json"}
    site.configuration["grants"]["trips"] = {"callers": ["backend"], "kinds": ["consumer"], "ids": ["t-1"]}
    site.write()
    service.reload()
    assert service.request("/token/consumer/t-1", key=site.key).status == 200
    assert service.request("/token/consumer/t-2", key=site.key).reason == "ID_NOT_GRANTED"
    assert len(service.key_set().keys) == 2

    del site.configuration["grants"]["trips"], site.configuration["kinds"]["consumer"]
    site.write()
    service.reload()
    assert service.request("/token/consumer/t-1", key=site.key).status == 403
    assert len(service.key_set().keys) == 1
    assert service.reloads() == 2 and service.reloads("failed") == 0
    assert not site.missing_lines()


def test_configuration_is_read_on_request_only_and_whole_or_not_at_all(site, serve):
    service = serve(site)
    path = site.folder / "tokend.yaml"
    good = path.read_text()
    # An editor saves half of a change, and a caller gets another key meanwhile.
    replace(path, good.replace('"driver"', '"drvier"'))
    new = site.api_key("new")
    service.await_reload()
    assert service.request(PATH, key=new).status == 200
    assert "[+]reload ok" in service.readyz()[1]

    service.reload("failed")
    assert service.request(PATH, key=site.key).status == 200
    failure = r"^\[-\]reload failed: .*tokend\.yaml:\d+: kinds\.drvier: is not a kind of token\. Did you mean driver\?"
    assert re.search(failure, service.readyz()[1], re.M)
    # What changes meanwhile is loaded, and the failure stays, as FleetTokenReloadFailed needs it.
    failed = service.reloads("failed")
    newer = site.api_key("newer")
    service.await_reload("failed", failed)
    assert service.request(PATH, key=newer).status == 200
    assert re.search(failure, service.readyz()[1], re.M)

    replace(path, good)
    service.reload()
    assert "[+]reload ok" in service.readyz()[1]


def truncated(path):
    path.write_bytes(path.read_bytes()[:700])


def of_another_account(path):
    key = path.parent / "another.json"
    tool("tokenctl", "keys", "new", key, "--email", "another@fleet.example")
    key.rename(path)


# What is done to a file, and what is said of it, besides its name.
DAMAGE = {
    "half-written-key": ("driver.json", truncated, "Not a service account's JSON key"),
    "key-for-another-account": ("driver.json", of_another_account, "Restore a key of that account"),
    "missing-configuration": ("tokend.yaml", lambda path: path.unlink(), "no such file or folder"),
}


@pytest.mark.parametrize("name, damage, hint", DAMAGE.values(), ids=DAMAGE)
def test_last_good_state_serves_whatever_is_wrong(site, serve, name, damage, hint):
    service = serve(site)
    before = service.key_set().keys
    path = site.folder / name
    content = path.read_bytes()
    damage(path)
    service.reload("failed")

    assert service.request(PATH, key=site.key).status == 200
    assert [key.key_id for key in service.key_set().keys] == [key.key_id for key in before]
    status, lines = service.readyz()
    assert status == 200
    (failure,) = re.findall(r"^\[-\]reload failed: (.*)$", lines, re.M)
    errors = [line for line in map(json.loads, service.read_log().splitlines()) if line["severity"] == "ERROR"]
    for text in [failure, errors[-1]["metadata"]["problem"]]:
        assert name in text and hint in text
        # As `tokend check` says it.
        if name != "tokend.yaml":
            assert re.search(r"\btokend\.yaml:\d+: (kinds\.driver|callers\.backend)\b", text), text

    replace(path, content)
    service.reload()
    assert "[+]reload ok" in service.readyz()[1]
    assert service.request(PATH, key=site.key).status == 200


@pytest.fixture
def unavailable_issuer(site):
    """A caller whose issuer is unavailable until the test calls."""
    issuer = Issuer("https://id.example", algorithms=["ES256"])
    with socket.create_server(("127.0.0.1", 0)) as silent:
        site.discover(issuer, algorithms=["ES256"], keysUrl=f"https://localhost:{silent.getsockname()[1]}/keys")
        yield issuer


def test_unavailable_issuer_makes_only_its_callers_wait(site, serve, unavailable_issuer):
    """It takes connections and says nothing: the worst of outages."""
    other = Issuer("https://other.example", algorithms=["ES256"])
    (site.folder / "other.json").write_text(json.dumps(other.key_set()))
    site.configuration["callers"]["other"] = {
        "jwt": {"issuer": other.name, "audiences": ["tokend"], "algorithms": ["ES256"], "keysFile": "other.json"}
    }
    site.configuration["grants"]["backend-any"]["callers"] = ["backend", "other"]
    service = serve(site)
    until(lambda: "[-]issuer app failed" in service.readyz()[1], "the issuer to be missed")
    status, lines = service.readyz()
    assert status == 503
    assert "[-]issuer app failed: its keys cannot be fetched, and its callers get 503." in lines
    assert lines.endswith("readyz check failed\n")
    assert service.request(PATH, key=site.key).status == 200
    assert service.request(PATH, bearer=other.token()).status == 200
    refused = service.request(PATH, bearer=unavailable_issuer.token())
    assert (refused.status, refused.reason) == (503, "AUTHENTICATION_UNAVAILABLE")
    assert int(refused.headers["Retry-After"]) > 0
    assert service.request(PATH, key=site.key).status == 200
    # The issuer is back, by another way; nobody has asked yet.
    site.trust(unavailable_issuer)
    site.write()
    service.reload()
    until(lambda: service.readyz()[0] == 200, "the issuer")
    assert service.request(PATH, bearer=unavailable_issuer.token()).status == 200


def test_request_in_flight_ends_with_what_it_began_with(site, serve, webhook):
    webhook.responses["v-1"] = hang
    site.ask_webhook(webhook.url, seconds=9)
    service = serve(site)
    responses = []
    asker = threading.Thread(target=lambda: responses.append(service.request(PATH, key=site.key)))
    asker.start()
    webhook.wait_for(1)
    site.configuration["grants"]["backend-any"]["ids"] = ["v-2"]
    del site.configuration["webhooks"]
    site.write()
    service.reload()
    assert service.request(PATH, key=site.key).reason == "ID_NOT_GRANTED"
    webhook.released.set()
    asker.join(60)
    assert responses[0].status == 200
    assert [line["decision"] for line in site.audit()] == ["deny", "allow"]
    assert not site.missing_lines()


def test_reloads_under_load_cost_nobody_an_answer(site, serve):
    """Reloads one after another, while callers ask: each response is a token, and each token is on record."""
    service = serve(site)
    with Repeated(lambda: service.request(PATH, key=site.key).status, threads=3) as callers:
        for _ in range(50):
            service.reload()
    assert len(callers.results) > 50 and set(callers.results) == {200}
    assert len(site.audit()) == len(callers.results)
    assert not site.missing_lines()
