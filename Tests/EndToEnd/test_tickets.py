"""Trip tickets: the configuration and the claims of docs/configuration.md, and a backend that signs them."""

import json
import re

import pytest
import yaml

from deployment import ROOT
from issuer import Issuer

SECTION = (ROOT / "docs" / "configuration.md").read_text().split("\n### Trip tickets\n")[1].split("\n## ")[0]
(TICKET,) = map(json.loads, re.findall(r"^```json\n(.*?)^```", SECTION, re.M | re.S))


def ticket(issuer, **claims):
    """The page's ticket, which is valid now."""
    return issuer.token(**{name: value for name, value in TICKET.items() if name != "exp"} | claims)


@pytest.fixture
def backend():
    return Issuer(TICKET["iss"], TICKET["aud"], algorithms=["ES256"])


@pytest.fixture
def service(site, serve, backend):
    """A service with the page's configuration, in the site's folder."""
    (text,) = re.findall(r"^```yaml\n(.*?)^```", SECTION, re.M | re.S)
    (site.folder / "tickets.jwks").write_text(json.dumps(backend.key_set()))
    page = yaml.safe_load(re.sub(r"/etc/tokend/(keys/)?", "", text))
    site.configuration = page | {name: site.configuration[name] for name in ("service", "admin", "audit")}
    return serve(site)


@pytest.mark.parametrize("trip", TICKET["trip_ids"])
def test_a_trip_of_the_ticket_is_granted(service, backend, trip):
    response = service.request(f"/token/consumer/{trip}", bearer=ticket(backend))
    assert response.status == 200
    assert (service.audited(response)["caller"], service.audited(response)["subject"]) == ("ticket", TICKET["sub"])


def test_a_trip_that_is_not_in_the_ticket_is_denied(service, backend):
    response = service.request("/token/consumer/trip-3", bearer=ticket(backend))
    assert (response.status, response.reason) == (403, "ID_NOT_GRANTED")
