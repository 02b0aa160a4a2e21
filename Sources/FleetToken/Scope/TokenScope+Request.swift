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
        let requested = RequestedIDs(kind: kind, id: id, taskIDs: taskIDs, alphabet: alphabet)
        if kind.isPrivileged {
            try requested.requireNone(tasks: kind.tasks == .batch ? .max : 0)
            let tasks = try requested.tasks()
            self.init(kind, tasks.isEmpty ? .everything : .batch(try TaskBatch(tasks)))
        } else {
            let id = try requested.resource(tasks: kind.tasks == .one ? 1 : 0)
            let task = try requested.tasks().first
            self.init(kind, task.map { .oneWithTask(id, task: $0) } ?? .one(id))
        }
    }
}

/// The IDs of a request, and the rules on how many of them a kind accepts.
private struct RequestedIDs {
    let kind: TokenKind
    let id: String?
    let taskIDs: [String]
    let alphabet: ResourceID.Alphabet

    /// Returns the resource of a kind that grants access to one, with at most `limit` tasks.
    func resource(tasks limit: Int = 0) throws(TokenError) -> ResourceID {
        guard let id, !id.utf8.isEmpty else {
            throw TokenError(
                .missingID,
                "\(kind.idField ?? "ID") is missing. A \(kind.rawValue) token requires one."
            )
        }
        try requireTasks(atMost: limit)
        return try ResourceID(id, alphabet: alphabet)
    }

    /// Checks that no resource is named for a kind that grants access to all resources.
    func requireNone(tasks limit: Int = 0) throws(TokenError) {
        guard id == nil else {
            throw TokenError(.unexpectedID, "A \(kind.rawValue) token grants access to everything. Omit the ID.")
        }
        try requireTasks(atMost: limit)
    }

    func tasks() throws(TokenError) -> [ResourceID] {
        var tasks: [ResourceID] = []
        for taskID in taskIDs {
            tasks.append(try ResourceID(taskID, alphabet: alphabet))
        }
        return tasks
    }

    private func requireTasks(atMost limit: Int) throws(TokenError) {
        guard taskIDs.count > limit else { return }
        let message =
            switch kind {
            case .trustedDeliveryDriver: "A trusted_delivery_driver token grants access to at most one task."
            case .deliveryConsumer:
                "A delivery_consumer token requires a trackingId. For a task, request delivery_task."
            default: "A \(kind.rawValue) token has no task ID. Omit it."
            }
        throw TokenError(.unexpectedID, message)
    }
}
