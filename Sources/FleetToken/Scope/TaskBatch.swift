/// The task IDs of one batch-create request: at least one, without duplicates.
public struct TaskBatch: Hashable, Sendable {
    /// The IDs, in the order given.
    public let ids: [ResourceID]

    package var first: ResourceID { ids[0] }
    package var others: ArraySlice<ResourceID> { ids.dropFirst() }

    /// Creates a batch of tasks.
    ///
    /// The service limits how many tasks a token may have, by default 50 with at most 4,096 bytes of UTF-8 together.
    ///
    /// - Throws: ``TokenError`` if there are no tasks or duplicates.
    public init(_ ids: [ResourceID]) throws(TokenError) {
        guard !ids.isEmpty else { throw TokenError(.missingID, "taskIds must have at least one task.") }
        guard Set(ids).count == ids.count else { throw TokenError(.invalidID, "taskIds has a duplicate.") }
        self.ids = ids
    }
}
