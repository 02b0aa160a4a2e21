/// Waits for a condition of which no event tells.
///
/// - Throws: `CancellationError` if the test is cancelled, as when its time is over.
package nonisolated(nonsending) func until(_ isMet: () -> Bool) async throws {
    while !isMet() {
        try Task.checkCancellation()
        await Task.yield()
    }
}
