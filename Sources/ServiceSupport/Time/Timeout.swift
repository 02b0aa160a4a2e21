/// Runs an operation, and cancels it after a time.
///
/// - Returns: The operation's end; nil if it took too long.
package func withTimeout<Success: Sendable, Failure: Error>(
    _ timeout: Duration,
    clock: ServiceClock,
    _ operation: @escaping @Sendable () async throws(Failure) -> Success
) async -> Result<Success, Failure>? {
    await withTaskGroup(of: Result<Success, Failure>?.self) { group in
        group.addTask {
            do throws(Failure) { return .success(try await operation()) } catch { return .failure(error) }
        }
        group.addTask {
            try? await clock.sleep(for: timeout)
            return nil
        }
        defer { group.cancelAll() }
        let first = await group.next() ?? nil
        // If this task was cancelled, the sleep ended early: return the operation's own result.
        if first == nil, Task.isCancelled { return await group.next() ?? nil }
        return first
    }
}
