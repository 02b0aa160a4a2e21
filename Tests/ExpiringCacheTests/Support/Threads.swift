import Foundation

/// Runs a body on so many threads of the system at once, and waits for all of them.
///
/// For what blocks, or takes long: there are only as many threads for tasks as there are processors.
func onThreads(_ count: Int, _ body: @escaping @Sendable (Int) -> Void) async {
    await withTaskGroup { group in
        for index in 0..<count {
            group.addTask { await onThread { body(index) } }
        }
    }
}

/// Runs a body on a thread of the system.
func onThread<Result: Sendable>(_ body: @escaping @Sendable () -> Result) async -> Result {
    await withCheckedContinuation { continuation in
        Thread.detachNewThread { continuation.resume(returning: body()) }
    }
}
