"""The rules of all requests: IDs, bodies, paging, and what a refusal says."""

import socket

import pytest

from apis import PROVIDER, reason
from fleet import PICKUP, SEARCH, TASK, create_task, create_trip, create_van, create_vehicle, ids, name, refused

CREATIONS = [
    ("trip_id", "server", create_trip), ("vehicle_id", "server", create_vehicle),
    ("delivery_vehicle_id", "delivery_server", create_van), ("task_id", "delivery_server", create_task),
]


@pytest.mark.parametrize("id", ["", "a" * 65, "a/b", "a:b", "a?b", "a,b", "a#b", "e\u0301", "ö" * 65])
@pytest.mark.parametrize("field, client, create", CREATIONS)
def test_id_that_is_refused(request, id, field, client, create):
    with refused("ID_INVALID", field):
        create(request.getfixturevalue(client), id)


@pytest.mark.parametrize("id", ["a" * 64, "ö" * 64, "車両-1", "a b", "é", "*"])
def test_id_that_is_accepted(server, id):
    assert create_trip(server, id).name == name("trips", id)


@pytest.mark.parametrize(
    "path, field, form, problem",
    [
        (f"trips/{'a' * 65}", "name", "/trips/{trip_id}", "is longer than 64 characters"),
        ("trips/a%3Fb", "name", "/trips/{trip_id}", "contains one of / : ? , #"),
        ("trips/a%3Ab", "name", "/trips/{trip_id}", "contains one of / : ? , #"),
        ("trips/a%2Fb", "name", "/trips/{trip_id}", "contains one of / : ? , #"),
        ("trips/", "name", "/trips/{trip_id}", "is empty"),
        ("/v1/providers/a%3Ab/vehicles", "parent", "", "contains one of / : ? , #"),
    ],
)
def test_name_with_an_id_that_no_resource_has(emulator, tokend, path, field, form, problem):
    response = emulator.request("GET", path, tokend.token("server"))
    assert (response.status_code, reason(response)) == (400, "RESOURCE_NAME_INVALID")
    error = response.json()["error"]
    assert "providers/{provider_id}" + form in error["message"]
    assert error["details"][1]["fieldViolations"] == [{"field": field, "description": f"has an ID that {problem}"}]


@pytest.mark.parametrize(
    "body, field",
    [
        ("{", None),
        ("[]", None),
        ('{"numberOfPassengers": 1, "numberOfPassengers": 2}', None),
        ('{"nonsense": 1}', "nonsense"),
        ('{"header": {}}', "header"),
        ('{"pickupPoint": {"header": {}}}', "pickupPoint.header"),
        ('{"tripType": 7.5}', "tripType"),
        ('{"pickupPoint": 1}', "pickupPoint"),
        ('{"pickupPoint": {"point": {"latitude": "north"}}}', "pickupPoint.point.latitude"),
        ('{"intermediateDestinations": [{"point": {}}, {"punkt": {}}]}', "intermediateDestinations[1].punkt"),
        ('{"tripStatus": "NEARLY_THERE"}', "tripStatus"),
        ('{"numberOfPassengers": 1, "number_of_passengers": 2}', "number_of_passengers"),
        ('{"dropoffPoint": {"terminalPointId": {}, "terminal_point_id": {}}}', "dropoffPoint.terminal_point_id"),
    ],
)
def test_body_that_is_no_trip(emulator, tokend, body, field):
    response = emulator.request("POST", "trips?tripId=t", tokend.token("server"), data=body)
    assert (response.status_code, reason(response)) == (400, "BODY_MALFORMED")
    details = response.json()["error"]["details"][1:]
    assert [violation["field"] for detail in details for violation in detail["fieldViolations"]] == ([field] if field else [])


@pytest.mark.parametrize(
    "capacity, is_valid",
    [("4", True), ("4.0", True), ("4e0", True), ('"4.0"', True), ("4.5", False), ('"0x4"', False)],
)
def test_integer_may_have_a_zero_fraction(emulator, tokend, capacity, is_valid):
    body = (
        '{"vehicleState": "ONLINE", "supportedTripTypes": ["EXCLUSIVE"], "vehicleType": {"category": "AUTO"}, '
        f'"lastLocation": {{"location": {{"latitude": 25.0, "longitude": 121}}, "heading": 9e1}}, "maximumCapacity": {capacity}}}'
    )
    response = emulator.request("POST", "vehicles?vehicleId=v", tokend.token("server"), data=body)
    if is_valid:
        vehicle = response.json()
        assert (vehicle["maximumCapacity"], vehicle["lastLocation"]["heading"]) == (4, 90)
    else:
        assert (response.status_code, reason(response)) == (400, "BODY_MALFORMED")


def test_large_body_is_said_to_be_large(emulator, tokend):
    response = emulator.request("POST", "trips?tripId=t", tokend.token("server"), data=b" " * (2 << 20))
    assert (response.status_code, reason(response)) == (400, "BODY_MALFORMED")
    error = response.json()["error"]
    assert error["details"][1]["fieldViolations"] == [{"field": "body", "description": "is larger than 1 MiB"}]
    assert "1 MiB" in error["message"]


@pytest.mark.parametrize("body", [b"Content-Length: 9\r\n\r\n{}", b"Transfer-Encoding: chunked\r\n\r\nnonsense\r\n"])
def test_body_that_breaks_off_is_not_said_to_be_large(emulator, body):
    host, _, port = emulator.address.rpartition(":")
    with socket.create_connection((host, int(port)), 30) as connection:
        connection.sendall(b"POST /v1/providers/demo-fleet/trips HTTP/1.1\r\nHost: localhost\r\n" + body)
        connection.shutdown(socket.SHUT_WR)
        received = b"".join(iter(lambda: connection.recv(65536), b""))
    assert received.startswith(b"HTTP/1.1 400") and b"body is incomplete or wrongly encoded" in received


@pytest.mark.parametrize("query, field", [("tripId=t&tripId=u", "tripId"), ("tripId=t&trip_id=u", "trip_id"), ("id=t", "id")])
def test_query_that_is_refused(emulator, tokend, query, field):
    trip = {"tripType": "EXCLUSIVE", "pickupPoint": PICKUP}
    response = emulator.request("POST", f"trips?{query}", tokend.token("server"), json=trip)
    assert (response.status_code, reason(response)) == (400, "BODY_MALFORMED")
    assert response.json()["error"]["details"][1]["fieldViolations"][0]["field"] == field


def test_header_of_a_request_is_ignored(server, delivery_server):
    header = {"region_code": "TW", "language_code": "zh"}
    server.search_trips(parent=PROVIDER, header=header)
    server.search_vehicles(**SEARCH, header=header)
    task = {"task_id": "task-1", "task": TASK, "header": header}
    assert delivery_server.batch_create_tasks(parent=PROVIDER, requests=[task], header=header).tasks


def test_mask_in_both_spellings(emulator, tokend, server):
    create_trip(server)
    for mask, status in (("tripStatus", "ENROUTE_TO_PICKUP"), ("trip_status", "ARRIVED_AT_PICKUP")):
        path = f"trips/trip-1?updateMask={mask}"
        response = emulator.request("PUT", path, tokend.token("server"), json={"tripStatus": status})
        assert response.json()["tripStatus"] == status


class TestPaging:
    @pytest.fixture
    def page(self, server):
        """Returns the IDs of a page of three trips, and the next page's token."""
        for id in "abc":
            create_trip(server, id)

        def page(**request):
            response = server.search_trips(parent=PROVIDER, **request)
            return ids(response.trips), response.next_page_token

        return page

    def test_pages_follow_each_other(self, page):
        first, token = page(page_size=2)
        assert (first, page(page_size=2, page_token=token)) == (["a", "b"], (["c"], ""))

    @pytest.mark.parametrize("token", ["nonsense!", "YQ", "-1", "4"])
    def test_token_of_no_page_is_refused(self, page, token):
        with refused("PAGE_TOKEN_INVALID", "page_token"):
            page(page_token=token)

    def test_negative_size_is_refused(self, page):
        with refused("FIELD_INVALID", "page_size"):
            page(page_size=-1)


@pytest.mark.parametrize("length", [30_000, 1000])
def test_long_text_is_not_repeated(emulator, tokend, server, length):
    create_vehicle(server)
    requests = [
        ("GET", f"vehicles/{'v' * length}", None),
        ("GET", f"vehicles?vehicleTypeCategories=AUTO&filter={'f' * length}%20=%201", None),
        ("PUT", f"vehicles/vehicle-1?updateMask={'p' * length}", {}),
        ("PUT", "vehicles/vehicle-1?updateMask=attributes", {"k" * length: 1}),
    ]
    for verb, path, body in requests:
        response = emulator.request(verb, path, tokend.token("server"), json=body)
        assert response.status_code == 400
        assert len(response.content) < 2000
