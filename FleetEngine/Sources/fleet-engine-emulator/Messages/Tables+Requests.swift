import FleetToken

extension Tables {
    /// What a caller says about itself.
    private static let header = Table.Field("header", .ignored)
    private static let paging: [Table.Field] = [
        .init("pageSize", .integer()), .init("pageToken", .text),
    ]

    /// The parameters of a request that has no others.
    static let plain = Table(fields: [])
    static let update = Table(fields: [("updateMask", .text)])

    /// Returns the parameters of a request that creates something, whose ID is in a field.
    static func creation(_ id: String) -> Table { Table(fields: [(id, .text)]) }

    /// The versions that a caller has are ignored: the response has the whole trip.
    static let getTrip = Table(fields: [
        ("currentRouteSegmentVersion", .time), ("remainingWaypointsVersion", .time),
        ("currentRouteSegmentTrafficVersion", .time), ("remainingWaypointsRouteVersion", .time),
    ])

    static let getVehicle = Table(fields: [("currentRouteSegmentVersion", .time), ("waypointsVersion", .time)])

    static let searchTrips = Table(
        "",
        paging + [header, .init("vehicleId", .text), .init("activeTripsOnly", .flag)]
    )

    static let listVehicles = Table(
        "",
        paging + [
            .init("minimumCapacity", .integer(), .presence), .init("tripTypes", .list(.name(tripTypes))),
            .init("maximumStaleness", .duration), .init("vehicleTypeCategories", .list(.name(vehicleCategories))),
            .init("vehicleState", .name(vehicleStates)), .init("onTripOnly", .flag), .init("filter", .text),
        ]
    )

    static let searchVehicles = Table(
        "",
        [
            header, .init("pickupPoint", .message(terminalLocation)),
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

    static let listDeliveryVehicles = Table("", paging + [.init("filter", .text)])

    static let listTasks = Table("", paging + [.init("filter", .text)])

    static let batchCreateTasks = Table("", [header, .init("requests", .list(.message(createTask)))])

    private static let createTask = Table(
        "",
        [header, .init("parent", .text), .init("taskId", .text), .init("task", .message(task))]
    )

    /// Fields of requests that the emulator does not evaluate: they are refused, and not ignored.
    static let unimplemented: Set<String> = [
        "requiredAttributes", "requiredOneOfAttributes", "requiredOneOfAttributeSets", "fields", "$fields", "view",
        "routeFormatType", "vehicleWaypoints", "viewport", "deviceSettings", "minimumStaleness",
    ]
}
