import EngineCoding
import FleetToken

extension Tables {
    static let tripTypes = ["UNKNOWN_TRIP_TYPE", "SHARED", "EXCLUSIVE"]
    static let waypointTypes = [
        "UNKNOWN_WAYPOINT_TYPE", "PICKUP_WAYPOINT_TYPE", "DROP_OFF_WAYPOINT_TYPE",
        "INTERMEDIATE_DESTINATION_WAYPOINT_TYPE",
    ]
    static let tripStatuses = [
        "UNKNOWN_TRIP_STATUS", "NEW", "ENROUTE_TO_PICKUP", "ARRIVED_AT_PICKUP", "ENROUTE_TO_DROPOFF", "COMPLETE",
        "CANCELED",
        "ARRIVED_AT_INTERMEDIATE_DESTINATION", "ENROUTE_TO_INTERMEDIATE_DESTINATION",
    ]
    static let vehicleStates = ["UNKNOWN_VEHICLE_STATE", "OFFLINE", "ONLINE"]
    static let vehicleCategories = ["UNKNOWN", "AUTO", "TAXI", "TRUCK", "TWO_WHEELER", "BICYCLE", "PEDESTRIAN"]

    /// Where a rider is picked up, dropped off, or stops on the way.
    static let terminalLocation = Table(fields: [
        ("point", .point),
        ("terminalPointId", .message(Table(fields: [("placeId", .text), ("generatedId", .text), ("value", .text)]))),
        ("accessPointId", .text), ("tripId", .text), ("terminalLocationType", .name(waypointTypes)),
    ])

    /// Where and when a vehicle stopped.
    static let stopLocation = Table(fields: [("point", .point), ("timestamp", .time), ("stopTime", .time)])

    /// One stop of a vehicle, with the route to it.
    static let tripWaypoint = Table(
        "",
        [
            .init("location", .message(terminalLocation)), .init("tripId", .text),
            .init("waypointType", .name(waypointTypes)), .init("pathToWaypoint", .list(.point)),
            .init("distanceMeters", .integer(), .presence), .init("eta", .time), .init("duration", .duration),
        ]
    )

    static let trip = Table(
        "trip",
        [
            .init("name", .text, .output), .init("vehicleId", .text, .creation),
            .init("tripStatus", .name(tripStatuses)),
            .init("tripType", .name(tripTypes), .creation), .init("pickupPoint", .message(terminalLocation), .creation),
            .init("actualPickupPoint", .message(stopLocation), .input),
            .init("actualPickupArrivalPoint", .message(stopLocation), .input), .init("pickupTime", .time, .output),
            .init("intermediateDestinations", .list(.message(terminalLocation)), .creation),
            .init("intermediateDestinationsVersion", .time, .output), .init("intermediateDestinationIndex", .integer()),
            .init("actualIntermediateDestinationArrivalPoints", .list(.message(stopLocation)), .input),
            .init("actualIntermediateDestinations", .list(.message(stopLocation)), .input),
            .init("dropoffPoint", .message(terminalLocation), .creation),
            .init("actualDropoffPoint", .message(stopLocation), .input), .init("dropoffTime", .time, .output),
            .init("remainingWaypoints", .list(.message(tripWaypoint)), .output),
            .init("route", .list(.point), .output),
            .init("currentRouteSegment", .text, .output), .init("currentRouteSegmentVersion", .time, .output),
            .init("currentRouteSegmentEndPoint", .message(tripWaypoint), .output),
            .init("remainingDistanceMeters", .integer(), [.output, .presence]),
            .init("etaToFirstWaypoint", .time, .output),
            .init("remainingTimeToFirstWaypoint", .duration, .output),
            .init("remainingWaypointsVersion", .time, .output),
            .init("remainingWaypointsRouteVersion", .time, .output),
            .init("numberOfPassengers", .integer(), .creation),
            .init("lastLocation", .message(location), .output),
            // Ignored in requests.
            .init("lastLocationSnappable", .flag, .input),
            .init("attributes", .list(.message(attribute))),
        ]
    )

    /// Traffic as the driver's navigation shows it, which is ignored.
    private static let reportedTraffic = Table(fields: [
        ("trafficRendering", .message(Table(fields: [("roadStretch", .list(.message(roadStretch)))])))
    ])
    private static let roadStretch = Table(fields: [
        ("style", .name(["STYLE_UNSPECIFIED", "SLOWER_TRAFFIC", "TRAFFIC_JAM"])), ("offsetMeters", .integer()),
        ("lengthMeters", .integer()),
    ])

    static let vehicleType = Table(fields: [("category", .name(vehicleCategories))])

    static let vehicle = Table(
        "vehicle",
        [
            .init("name", .text, .output), .init("vehicleState", .name(vehicleStates), [.creation, .report]),
            .init("supportedTripTypes", .list(.name(tripTypes)), .creation),
            .init("currentTrips", .list(.text), .output),
            .init("lastLocation", .message(location), [.creation, .report]),
            .init("pastLocations", .list(.message(location)), [.input, .report]),
            .init("maximumCapacity", .integer(), .creation),
            .init("attributes", .list(.message(vehicleAttribute)), .creation),
            .init("vehicleType", .message(vehicleType), .creation),
            .init(
                "licensePlate",
                .message(Table(fields: [("countryCode", .text), ("lastCharacter", .text)])),
                .creation
            ),
            .init("route", .list(.message(terminalLocation))), .init("currentRouteSegment", .text, .report),
            .init("currentRouteSegmentTraffic", .message(reportedTraffic), [.input, .report]),
            .init("currentRouteSegmentVersion", .time, .output),
            .init("currentRouteSegmentEndPoint", .message(tripWaypoint), .report),
            .init("remainingDistanceMeters", .integer(), [.report, .presence]),
            .init("etaToFirstWaypoint", .time, .report),
            .init("remainingTimeSeconds", .integer(), [.input, .report, .presence]),
            .init("waypoints", .list(.message(tripWaypoint)), .output), .init("waypointsVersion", .time, .output),
            .init("backToBackEnabled", .flag, .creation), .init("navigationStatus", navigationStatus, .report),
        ]
    )
}
