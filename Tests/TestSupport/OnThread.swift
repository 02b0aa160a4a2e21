import Foundation

/// Runs what may block, or should run at the same time as others, on a thread of its own: tasks share a few.
package func onThread<Result: Sendable>(_ body: @escaping @Sendable () -> Result) async -> Result {
    await withCheckedContinuation { continuation in
        Thread.detachNewThread { continuation.resume(returning: body()) }
    }
}
