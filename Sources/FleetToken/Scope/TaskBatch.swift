/// The task IDs of one batch-create request: at least one, without duplicates.
package struct TaskBatch: Hashable, Sendable {
    package static let maximumCount = 50
    /// The maximum number of UTF-8 bytes of all IDs together, so that the token fits into a request's header fields.
    package static let maximumBytes = 4096

    /// The IDs, in the order given.
    package let ids: [ResourceID]

    package var first: ResourceID { ids[0] }
    package var others: ArraySlice<ResourceID> { ids.dropFirst() }

    /// Creates a batch of 1 to 50 tasks, whose IDs have at most 4,096 bytes of UTF-8 together.
    ///
    /// - Throws: ``TokenError`` if there are no tasks, too many tasks or duplicates.
    package init(_ ids: [ResourceID]) throws(TokenError) {
        guard !ids.isEmpty else { throw TokenError(.missingID, "taskIds must have at least one task.") }
        guard ids.count <= Self.maximumCount, ids.reduce(0, { $0 + $1.rawValue.utf8.count }) <= Self.maximumBytes else {
            throw TokenError(
                .invalidID,
                "Too many task IDs: at most 50, and 4096 bytes in total. Request one token per batch."
            )
        }
        guard Set(ids).count == ids.count else { throw TokenError(.invalidID, "taskIds has a duplicate.") }
        self.ids = ids
    }
}
