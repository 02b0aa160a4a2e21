package import FleetToken

/// What a request may name, the same for the service, `tokend explain` and expected decisions.
package struct RequestRules: Sendable, Hashable {
    /// The maximum number of tasks in one token.
    package let maximumTasks: Int
    /// The maximum number of UTF-8 bytes of a batch's IDs together, so that the token fits into a request's header fields.
    package let maximumTaskBytes: Int

    /// Creates rules.
    package init(maximumTasks: Int = 50, maximumTaskBytes: Int = 4096) {
        self.maximumTasks = maximumTasks
        self.maximumTaskBytes = maximumTaskBytes
    }

    /// The maximum number of JSON values in a body: more than any valid request has, so that a batch with too many tasks
    /// gets a specific error.
    var maximumBodyValues: Int { 4 * maximumTasks + 56 }

    /// Returns the scope of a request, in whose IDs nothing is trimmed or normalized.
    ///
    /// - Parameters:
    ///   - kind: The kind of token.
    ///   - id: The trip, vehicle, delivery vehicle, tracking ID or task, for a kind that requires one.
    ///   - taskIDs: At most one for a trusted driver, those of a batch for a delivery server.
    /// - Returns: The scope.
    /// - Throws: ``TokenError`` that names the problem.
    package func scope(kind: TokenKind, id: String?, taskIDs: [String] = []) throws(TokenError) -> TokenScope {
        // Before all of them are validated.
        guard kind.tasks != .batch || taskIDs.count <= maximumTasks else { throw tooManyTasks }
        let scope = try TokenScope(kind: kind, id: id, taskIDs: taskIDs)
        if case .batch(let tasks) = scope.resources {
            guard tasks.reduce(0, { $0 + $1.rawValue.utf8.count }) <= maximumTaskBytes else { throw tooManyTasks }
        }
        return scope
    }

    private var tooManyTasks: TokenError {
        TokenError(
            .invalidID,
            "Too many task IDs: at most \(maximumTasks), and \(maximumTaskBytes) bytes in total. Request one token per batch."
        )
    }
}
