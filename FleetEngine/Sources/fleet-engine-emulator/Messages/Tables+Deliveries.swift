import EngineCoding
import FleetToken

extension Tables {
    static let taskStates = ["STATE_UNSPECIFIED", "OPEN", "CLOSED"]
    static let taskTypes = ["TYPE_UNSPECIFIED", "PICKUP", "DELIVERY", "SCHEDULED_STOP", "UNAVAILABLE"]
    static let taskOutcomes = ["TASK_OUTCOME_UNSPECIFIED", "SUCCEEDED", "FAILED"]

    static let locationInfo = Table(fields: [("point", .point)])
    static let timeWindow = Table(fields: [("startTime", .time), ("endTime", .time)])

    /// The route to a stop, and the stop with the tasks that are done there.
    static let journeySegment = Table(
        "",
        [
            .init("stop", .message(vehicleStop)), .init("drivingDistanceMeters", .integer(), .presence),
            .init("drivingDuration", .duration), .init("path", .list(.point)),
        ]
    )

    private static let vehicleStop = Table(fields: [
        ("plannedLocation", .message(locationInfo)), ("tasks", .list(.message(taskInfo))),
        ("state", .name(["STATE_UNSPECIFIED", "NEW", "ENROUTE", "ARRIVED"])),
    ])

    private static let taskInfo = Table(fields: [
        ("taskId", .text), ("taskDuration", .duration), ("targetTimeWindow", .message(timeWindow)),
    ])

    static let deliveryVehicle = Table(
        "delivery_vehicle",
        [
            .init("name", .text, [.output, .creation]),
            .init("lastLocation", .message(location), [.creation, .report]),
            .init("pastLocations", .list(.message(location)), [.input, .report]),
            .init("navigationStatus", navigationStatus, .report), .init("currentRouteSegment", .bytes, .report),
            .init("currentRouteSegmentEndPoint", .point, .report),
            .init("remainingDistanceMeters", .integer(), [.report, .presence]),
            .init("remainingDuration", .duration, .report),
            .init("remainingVehicleJourneySegments", .list(.message(journeySegment))),
            .init("attributes", .list(.message(vehicleAttribute)), .creation),
            .init(
                "type",
                .name(["DELIVERY_VEHICLE_TYPE_UNSPECIFIED", "AUTO", "TWO_WHEELER", "BICYCLE", "PEDESTRIAN"]),
                .creation
            ),
        ]
    )

    /// What recipients may see, and from when on.
    static let views = [
        "routePolylinePointsVisibility", "estimatedArrivalTimeVisibility", "estimatedTaskCompletionTimeVisibility",
        "remainingDrivingDistanceVisibility", "remainingStopCountVisibility", "vehicleLocationVisibility",
    ]

    private static let visibility = Table(
        "",
        [
            .init("remainingStopCountThreshold", .integer(), .choice),
            .init("durationUntilEstimatedArrivalTimeThreshold", .duration, .choice),
            .init("remainingDrivingDistanceMetersThreshold", .integer(), .choice),
            .init("always", .flag, .choice), .init("never", .flag, .choice),
        ]
    )

    private static let journeySharingInfo = Table(fields: [
        ("remainingVehicleJourneySegments", .list(.message(journeySegment))), ("lastLocation", .message(location)),
        ("lastLocationSnappable", .flag),
    ])

    static let task = Table(
        "task",
        [
            .init("name", .text, [.output, .creation]), .init("type", .name(taskTypes), [.creation, .fixed]),
            .init("state", .name(taskStates), [.creation, .report]),
            .init("taskOutcome", .name(taskOutcomes), .report), .init("taskOutcomeTime", .time, .report),
            .init("taskOutcomeLocation", .message(locationInfo), .report),
            .init(
                "taskOutcomeLocationSource",
                .name(["TASK_OUTCOME_LOCATION_SOURCE_UNSPECIFIED", "", "PROVIDER", "LAST_VEHICLE_LOCATION"]),
                [.output, .report]
            ),
            .init("trackingId", .text, [.creation, .fixed]), .init("deliveryVehicleId", .text, .output),
            .init("plannedLocation", .message(locationInfo), [.creation, .fixed]),
            .init("taskDuration", .duration, [.creation, .fixed]),
            .init("targetTimeWindow", .message(timeWindow), .creation),
            .init("journeySharingInfo", .message(journeySharingInfo), .output),
            .init(
                "taskTrackingViewConfig",
                .message(Table("", views.map { Table.Field($0, .message(visibility)) })),
                .creation
            ),
            .init("attributes", .list(.message(attribute)), .creation),
        ]
    )
}
