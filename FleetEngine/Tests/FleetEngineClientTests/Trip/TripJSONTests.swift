import Foundation
import Testing

@testable import FleetEngineClient

struct TripJSONTests {
    static let full = #"""
        {"name":"providers/demo/trips/trip-1","vehicleId":"vehicle-1","tripStatus":"ENROUTE_TO_PICKUP",
        "tripType":"EXCLUSIVE","pickupPoint":{"point":{"latitude":25.0478,"longitude":121.517}},
        "dropoffPoint":{"point":{"latitude":25.0339}},"pickupTime":"2026-11-20T21:53:25.081Z",
        "dropoffTime":"2026-11-20T22:12:11.081Z","numberOfPassengers":1,"remainingWaypoints":[
        {"location":{"point":{"latitude":25.0478,"longitude":121.517}},"tripId":"trip-1",
        "waypointType":"PICKUP_WAYPOINT_TYPE"},{"location":{"point":{"latitude":25.0339}},"tripId":"trip-1",
        "waypointType":"DROP_OFF_WAYPOINT_TYPE","distanceMeters":5120,"eta":"2026-11-20T22:12:11.081Z",
        "duration":"1126s","pathToWaypoint":[{"latitude":25,"longitude":121.517},{"latitude":25.0339}]}],
        "route":[{"latitude":25.046,"longitude":121.515},{"latitude":25.0478,"longitude":121.517}],
        "currentRouteSegmentVersion":"2026-11-20T21:52:20Z","currentRouteSegmentTraffic":{"speedReadingInterval":
        [{"endPolylinePointIndex":1,"speed":"SLOW"}]},"currentRouteSegmentTrafficVersion":"2026-11-20T21:52:21Z",
        "remainingDistanceMeters":169,"etaToFirstWaypoint":"2026-11-20T21:53:25.081Z",
        "remainingTimeToFirstWaypoint":"53.076652s","remainingWaypointsRouteVersion":"2026-11-20T21:52:22Z",
        "lastLocation":{"location":{"latitude":25.046,"longitude":121.515},"heading":42,"speed":7.4,
        "latlngAccuracy":2.29,"updateTime":"2026-11-20T21:52:31.2Z","serverTime":"2026-11-20T21:52:31.8Z",
        "locationSensor":"GPS"},"lastLocationSnappable":true,"view":"SDK","aNewField":{"a":[1,2]}}
        """#

    private func trip(_ json: String) throws -> Trip {
        try Trip(ProtoObject(body: Array(json.utf8)))
    }

    @Test
    func `The documented example is read completely; unknown fields are ignored, absent numbers are zero`() throws {
        let trip = try trip(Self.full)
        #expect(trip.name == "providers/demo/trips/trip-1")
        #expect(trip.vehicleID == "vehicle-1")
        #expect(trip.tripStatus == .enrouteToPickup)
        #expect(trip.tripType == .exclusive)
        #expect(trip.dropoffLocation?.point == LatLng(latitude: 25.0339, longitude: 0))
        #expect(trip.pickupTime == Date(timeIntervalSince1970: 1_795_211_605.081))
        #expect(trip.remainingWaypoints?.map(\.type) == [.pickup, .dropoff])
        #expect(trip.remainingWaypoints?[1].duration == 1126)
        #expect(trip.remainingRoute?.count == 2)
        #expect(trip.remainingWaypoints?[1].distanceMeters == 5120)
        #expect(trip.activeRoute?.count == 2)
        #expect(trip.activeRouteRemainingDistance == 169)
        #expect(trip.lastLocation?.heading == 42)
        #expect(trip.lastLocation?.serverTime == Date(timeIntervalSince1970: 1_795_211_551.8))
        #expect(trip.intermediateDestinations == nil)
    }

    @Test
    func `Each value of an enumeration has a name`() {
        func hasNames<Value: ProtoEnumeration & CaseIterable>(_ type: Value.Type) -> Bool {
            Value.allCases.map(\.rawValue) == Array(Value.protoNames.indices)
        }
        #expect(hasNames(TripStatus.self) && hasNames(TripType.self) && hasNames(WaypointType.self))
        #expect(hasNames(TaskState.self) && hasNames(TaskOutcome.self))
        #expect(hasNames(VehicleState.self) && hasNames(NavigationStatus.self))
    }

    @Test(arguments: ["COMPLETE", "CANCELED"])
    func `A trip that has ended has no vehicle, route or distance`(status: String) throws {
        let json = Self.full.replacingOccurrences(of: "ENROUTE_TO_PICKUP", with: status)
        let trip = try trip(json)
        #expect(trip.lastLocation == nil)
        #expect(trip.activeRoute == nil)
        #expect(trip.remainingWaypoints == nil)
        #expect(trip.activeRouteRemainingDistance == nil)
        #expect(trip.dropoffTime != nil)
    }

    @Test(
        arguments: [
            "2": TripStatus.enrouteToPickup, "\"LATER\"": .unknown, "99": .unknown, "null": .unknown,
        ]
    )
    func `An enumeration's number and an unknown name are understood`(json: String, status: TripStatus) throws {
        #expect(try trip(#"{"name":"n","tripStatus":\#(json)}"#).tripStatus == status)
    }

    @Test(
        arguments: [
            (#"{"name":7}"#, "name"), (#"{"name":"n","tripStatus":true}"#, "tripStatus"),
            (#"{"name":"n","remainingDistanceMeters":1.5}"#, "remainingDistanceMeters"),
            (#"{"name":"n","remainingDistanceMeters":3000000000}"#, "remainingDistanceMeters"),
            (#"{"name":"n","pickupTime":"yesterday"}"#, "pickupTime"),
            (#"{"name":"n","pickupPoint":[]}"#, "pickupPoint"),
            (#"{"name":"n","route":[1]}"#, "route"), (#"{"name":"n","route":[{"latitude":91}]}"#, "position"),
            (#"{"name":"n","route":[{"latitude":"NaN"}]}"#, "latitude"), ("{}", "name"), ("[]", "object"), ("", "JSON"),
            (#"{"name":"n","name":"m"}"#, "duplicate member"),
        ]
    )
    func `A field of the wrong type is an error that names it`(json: String, problem: String) throws {
        let error = try #require(throws: FleetEngineError.self) { try trip(json) }
        #expect(error.code == .internal)
        #expect(error.message.contains(problem))
    }

    @Test(arguments: ["169", #""169""#, "169.0", "1.69e2", #""169.0""#])
    func `An integer may be a string, and have a zero fraction or an exponent`(json: String) throws {
        #expect(try trip(#"{"name":"n","remainingDistanceMeters":\#(json)}"#).activeRouteRemainingDistance == 169)
    }
}
