"""A token that is handed out again: only to whoever may have it, each time on record, and never past its key."""

import json


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


def test_caller_whose_token_was_rejected_gets_a_new_one_by_get_and_by_post(site, serve):
    service = serve(site)
    no_reuse = ("Fleet-Token-Reuse", "no")

    def post(*headers):
        body = json.dumps({"kind": "driver", "vehicleId": "v-1"}).encode()
        return service.request("/token", *headers, key=site.key, method="POST", body=body)

    service.request(PATH, key=site.key)
    renewed = service.request(PATH, no_reuse, key=site.key)
    # The new one takes the old one's place.
    assert service.request(PATH, key=site.key).token == renewed.token
    renewed = post(no_reuse)
    assert post().token == renewed.token
    assert [line["reused"] for line in site.audit()] == [False, False, True, False, True]
    assert service.total("fleet_token_requests_total", kind="driver", result="signed") == 3
    # Any other value is an error, and only known callers are told.
    for wrong in [[("Fleet-Token-Reuse", "yes")], [no_reuse, no_reuse]]:
        assert service.request(PATH, *wrong, key=site.key).status == 400
        assert service.request(PATH, *wrong).status == 401
