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
        /// The tasks of one batch: at least one, in the order given and without duplicates.
        case batch([ResourceID])
    }

    /// The maximum number of tasks in one token.
    package static let maximumTasks = 50
    /// The maximum number of UTF-8 bytes of a batch's IDs together, so that the token fits into a request's header fields.
    package static let maximumTaskBytes = 4096

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
        case .batch(let tasks): tasks.forEach(body)
        }
    }

    /// The `authorization` claims, in the order in which they are encoded.
    package var claims: [ScopeClaim] {
        switch resources {
        case .everything: kind.claims.map { ScopeClaim($0, .every) }
        case .one(let id): kind.claims.map { ScopeClaim($0, .id(id)) }
        case .oneWithTask(let id, let task):
            kind.claims.map { ScopeClaim($0, .id(id)) } + [ScopeClaim(.task, .id(task))]
        case .batch(let tasks): [ScopeClaim(.tasks, .ids(tasks))]
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
}

// MARK: - The IDs of a request

extension TokenScope {
    /// Creates the scope for a kind and the IDs of a request path, a request body or a command line.
    ///
    /// - Parameters:
    ///   - kind: The kind of token.
    ///   - id: The trip, vehicle, delivery vehicle, tracking ID or task; nil for a kind that grants access to all
    ///     resources.
    ///   - taskIDs: At most one for a trusted driver, those of a batch for a delivery server, otherwise none.
    /// - Throws: ``TokenError`` if an ID is missing, invalid or unexpected for this kind, or if there are too many tasks.
    public init(kind: TokenKind, id: String?, taskIDs: [String] = []) throws(TokenError) {
        if kind.isPrivileged, id != nil {
            throw TokenError(.unexpectedID, "A \(kind.rawValue) token grants access to everything. Omit the ID.")
        }
        if !kind.isPrivileged, id?.utf8.isEmpty ?? true {
            throw TokenError(.missingID, "\(kind.idField ?? "ID") is missing. A \(kind.rawValue) token requires one.")
        }
        try kind.check(taskCount: taskIDs.count)
        let resource = try id.map { id throws(TokenError) in try ResourceID(id) }
        var tasks: [ResourceID] = []
        for taskID in taskIDs {
            tasks.append(try ResourceID(taskID))
        }
        switch (resource, tasks.first) {
        case (let resource?, let task?): self.init(kind, .oneWithTask(resource, task: task))
        case (let resource?, nil): self.init(kind, .one(resource))
        case (nil, _?):
            guard Set(tasks).count == tasks.count else { throw TokenError(.invalidID, "taskIds has a duplicate.") }
            guard tasks.reduce(0, { $0 + $1.rawValue.utf8.count }) <= Self.maximumTaskBytes else { throw .tooManyTasks }
            self.init(kind, .batch(tasks))
        case (nil, nil): self.init(kind, .everything)
        }
    }
}

extension TokenKind {
    /// Checks that a request names no more tasks than the kind accepts.
    fileprivate func check(taskCount: Int) throws(TokenError) {
        let limit =
            switch tasks {
            case .none: 0
            case .one: 1
            case .batch: TokenScope.maximumTasks
            }
        guard taskCount > limit else { return }
        guard tasks != .batch else { throw .tooManyTasks }
        let message =
            switch self {
            case .trustedDeliveryDriver: "A trusted_delivery_driver token grants access to at most one task."
            case .deliveryConsumer:
                "A delivery_consumer token requires a trackingId. For a task, request delivery_task."
            default: "A \(rawValue) token has no task ID. Omit it."
            }
        throw TokenError(.unexpectedID, message)
    }
}

extension TokenError {
    fileprivate static let tooManyTasks = Self(
        .invalidID,
        """
        Too many task IDs: at most \(TokenScope.maximumTasks), and \(TokenScope.maximumTaskBytes) bytes in total. \
        Request one token per batch.
        """
    )
}
