"""The API through Google's libraries: gRPC for all three services, and REST.

`google-maps-fleetengine` speaks gRPC only, and `google-maps-fleetengine-delivery` REST too. For the REST of trips and
vehicles this makes the requests itself, and parses the answers into Google's messages, strictly.
"""

import json
import re
import urllib.parse

import grpc
import requests
from google.api_core import exceptions
from google.auth.credentials import AnonymousCredentials
from google.maps import fleetengine_delivery_v1 as delivery
from google.maps import fleetengine_v1 as engine
from google.maps.fleetengine_delivery_v1.services.delivery_service.transports import (
    DeliveryServiceGrpcTransport,
    DeliveryServiceRestTransport,
)
from google.maps.fleetengine_v1.services.trip_service.transports import TripServiceGrpcTransport
from google.maps.fleetengine_v1.services.vehicle_service.transports import VehicleServiceGrpcTransport
from google.protobuf import json_format

PROVIDER = "providers/demo-fleet"


class Api:
    """Methods of the API by their names; each takes a request's fields and returns Google's message."""

    def __init__(self, token):
        self.metadata = [("authorization", f"Bearer {token}")] if token else []
        self.services = []

    def __getattr__(self, method):
        for service in self.services:
            if hasattr(service, method):
                return lambda **request: getattr(service, method)(request=request, metadata=self.metadata)
        raise AttributeError(method)


class Grpc(Api):
    def __init__(self, emulator, token):
        super().__init__(token)
        self.channel = grpc.insecure_channel(emulator.grpc)
        self.services = [
            engine.TripServiceClient(transport=TripServiceGrpcTransport(channel=self.channel)),
            engine.VehicleServiceClient(transport=VehicleServiceGrpcTransport(channel=self.channel)),
            delivery.DeliveryServiceClient(transport=DeliveryServiceGrpcTransport(channel=self.channel)),
        ]

    def close(self):
        self.channel.close()


class Rest(Api):
    """Google's library over REST for deliveries, and plain requests for trips and vehicles."""

    def __init__(self, emulator, token):
        super().__init__(token)
        transport = DeliveryServiceRestTransport(
            host=emulator.rest, credentials=AnonymousCredentials(), url_scheme="http"
        )
        self.services = [PlainRest(emulator.rest), delivery.DeliveryServiceClient(transport=transport)]

    def close(self):
        self.services[0].session.close()


# Verb, path, the field that is the body or "*", and the answer.
METHODS = {
    "create_trip": ("POST", "{parent}/trips", "trip", engine.Trip),
    "get_trip": ("GET", "{name}", None, engine.Trip),
    "update_trip": ("PUT", "{name}", "trip", engine.Trip),
    "delete_trip": ("DELETE", "{name}", None, None),
    "search_trips": ("POST", "{parent}/trips:search", "*", engine.SearchTripsResponse),
    "report_billable_trip": ("POST", "{name}:report", "*", None),
    "create_vehicle": ("POST", "{parent}/vehicles", "vehicle", engine.Vehicle),
    "get_vehicle": ("GET", "{name}", None, engine.Vehicle),
    "update_vehicle": ("PUT", "{name}", "vehicle", engine.Vehicle),
    "update_vehicle_attributes": ("POST", "{name}:updateAttributes", "*", engine.UpdateVehicleAttributesResponse),
    "delete_vehicle": ("DELETE", "{name}", None, None),
    "list_vehicles": ("GET", "{parent}/vehicles", None, engine.ListVehiclesResponse),
    "search_vehicles": ("POST", "{parent}/vehicles:search", "*", engine.SearchVehiclesResponse),
}


class PlainRest:
    def __init__(self, host):
        self.url = f"http://{host}/v1/"
        self.session = requests.Session()

    def __getattr__(self, method):
        if method not in METHODS:
            raise AttributeError(method)
        return lambda request, metadata: self.call(method, request, metadata)

    def call(self, method, request, metadata):
        verb, path, body, answer = METHODS[method]
        kind = getattr(engine, f"{''.join(word.title() for word in method.split('_'))}Request")
        fields = json_format.MessageToDict(kind.pb(kind(request)))
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
            headers={**dict(metadata), "content-type": "application/json"},
            timeout=30,
        )
        if response.status_code != 200:
            raise exceptions.from_http_response(response)
        if answer is None:
            assert response.json() == {}
            return None
        # Unknown fields and wrong types raise.
        return answer.wrap(json_format.Parse(response.content, answer.pb(answer())))


def flat(fields, prefix=""):
    """Query parameters: names with dots, and one for each element of a list."""
    for name, value in fields.items():
        if isinstance(value, dict):
            yield from flat(value, f"{prefix}{name}.")
        elif isinstance(value, list):
            yield from ((prefix + name, element) for element in value)
        else:
            yield prefix + name, str(value).lower() if isinstance(value, bool) else value
