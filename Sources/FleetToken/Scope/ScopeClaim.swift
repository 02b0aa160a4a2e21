/// A private claim in a token's `authorization` object, as created from a scope or read by ``ClaimsReading``.
package struct ScopeClaim: Hashable, Sendable {
    /// The names of the claims that Fleet Engine knows.
    package enum Name: String, CaseIterable, Hashable, Sendable {
        case trip = "tripid"
        /// A vehicle of an on-demand fleet.
        case vehicle = "vehicleid"
        /// A vehicle of a delivery fleet.
        case deliveryVehicle = "deliveryvehicleid"
        case task = "taskid"
        /// The tasks of one batch; always an array.
        case tasks = "taskids"
        case tracking = "trackingid"

        /// The field of a request with the same ID, as the JavaScript SDK's context names it.
        package var field: String {
            switch self {
            case .trip: "tripId"
            case .vehicle: "vehicleId"
            case .deliveryVehicle: "deliveryVehicleId"
            case .task: "taskId"
            case .tasks: "taskIds"
            case .tracking: "trackingId"
            }
        }
    }

    /// The resources that a claim grants access to.
    package enum Value: Hashable, Sendable {
        case id(ResourceID)
        /// Several, at least one.
        case ids([ResourceID])
        /// All resources: `*` in the token, or `["*"]`.
        case every
    }

    package let name: Name
    /// The resources that the claim grants access to.
    package let value: Value

    init(_ name: Name, _ value: Value) {
        self.name = name
        self.value = value
    }
}
