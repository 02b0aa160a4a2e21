/// What a token grants access to: a kind with exactly the IDs that this kind requires.
///
/// A scope is never empty. The wildcard is a separate case that no string can produce: the kinds that grant access to
/// all resources have no ID. Scopes may be added.
@nonexhaustive public enum TokenScope: Hashable, Sendable {
    /// One trip, for a rider.
    case consumer(trip: ResourceID)
    /// One vehicle, for its driver.
    case driver(vehicle: ResourceID)
    /// One delivery vehicle, for a driver whose device is not trusted.
    case deliveryDriver(vehicle: ResourceID)
    /// One delivery vehicle and optionally one task, for a driver whose device is trusted.
    indirect case trustedDeliveryDriver(vehicle: ResourceID, task: ResourceID? = nil)
    /// One shipment, for its recipient.
    case deliveryConsumer(tracking: ResourceID)
    /// One task, for its recipient.
    case deliveryTask(task: ResourceID)
    /// All trips and vehicles.
    case server
    /// All deliveries, read-only.
    case fleetReader
    /// All deliveries.
    case deliveryServer
    /// The tasks that one batch creates.
    case deliveryBatch(tasks: TaskBatch)

    /// The kind of this scope.
    public var kind: TokenKind {
        switch self {
        case .consumer: .consumer
        case .driver: .driver
        case .deliveryDriver: .deliveryDriver
        case .trustedDeliveryDriver: .trustedDeliveryDriver
        case .deliveryConsumer: .deliveryConsumer
        case .deliveryTask: .deliveryTask
        case .server: .server
        case .fleetReader: .fleetReader
        case .deliveryServer, .deliveryBatch: .deliveryServer
        }
    }

    /// The IDs in the scope; none for a wildcard.
    public var ids: [ResourceID] {
        var ids: [ResourceID] = []
        forEachID { ids.append($0) }
        return ids
    }

    /// Passes each of ``ids`` to `body`, without creating an array.
    package func forEachID(_ body: (ResourceID) -> Void) {
        switch self {
        case .consumer(let id), .driver(let id), .deliveryDriver(let id), .deliveryConsumer(let id),
            .deliveryTask(let id):
            body(id)
        case .trustedDeliveryDriver(let vehicle, let task):
            body(vehicle)
            if let task { body(task) }
        case .server, .fleetReader, .deliveryServer: break
        case .deliveryBatch(let tasks): tasks.ids.forEach(body)
        }
    }
}
