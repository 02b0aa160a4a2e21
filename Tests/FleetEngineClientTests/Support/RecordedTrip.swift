/// A trip as the real service was recorded to answer: which fields are present in which status.
enum RecordedTrip {
    private static let places =
        #""pickupPoint":{"point":{"latitude":1,"longitude":1}},"dropoffPoint":{"point":{"latitude":2,"longitude":2}}"#
    private static let pickup =
        #"{"location":{"point":{"latitude":1,"longitude":1}},"tripId":"t1","waypointType":"PICKUP_WAYPOINT_TYPE"}"#
    private static func dropoff(_ path: String) -> String {
        #"{"location":{"point":{"latitude":2,"longitude":2}},"tripId":"t1","waypointType":"DROP_OFF_WAYPOINT_TYPE","#
            + #""distanceMeters":10609\#(path)}"#
    }
    private static let path = #","pathToWaypoint":[{"latitude":1,"longitude":1},{"latitude":2,"longitude":2}]"#
    private static func vehicle(_ latitude: Double) -> String {
        #""vehicleId":"v1","lastLocation":{"location":{"latitude":\#(latitude),"longitude":1}}"#
    }
    private static func times(_ pickup: Int, _ dropoff: Int, next: Int) -> String {
        #""pickupTime":"1970-01-01T00:00:\#(pickup)Z","dropoffTime":"1970-01-01T00:00:\#(dropoff)Z","#
            + #""etaToFirstWaypoint":"1970-01-01T00:00:\#(next)Z""#
    }
    private static let versions =
        #""currentRouteSegmentVersion":"2026-11-20T21:52:20Z","#
        + #""remainingWaypointsRouteVersion":"2026-11-20T21:52:20Z""#
    private static let route = #""route":[{"latitude":0.5,"longitude":1},{"latitude":1,"longitude":1}]"#

    static let answers: [ScriptedAnswer] = [
        .trip("NEW", places + #","numberOfPassengers":1"#),
        // A vehicle is assigned: waypoints, distance and times appear.
        .trip(
            "NEW",
            [
                places, #""numberOfPassengers":1"#, vehicle(0.5), times(20, 50, next: 20), versions, route,
                #""remainingDistanceMeters":169,"remainingWaypoints":[\#(pickup),\#(dropoff(path))]"#,
            ].joined(separator: ",")
        ),
        // It drives: the routes are known, so they are omitted.
        .trip(
            "ENROUTE_TO_PICKUP",
            [
                places, #""numberOfPassengers":1"#, vehicle(0.7), times(21, 50, next: 21), versions,
                #""remainingDistanceMeters":80,"remainingWaypoints":[\#(pickup),\#(dropoff(""))]"#,
            ].joined(separator: ",")
        ),
        .error(503, "UNAVAILABLE"),
        // It waits at the pickup, which still is a remaining waypoint.
        .trip(
            "ARRIVED_AT_PICKUP",
            [
                places, #""numberOfPassengers":1"#, vehicle(0.7), times(21, 50, next: 21), versions,
                #""remainingDistanceMeters":80,"remainingWaypoints":[\#(pickup),\#(dropoff(""))]"#,
            ].joined(separator: ",")
        ),
        // The pickup is over; the next waypoint is the drop-off.
        .trip(
            "ENROUTE_TO_DROPOFF",
            [
                places, #""numberOfPassengers":1"#, vehicle(1), times(21, 52, next: 52),
                #""currentRouteSegmentVersion":"2026-11-20T21:59:59Z""#,
                #""route":[{"latitude":1,"longitude":1},{"latitude":1.5,"longitude":1},{"latitude":2,"longitude":2}]"#,
                #""remainingDistanceMeters":10609,"remainingWaypoints":[\#(dropoff(""))]"#,
            ].joined(separator: ",")
        ),
        .trip(
            "COMPLETE",
            [
                places, #""numberOfPassengers":1,"vehicleId":"v1","pickupTime":"1970-01-01T00:00:21Z""#,
                #""dropoffTime":"1970-01-01T00:00:55Z""#,
            ].joined(separator: ",")
        ),
    ]

    static let calls = [
        "state active", "trip 601", "status new", "pickup 1.0", "dropoff 2.0",
        "trip 189858", "vehicle 0.5", "pickupETA 20", "dropoffETA 50", "nextETA 20", "route 2", "distance 169",
        "waypoints 2", "remainingRoute 2", "remainingDistance 10609",
        "trip 8488", "status enrouteToPickup", "vehicle 0.7", "pickupETA 21", "nextETA 21", "distance 80",
        "failed 14",
        "trip 8", "status arrivedAtPickup",
        "trip 189832", "status enrouteToDropoff", "vehicle 1.0", "dropoffETA 52", "nextETA 52", "route 3",
        "distance 10609", "waypoints 1", "remainingRoute 0",
        "trip 42376", "status complete", "vehicle none", "dropoffETA 55", "route 0", "waypoints 0",
        "state inactive",
    ]
}
