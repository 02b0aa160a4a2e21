/// The IDs of the tasks that one batch-create request names: at least one, each once.
public struct TaskBatch: Hashable, Sendable {
    /// How many tasks one token may name.
    public static let maximumCount = 50
    /// How many bytes of UTF-8 the IDs may have together, so that the token fits into a request's headers.
    public static let maximumBytes = 4096

    /// The IDs in the order given.
    public let ids: [ResourceID]

    /// Checks a batch.
    ///
    /// - Throws: ``TokenError`` when there are none or too many, or one is named twice.
    public init(_ ids: [ResourceID]) throws(TokenError) {
        guard !ids.isEmpty else { throw TokenError(.missingID, "Name at least one task in taskIds.") }
        guard ids.count <= Self.maximumCount, ids.reduce(0, { $0 + $1.rawValue.utf8.count }) <= Self.maximumBytes else {
            throw TokenError(
                .invalidID,
                "A token names at most 50 tasks, with 4096 bytes of IDs: ask for one a batch."
            )
        }
        guard Set(ids).count == ids.count else { throw TokenError(.invalidID, "taskIds names a task twice.") }
        self.ids = ids
    }
}
