"""The API through Google's libraries, over REST.

`google-maps-fleetengine-delivery` has a REST transport. `google-maps-fleetengine` has none in Python: for trips and vehicles this
makes the requests itself as Google's transport does, and parses the responses into Google's messages, strictly.
"""

import json
import re
import urllib.parse

import requests
from google.api_core import exceptions
from google.auth.credentials import AnonymousCredentials
from google.maps import fleetengine_delivery_v1 as delivery
from google.maps import fleetengine_v1 as engine
from google.maps.fleetengine_delivery_v1.services.delivery_service.transports import (
    DeliveryServiceRestTransport,
)
from google.protobuf import json_format

PROVIDER = "providers/demo-fleet"


def reason(response):
    """The rule that a response names; None for a success."""
    if response.status_code < 400 or "json" not in response.headers.get("content-type", ""):
        return None
    details = response.json()["error"].get("details", [])
    return next((detail["reason"] for detail in details if "reason" in detail), None)


# Verb, path, the field that is the body or "*", and the message of the response.
METHODS = {
    "create_trip": ("POST", "{parent}/trips", "trip", engine.Trip),
    "get_trip": ("GET", "{name}", None, engine.Trip),
    "update_trip": ("PUT", "{name}", "trip", engine.Trip),
    "delete_trip": ("DELETE", "{name}", None, None),
    "search_trips": ("POST", "{parent}/trips:search", "*", engine.SearchTripsResponse),
    "create_vehicle": ("POST", "{parent}/vehicles", "vehicle", engine.Vehicle),
    "get_vehicle": ("GET", "{name}", None, engine.Vehicle),
    "update_vehicle": ("PUT", "{name}", "vehicle", engine.Vehicle),
    "delete_vehicle": ("DELETE", "{name}", None, None),
    "list_vehicles": ("GET", "{parent}/vehicles", None, engine.ListVehiclesResponse),
    "search_vehicles": ("POST", "{parent}/vehicles:search", "*", engine.SearchVehiclesResponse),
}


class Client:
    """Methods of the API by their names; each takes a request's fields and returns Google's message."""

    def __init__(self, emulator, token):
        self.url = f"http://{emulator.address}/v1/"
        self.metadata = [("authorization", f"Bearer {token}")] if token else []
        self.session = requests.Session()
        transport = DeliveryServiceRestTransport(
            host=emulator.address, credentials=AnonymousCredentials(), url_scheme="http"
        )
        self.deliveries = delivery.DeliveryServiceClient(transport=transport)

    def __getattr__(self, method):
        if method in METHODS:
            return lambda **request: self.call(method, request)
        return lambda **request: getattr(self.deliveries, method)(request=request, metadata=self.metadata)

    def close(self):
        self.session.close()

    def call(self, method, request):
        verb, path, body, message = METHODS[method]
        kind = getattr(engine, f"{''.join(word.title() for word in method.split('_'))}Request")
        fields = json_format.MessageToDict(kind.pb(kind(request)), use_integers_for_enums=True)
        place = re.search(r"\{(\w+)\}", path).group(1)
        path = path.format(**{place: urllib.parse.quote(fields.pop(place, ""))})
        data = None
        if body == "*":
            data, fields = fields, {}
        elif body:
            data = fields.pop(body, {})
        response = self.session.request(
            verb,
            self.url + path,
            params=flat(fields),
            data=None if data is None else json.dumps(data),
            headers={**dict(self.metadata), "content-type": "application/json"},
            timeout=30,
        )
        if response.status_code != 200:
            raise exceptions.from_http_response(response)
        if message is None:
            assert response.json() == {}
            return None
        # Unknown fields and wrong types raise.
        return message.wrap(json_format.Parse(response.content, message.pb(message())))


def flat(fields, prefix=""):
    """Query parameters: names with dots, and one for each element of a list."""
    for name, value in fields.items():
        if isinstance(value, dict):
            yield from flat(value, f"{prefix}{name}.")
        elif isinstance(value, list):
            yield from ((prefix + name, element) for element in value)
        else:
            yield prefix + name, str(value).lower() if isinstance(value, bool) else value
