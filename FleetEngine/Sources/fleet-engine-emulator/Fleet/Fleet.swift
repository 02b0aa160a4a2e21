/// All resources: the messages that were given, by their names, and what is needed to respond.
struct Fleet: Sendable {
    /// A trip as it was given, with the actual times that are known.
    struct TripRecord: Sendable {
        var trip: ProtoTrip
        var updated: Timestamp
    }

    /// A vehicle as it was reported, with the waypoints of its trips.
    struct VehicleRecord: Sendable {
        var vehicle: ProtoVehicle
        var trafficVersion: Timestamp?
    }

    var trips: [String: TripRecord] = [:]
    var vehicles: [String: VehicleRecord] = [:]
    var deliveryVehicles: [String: ProtoDeliveryVehicle] = [:]
    var tasks: [String: ProtoTask] = [:]
    /// The names of the tasks with a tracking ID, by the name of what is tracked.
    var tracked: [String: Set<String>] = [:]
}

extension EngineError {
    /// Creates the refusal for a resource that doesn't exist.
    static func notFound(_ name: String) -> Self {
        Self(.notFound, "\(name) was not found.")
    }

    /// Creates the refusal for a resource that already exists.
    static func alreadyExists(_ name: String) -> Self {
        Self(.alreadyExists, "\(name) already exists.")
    }
}
