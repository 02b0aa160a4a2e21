import Foundation

/// Ends the process when a test hangs: a time limit can only cancel it, which a deadlock doesn't notice.
final class Watchdog: Sendable {
    private let isDone = DispatchSemaphore(value: 0)

    init(_ seconds: Int) {
        Thread.detachNewThread { [isDone] in
            guard isDone.wait(timeout: .now() + .seconds(seconds)) == .timedOut else { return }
            fatalError("A test has hung for \(seconds) seconds.")
        }
    }

    func stop() {
        isDone.signal()
    }
}
