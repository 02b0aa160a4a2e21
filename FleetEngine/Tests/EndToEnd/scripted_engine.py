"""A scripted Fleet Engine with a token server, which serves the journey page: its answers are what a test sets."""

import base64
import datetime
import json
import pathlib
import time
from urllib.parse import urlsplit

from servers import Handler, Server

PAGE = pathlib.Path(__file__).parents[2] / "Sources/fleet-engine-emulator/Page"
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
    "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
TYPES = {".html": "text/html", ".css": "text/css", ".js": "text/javascript", ".svg": "image/svg+xml"}

# Through the center of Taipei: to the pickup point, and on to the drop-off point by a stop.
ROUTE = [(25.0462, 121.5129), (25.0462, 121.5149), (25.0478, 121.5151), (25.0480, 121.5170)]
REST = [
    (25.0480, 121.5170), (25.0479, 121.5230), (25.0446, 121.5232), (25.0444, 121.5290),
    (25.0418, 121.5292), (25.0415, 121.5365), (25.0374, 121.5368), (25.0372, 121.5435),
]

def point(place):
    return {"latitude": place[0], "longitude": place[1]}


def later(seconds):
    when = datetime.datetime.now(datetime.UTC) + datetime.timedelta(seconds=seconds)
    return when.isoformat(timespec="milliseconds").replace("+00:00", "Z")


def jwt(claims, serial):
    parts = [json.dumps({"alg": "RS256", "typ": "JWT"}), json.dumps(claims), f"signature {serial}"]
    return ".".join(base64.urlsafe_b64encode(part.encode()).decode().rstrip("=") for part in parts)


def trip(name="trip-1", status="ENROUTE_TO_PICKUP", place=ROUTE[0], heading=92, **changes):
    route = [place, *ROUTE[1:]]
    stop, end = REST[4], REST[-1]
    waypoint = lambda kind, path, meters, seconds: {
        "location": {"point": point(path[-1])}, "tripId": name, "waypointType": kind, "distanceMeters": meters,
        "eta": later(seconds), "duration": f"{seconds}s", "pathToWaypoint": [point(place) for place in path],
    }
    answer = {
        "name": f"providers/demo-fleet/trips/{name}", "tripStatus": status, "tripType": "EXCLUSIVE", "vehicleId": "vehicle-1",
        "numberOfPassengers": 1, "pickupPoint": {"point": point(ROUTE[-1])}, "dropoffPoint": {"point": point(end)},
        "intermediateDestinations": [{"point": point(stop)}], "pickupTime": later(190), "dropoffTime": later(1130),
        "lastLocation": {"location": point(place), "heading": heading, "speed": 7.4, "updateTime": later(-2)},
        "route": [point(place) for place in route], "remainingDistanceMeters": 640,
        "remainingWaypoints": [
            waypoint("PICKUP_WAYPOINT_TYPE", route, 640, 190),
            waypoint("INTERMEDIATE_DESTINATION_WAYPOINT_TYPE", REST[:5], 2300, 640),
            waypoint("DROP_OFF_WAYPOINT_TYPE", REST[4:], 2100, 1130),
        ],
    }
    answer.update(changes)
    return {key: value for key, value in answer.items() if value is not None}


def to_dropoff(name="trip-1"):
    answer = trip(name, "ENROUTE_TO_DROPOFF", REST[5], 180, intermediateDestinationIndex=1, pickupTime=later(-600),
                  dropoffTime=later(260), remainingDistanceMeters=1200, route=[point(place) for place in REST[5:]])
    answer["remainingWaypoints"] = answer["remainingWaypoints"][2:]
    return answer


def complete(name="trip-1"):
    gone = ["route", "remainingWaypoints", "remainingDistanceMeters"]
    return trip(name, "COMPLETE", pickupTime=later(-900), dropoffTime=later(-1), **dict.fromkeys(gone))


def shipment(**changes):
    return {
        "name": "providers/demo-fleet/taskTrackingInfo/parcel-1", "trackingId": "parcel-1", "state": "OPEN",
        "remainingStopCount": 3, "remainingDrivingDistanceMeters": 4400, "estimatedArrivalTime": later(1500),
        "routePolylinePoints": [point(place) for place in REST], "plannedLocation": {"point": point(REST[-1])},
        "vehicleLocation": {"location": point(REST[0]), "heading": 90, "speed": 8, "updateTime": later(-1)}, **changes,
    }


class ScriptedEngine(Server):
    """Answers with `answers`, by ID, and refuses with `fault` while it is set."""

    class Handler(Handler):
        def do_GET(self):
            path = urlsplit(self.path).path
            self.server.requests.append(path)
            if answer := self.server.answer(path):
                return self.send(*answer)
            file = PAGE / ("index.html" if path == "/" else path.removeprefix("/page/"))
            if not file.is_file() or PAGE not in file.resolve().parents:
                return self.send(404)
            self.send(200, file.read_bytes(), headers={"Content-Type": TYPES[file.suffix], "Content-Security-Policy": POLICY})

        def end_headers(self):
            self.send_header("Cache-Control", "no-store")
            super().end_headers()

    def __init__(self):
        self.answers, self.fault = {}, None
        self.requests, self.tokens = [], []
        super().__init__(self.Handler)

    def answer(self, path):
        """What `send` takes for an answer; None for a file's path."""
        segments = path.strip("/").split("/")
        if segments[0] == "token":
            return 200, self.token(*segments[1:])
        if segments[0] == "v1":
            if self.fault:
                status, name, fields = self.fault
                return status, {"error": {"code": status, "status": name, "message": f"Test of {status}."}}, None, fields
            if segments[-1] in self.answers:
                return 200, self.answers[segments[-1]]
            return 404, {"error": {"code": 404, "status": "NOT_FOUND", "message": "Trip not found."}}
        if path == "/page/configuration.json":
            return 200, {"projectId": "demo-fleet", "tokenServer": ""}
        return None

    def token(self, kind, name):
        now = int(time.time())
        claim = {"consumer": "tripid", "delivery_consumer": "trackingid"}[kind]
        self.tokens.append(jwt({"iat": now - 60, "exp": now + 3540, "authorization": {claim: name}}, len(self.tokens)))
        return {"token": self.tokens[-1], "expiresInSeconds": 3540}
