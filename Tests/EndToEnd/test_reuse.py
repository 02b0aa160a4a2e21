"""A token that is handed out again: only to whoever may have it, each time on record, and never past its key."""

PATH = "/token/driver/v-1"


def test_same_request_gets_the_same_token_and_a_line_of_its_own(site, serve):
    other = site.api_key("other", file="other-keys")
    site.configuration["callers"]["other"] = {"apiKeys": {"file": "other-keys"}}
    service = serve(site)
    first, second = service.request(PATH, key=site.key), service.request(PATH, key=site.key)
    assert first.token == second.token
    assert second.json["expiresInSeconds"] > 3300
    assert [line["reused"] for line in site.audit()] == [False, True]
    # Whoever may not have it doesn't get it because another one did.
    assert service.request(PATH, key=other).status == 403
    assert service.request(PATH).status == 401
    for path in ["/token/driver/v-2", PATH + "?lifetimeSeconds=600"]:
        assert service.request(path, key=site.key).token != first.token
    assert service.total("fleet_token_requests_total", kind="driver", result="reused") == 1
    assert service.total("fleet_token_requests_total", kind="driver", result="signed") == 3
