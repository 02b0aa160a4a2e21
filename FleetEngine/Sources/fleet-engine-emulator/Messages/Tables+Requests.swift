import FleetToken

extension Tables {
    private static let paging: [Table.Field] = [
        .init("header", .message(header)), .init("pageSize", .integer()), .init("pageToken", .text),
    ]

    /// The parameters of a request that has no others.
    static let plain = Table(fields: [("header", .message(header))])
    static let update = Table(fields: [("header", .message(header)), ("updateMask", .text)])

    /// Returns the parameters of a request that creates something, whose ID is in a field.
    static func creation(_ id: String) -> Table { Table(fields: [("header", .message(header)), (id, .text)]) }

    static let getTrip = Table(fields: [
        ("header", .message(header)), ("currentRouteSegmentVersion", .time), ("remainingWaypointsVersion", .time),
        ("currentRouteSegmentTrafficVersion", .time), ("remainingWaypointsRouteVersion", .time),
    ])

    static let getVehicle = Table(fields: [
        ("header", .message(header)), ("currentRouteSegmentVersion", .time), ("waypointsVersion", .time),
    ])

    static let searchTrips = Table(
        "",
        paging + [
            .init("vehicleId", .text), .init("activeTripsOnly", .flag), .init("minimumStaleness", .duration),
        ]
    )

    static let listVehicles = Table(
        "",
        paging + [
            .init("minimumCapacity", .wrapped(.integer())), .init("tripTypes", .list(.name(tripTypes))),
            .init("maximumStaleness", .duration), .init("vehicleTypeCategories", .list(.name(vehicleCategories))),
            .init("vehicleState", .name(vehicleStates)), .init("onTripOnly", .flag), .init("filter", .text),
            .init("viewport", .message(viewport)),
        ]
    )

    static let searchVehicles = Table(
        "",
        [
            .init("header", .message(header)), .init("pickupPoint", .message(terminalLocation)),
            .init("dropoffPoint", .message(terminalLocation)), .init("pickupRadiusMeters", .integer()),
            .init("count", .integer()), .init("minimumCapacity", .integer()),
            .init("tripTypes", .list(.name(tripTypes))),
            .init("maximumStaleness", .duration), .init("vehicleTypes", .list(.message(vehicleType))),
            .init(
                "orderBy",
                .name([
                    "UNKNOWN_VEHICLE_MATCH_ORDER", "PICKUP_POINT_ETA", "PICKUP_POINT_DISTANCE", "DROPOFF_POINT_ETA",
                    "PICKUP_POINT_STRAIGHT_DISTANCE", "COST",
                ])
            ),
            .init("includeBackToBack", .flag), .init("tripId", .text),
            .init("currentTripsPresent", .name(["CURRENT_TRIPS_PRESENT_UNSPECIFIED", "NONE", "ANY"])),
            .init("filter", .text),
        ]
    )

    static let listDeliveryVehicles = Table(
        "",
        paging + [
            .init("filter", .text), .init("viewport", .message(viewport)),
        ]
    )

    static let listTasks = Table("", paging + [.init("filter", .text)])

    static let batchCreateTasks = Table(fields: [
        ("header", .message(header)),
        (
            "requests",
            .list(
                .message(
                    Table(fields: [
                        ("header", .message(header)), ("parent", .text), ("taskId", .text), ("task", .message(task)),
                    ])
                )
            )
        ),
    ])

    /// Fields of requests that the emulator does not evaluate: they are refused, and not ignored.
    static let unimplemented: Set<String> = [
        "requiredAttributes", "requiredOneOfAttributes", "requiredOneOfAttributeSets", "fields", "$fields", "view",
        "routeFormatType", "vehicleWaypoints", "waypoints", "deviceSettings",
    ]
}
