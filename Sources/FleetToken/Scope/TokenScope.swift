/// What a token opens: a kind with the IDs that this kind needs, no more and no fewer.
///
/// A scope is never empty, and the wildcard is a case of its own which no string can make: the kinds that open
/// everything have no ID to get wrong. Scopes may be added.
@nonexhaustive public enum TokenScope: Hashable, Sendable {
    /// One trip, for a rider.
    case consumer(trip: ResourceID)
    /// One vehicle, for its driver.
    case driver(vehicle: ResourceID)
    /// One delivery vehicle, for a driver whose device is not trusted.
    case deliveryDriver(vehicle: ResourceID)
    /// One delivery vehicle and perhaps one task, for a driver whose device is trusted.
    case trustedDeliveryDriver(vehicle: ResourceID, task: ResourceID? = nil)
    /// One shipment, for its recipient.
    case deliveryConsumer(tracking: ResourceID)
    /// One task, for its recipient.
    case deliveryTask(task: ResourceID)
    /// All trips and vehicles.
    case server
    /// All deliveries, for reading.
    case fleetReader
    /// All deliveries.
    case deliveryServer
    /// The tasks that one batch creates.
    case deliveryBatch(tasks: TaskBatch)

    /// The kind of token that has this scope.
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

    /// The IDs that it names; none for a wildcard.
    public var ids: [ResourceID] {
        switch self {
        case .consumer(let id), .driver(let id), .deliveryDriver(let id), .deliveryConsumer(let id),
            .deliveryTask(let id):
            [id]
        case .trustedDeliveryDriver(let vehicle, let task): [vehicle, task].compactMap { $0 }
        case .server, .fleetReader, .deliveryServer: []
        case .deliveryBatch(let tasks): tasks.ids
        }
    }
}
