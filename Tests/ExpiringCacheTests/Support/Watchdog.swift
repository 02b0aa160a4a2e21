import Foundation
import Testing

/// Ends the process when a test hangs: a time limit would only cancel it, which a deadlock doesn't notice.
struct Watchdog: SuiteTrait, TestTrait, TestScoping {
    /// In seconds; far beyond what any test takes on a busy machine.
    private static let limit = 300

    let isRecursive = true

    func provideScope(
        for test: Test,
        testCase: Test.Case?,
        performing function: @Sendable () async throws -> Void
    ) async throws {
        let isDone = DispatchSemaphore(value: 0)
        Thread.detachNewThread {
            guard isDone.wait(timeout: .now() + .seconds(Self.limit)) == .timedOut else { return }
            fatalError("\(test.name) hangs")
        }
        defer { isDone.signal() }
        try await function()
    }
}

extension Trait where Self == Watchdog {
    static var watchdog: Self { Watchdog() }
}
