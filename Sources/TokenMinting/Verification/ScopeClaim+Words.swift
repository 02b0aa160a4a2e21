import FleetToken

extension TokenScope {
    var inWords: String {
        claims.map(\.inWords).joined(separator: " and ")
    }
}

extension ScopeClaim {
    var inWords: String {
        switch value {
        case .id(let id): "the \(noun) \(id.rawValue)"
        case .every: "every \(noun)"
        case .ids(let ids): "the tasks \(ids.map(\.rawValue).joined(separator: ", "))"
        }
    }

    private var noun: String {
        switch name {
        case .trip: "trip"
        case .vehicle: "vehicle"
        case .deliveryVehicle: "delivery vehicle"
        case .task, .tasks: "task"
        case .tracking: "shipment"
        }
    }
}
