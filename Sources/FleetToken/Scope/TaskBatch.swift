/// The task IDs of one batch-create request: at least one, without duplicates.
package struct TaskBatch: Hashable, Sendable {
    /// The IDs, in the order given.
    package let ids: [ResourceID]

    package var first: ResourceID { ids[0] }
    package var others: ArraySlice<ResourceID> { ids.dropFirst() }

    /// Creates a batch of tasks.
    ///
    /// The service limits how many tasks a token may have.
    ///
    /// - Throws: ``TokenError`` if there are no tasks or duplicates.
    package init(_ ids: [ResourceID]) throws(TokenError) {
        guard !ids.isEmpty else { throw TokenError(.missingID, "taskIds must have at least one task.") }
        guard Set(ids).count == ids.count else { throw TokenError(.invalidID, "taskIds has a duplicate.") }
        self.ids = ids
    }
}
