import Foundation
package import Testing

/// A trait that ends a test that takes too long.
///
/// A test has ten seconds on an idle machine, and up to a minute on one with other work. A test that takes longer fails,
/// and its task is cancelled. `TimeLimitTrait` rounds its limits up to minutes.
///
/// Where a test ignores its cancellation, as in a deadlock, the process ends four minutes later and names the test.
package struct Watchdog: TestTrait, SuiteTrait, TestScoping {
    /// The seconds that a test has on an idle machine.
    var seconds: Double

    package let isRecursive = true

    package func provideScope(
        for test: Test,
        testCase: Test.Case?,
        performing body: @Sendable () async throws -> Void
    ) async throws {
        let isOver = DispatchSemaphore(value: 0)
        defer { isOver.signal() }
        endProcess(unless: isOver, test.name)
        try await withoutActuallyEscaping(body) { body in
            try await withThrowingTaskGroup(of: Void.self) { group in
                defer { group.cancelAll() }
                group.addTask { try await body() }
                group.addTask {
                    let waited = try await waitForDeadline()
                    Issue.record(
                        "timed out after \(Int(waited.rounded())) seconds",
                        sourceLocation: test.sourceLocation
                    )
                }
                _ = try await group.next()
            }
        }
    }

    /// Returns when a test's time is over, which work that begins on the machine meanwhile extends.
    private func waitForDeadline() async throws -> Double {
        let start = ProcessInfo.processInfo.systemUptime
        while true {
            let waited = ProcessInfo.processInfo.systemUptime - start
            let left = Self.timeLimit(seconds, load: Self.load) - waited
            if left <= 0 { return waited }
            try await Task.sleep(nanoseconds: UInt64(left * 1e9))
        }
    }

    /// On a thread of its own: a deadlock may hold all threads that tasks run on.
    private func endProcess(unless isOver: DispatchSemaphore, _ name: String) {
        let deadline = DispatchTime.now() + Self.timeLimit(seconds, load: .infinity) + 240
        Thread.detachNewThread {
            guard isOver.wait(timeout: deadline) == .timedOut else { return }
            fatalError("\(name) ignores its cancellation")
        }
    }

    /// Returns a test's time in seconds on a machine with so many runnable threads for each processor.
    private static func timeLimit(_ seconds: Double, load: Double) -> Double {
        seconds * min(6, max(1, load))
    }

    private static var load: Double {
        var average = 0.0
        guard getloadavg(&average, 1) == 1 else { return 1 }
        return average / Double(ProcessInfo.processInfo.activeProcessorCount)
    }
}

extension Trait where Self == Watchdog {
    /// A trait that ends a test after ten seconds on an idle machine.
    package static var watchdog: Self { .watchdog(seconds: 10) }

    /// A trait that ends a test after a number of seconds on an idle machine.
    package static func watchdog(seconds: Double) -> Self { Watchdog(seconds: seconds) }
}
