extension Parity {
    /// What answers have.
    static let answers: [Entry] = [
        Entry(
            "CreateTrip",
            "begins with `NEW`, and has no journey before a vehicle is assigned",
            .recorded,
            "recording"
        ),
        Entry(
            "remainingWaypoints",
            "of the vehicle up to the trip's last; the pickup point goes when the vehicle leaves it",
            .recorded,
            "recording"
        ),
        Entry("pickupTime, dropoffTime", "estimates, then the actual times", .recorded, "recording"),
        Entry(
            "COMPLETE, CANCELED",
            "without waypoints, route, distance and times to the next; canceling after the pickup is accepted",
            .recorded,
            "recording"
        ),
        Entry(
            "tripStatus",
            "may jump, and be set again; Google publishes no table of transitions",
            .recorded,
            "recording; validation scripts"
        ),
        Entry("vehicleWaypoints", "in answers to creating and updating only", .documented, "`.proto` comments"),
        Entry("input only", "fields that only requests have are in no answer", .documented, "`.proto` comments"),
        Entry(
            "versions",
            "route, traffic and paths are omitted while a caller's version is current",
            .documented,
            "`.proto` comments"
        ),
        Entry(
            "etaToFirstWaypoint",
            "the time that the device reported with a segment; without one, a straight line at 30 km/h",
            .inferred,
            ""
        ),
        Entry("pathToWaypoint", "straight lines; Fleet Engine plans routes on its map", .inferred, ""),
        Entry(
            "route",
            "what the device reported, if it is an encoded polyline; a straight line otherwise",
            .inferred,
            "Google's SDKs report an opaque text"
        ),
        Entry(
            "taskTrackingInfo",
            "visible as the task's view configuration says; without one, from five stops away",
            .inferred,
            "the default is a project's setting"
        ),
        Entry(
            "closed tasks",
            "a task whose stop is removed from its vehicle is closed",
            .documented,
            "`.proto` comments"
        ),
        Entry(
            "untrusted drivers",
            "may report, set the first stop's state, and remove stops from the beginning",
            .documented,
            "table of trusted and untrusted drivers"
        ),
        Entry(
            "drivers and tasks",
            "a `vehicleid` claim gives access to the tasks that are assigned to it",
            .inferred,
            "untrusted drivers close tasks with such tokens"
        ),
        Entry(
            "drivers and trips",
            "a `vehicleid` claim gives access to the search for its trips",
            .inferred,
            "the role has the permission"
        ),
        Entry(
            "error details",
            "ErrorInfo of the domain `\(EngineError.domain)`, BadRequest and RetryInfo",
            .inferred,
            "AIP-193"
        ),
        Entry(
            "codes",
            "400, where the documentation says that a request fails and not with which code",
            .inferred,
            "AIP-193"
        ),
        Entry("order of checks", "token, form of the name, access, fields, existence", .inferred, "validation scripts"),
        Entry("aud", "an array with the audience alone is accepted", .inferred, "RFC 7519"),
        Entry("exp", "there is no grace", .inferred, ""),
        Entry("IDs", "characters are counted as Unicode scalars", .inferred, ""),
        Entry(
            "permissions of updates",
            "the fields of the mask decide: `update`, `updateState`, `updateLocation`, `updateVehicleStop`, `updateOutcome`",
            .inferred,
            "IAM reference; recording of a driver's masks"
        ),
    ]
}
