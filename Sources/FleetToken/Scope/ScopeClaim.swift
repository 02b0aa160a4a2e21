/// A private claim in a token's `authorization` object, as created from a scope or read by ``ClaimsReading``.
package struct ScopeClaim: Hashable, Sendable {
    /// The names of the claims that Fleet Engine knows.
    package enum Name: String, CaseIterable, Hashable, Sendable {
        /// A trip.
        case trip = "tripid"
        /// A vehicle of an on-demand fleet.
        case vehicle = "vehicleid"
        /// A vehicle of a delivery fleet.
        case deliveryVehicle = "deliveryvehicleid"
        /// A task.
        case task = "taskid"
        /// The tasks of one batch; always an array.
        case tasks = "taskids"
        /// A shipment.
        case tracking = "trackingid"
    }

    /// The resources that a claim grants access to.
    package enum Value: Hashable, Sendable {
        /// One resource.
        case id(ResourceID)
        /// Several, at least one.
        case ids([ResourceID])
        /// All resources: `*` in the token, or `["*"]`.
        case every
    }

    /// The claim's name.
    package let name: Name
    /// The resources that the claim grants access to.
    package let value: Value

    init(_ name: Name, _ value: Value) {
        self.name = name
        self.value = value
    }
}

extension TokenScope {
    /// The `authorization` claims, in the order in which they are encoded.
    package var claims: [ScopeClaim] {
        switch self {
        case .consumer(let trip): [.init(.trip, .id(trip))]
        case .driver(let vehicle): [.init(.vehicle, .id(vehicle))]
        case .deliveryDriver(let vehicle): [.init(.deliveryVehicle, .id(vehicle))]
        case .trustedDeliveryDriver(let vehicle, nil): [.init(.deliveryVehicle, .id(vehicle))]
        case .trustedDeliveryDriver(let vehicle, let task?):
            [.init(.deliveryVehicle, .id(vehicle)), .init(.task, .id(task))]
        case .deliveryConsumer(let tracking): [.init(.tracking, .id(tracking))]
        case .deliveryTask(let task): [.init(.task, .id(task))]
        case .server: [.init(.trip, .every), .init(.vehicle, .every)]
        case .fleetReader, .deliveryServer:
            [.init(.task, .every), .init(.tracking, .every), .init(.deliveryVehicle, .every)]
        case .deliveryBatch(let tasks): [.init(.tasks, .ids(tasks.ids))]
        }
    }
}
