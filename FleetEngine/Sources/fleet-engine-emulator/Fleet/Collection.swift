/// A collection of resources of a provider.
enum Collection: String, Sendable {
    case trips, vehicles, deliveryVehicles, tasks, taskTrackingInfo

    /// What the documentation calls an ID.
    var variable: String {
        switch self {
        case .trips: "trip_id"
        case .vehicles, .deliveryVehicles: "vehicle_id"
        case .tasks: "task_id"
        case .taskTrackingInfo: "tracking_id"
        }
    }

    /// The parameter with the ID of a resource that is created: `tripId`.
    var newID: String { rawValue.dropLast() + "Id" }

    /// The claim that grants access to one of them.
    var claim: ScopeClaim {
        switch self {
        case .trips: .trip
        case .vehicles: .vehicle
        case .deliveryVehicles: .deliveryVehicle
        case .tasks: .task
        case .taskTrackingInfo: .tracking
        }
    }

    /// Returns the name of one of them.
    func name(_ id: String, of provider: String) -> String {
        "providers/\(provider)/\(rawValue)/\(id)"
    }
}
