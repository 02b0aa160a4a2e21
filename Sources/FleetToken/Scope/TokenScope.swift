/// What a token grants access to: a kind with exactly the IDs that this kind requires.
///
/// A scope is never empty. The wildcard is a separate case of its resources that no string can produce: the kinds that
/// grant access to all resources have no ID.
public struct TokenScope: Hashable, Sendable {
    /// The resources of a scope.
    package enum Resources: Hashable, Sendable {
        /// All resources of the kind's claims.
        case everything
        case one(ResourceID)
        /// One, and a task in addition.
        indirect case oneWithTask(ResourceID, task: ResourceID)
        /// The tasks of one batch.
        case batch(TaskBatch)
    }

    /// The kind of this scope.
    public let kind: TokenKind
    package let resources: Resources

    init(_ kind: TokenKind, _ resources: Resources) {
        self.kind = kind
        self.resources = resources
    }

    /// The IDs in the scope; none for a wildcard.
    public var ids: [ResourceID] {
        var ids: [ResourceID] = []
        forEachID { ids.append($0) }
        return ids
    }

    /// Passes each of ``ids`` to `body`, without creating an array.
    package func forEachID(_ body: (ResourceID) -> Void) {
        switch resources {
        case .everything: break
        case .one(let id): body(id)
        case .oneWithTask(let id, let task):
            body(id)
            body(task)
        case .batch(let tasks): tasks.ids.forEach(body)
        }
    }

    /// The `authorization` claims, in the order in which they are encoded.
    package var claims: [ScopeClaim] {
        switch resources {
        case .everything: kind.claims.map { ScopeClaim($0, .every) }
        case .one(let id): kind.claims.map { ScopeClaim($0, .id(id)) }
        case .oneWithTask(let id, let task):
            kind.claims.map { ScopeClaim($0, .id(id)) } + [ScopeClaim(.task, .id(task))]
        case .batch(let tasks): [ScopeClaim(.tasks, .ids(tasks.ids))]
        }
    }
}

extension TokenScope {
    /// Returns the scope of one trip, for a rider.
    public static func consumer(trip: ResourceID) -> Self { Self(.consumer, .one(trip)) }

    /// Returns the scope of one vehicle, for its driver.
    public static func driver(vehicle: ResourceID) -> Self { Self(.driver, .one(vehicle)) }

    /// Returns the scope of one delivery vehicle, for a driver whose device is not trusted.
    public static func deliveryDriver(vehicle: ResourceID) -> Self { Self(.deliveryDriver, .one(vehicle)) }

    /// Returns the scope of one delivery vehicle and optionally one task, for a driver whose device is trusted.
    public static func trustedDeliveryDriver(vehicle: ResourceID, task: ResourceID? = nil) -> Self {
        Self(.trustedDeliveryDriver, task.map { .oneWithTask(vehicle, task: $0) } ?? .one(vehicle))
    }

    /// Returns the scope of one shipment, for its recipient.
    public static func deliveryConsumer(tracking: ResourceID) -> Self { Self(.deliveryConsumer, .one(tracking)) }

    /// Returns the scope of one task, for its recipient.
    public static func deliveryTask(task: ResourceID) -> Self { Self(.deliveryTask, .one(task)) }

    /// All trips and vehicles.
    public static let server = Self(.server, .everything)

    /// All deliveries, read-only.
    public static let fleetReader = Self(.fleetReader, .everything)

    /// All deliveries.
    public static let deliveryServer = Self(.deliveryServer, .everything)

    /// Returns the scope of the tasks that one batch creates.
    package static func deliveryBatch(tasks: TaskBatch) -> Self { Self(.deliveryServer, .batch(tasks)) }
}
