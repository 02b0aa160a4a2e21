extension TokenScope {
    /// Creates the scope for a kind and the IDs of a request path, a request body or a command line.
    ///
    /// - Parameters:
    ///   - kind: The kind of token.
    ///   - id: The trip, vehicle, delivery vehicle, tracking ID or task; nil for a kind that grants access to all
    ///     resources.
    ///   - taskIDs: At most one for a trusted driver, those of a batch for a delivery server, otherwise none.
    /// - Throws: ``TokenError`` if an ID is missing, invalid or unexpected for this kind.
    public init(kind: TokenKind, id: String?, taskIDs: [String] = []) throws(TokenError) {
        try self.init(kind: kind, id: id, taskIDs: taskIDs, alphabet: .unicode)
    }

    /// Creates a scope whose IDs have the scalars of an alphabet.
    package init(
        kind: TokenKind,
        id: String?,
        taskIDs: [String] = [],
        alphabet: ResourceID.Alphabet
    ) throws(TokenError) {
        if kind.isPrivileged, id != nil {
            throw TokenError(.unexpectedID, "A \(kind.rawValue) token grants access to everything. Omit the ID.")
        }
        if !kind.isPrivileged, id?.utf8.isEmpty ?? true {
            throw TokenError(.missingID, "\(kind.idField ?? "ID") is missing. A \(kind.rawValue) token requires one.")
        }
        try kind.check(taskCount: taskIDs.count)
        let resource = try id.map { id throws(TokenError) in try ResourceID(id, alphabet: alphabet) }
        var tasks: [ResourceID] = []
        for taskID in taskIDs {
            tasks.append(try ResourceID(taskID, alphabet: alphabet))
        }
        switch (resource, tasks.first) {
        case (let resource?, let task?): self.init(kind, .oneWithTask(resource, task: task))
        case (let resource?, nil): self.init(kind, .one(resource))
        case (nil, _?): self.init(kind, .batch(try TaskBatch(tasks)))
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
            case .batch: Int.max
            }
        guard taskCount > limit else { return }
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
