package import NIOCore
import ServiceLifecycle
package import ServiceSupport
import Synchronization

/// Measures the lag of event loops: how late each runs a task that is scheduled once per second.
///
/// Every response of a loop is as late. A blocked loop or a lack of processors shows here first.
package struct EventLoopLag: Service {
    private static let interval = TimeAmount.seconds(1)

    private final class Running: Sendable {
        let isOver = Atomic<Bool>(false)
    }

    private let group: any EventLoopGroup
    private let lag: Histogram
    private let running = Running()

    /// Creates a measurement, which begins when it runs.
    package init(of group: any EventLoopGroup, in lag: Histogram) {
        self.group = group
        self.lag = lag
    }

    package func run() async throws {
        for loop in group.makeIterator() { measure(loop) }
        try? await gracefulShutdown()
        running.isOver.store(true, ordering: .relaxed)
    }

    private func measure(_ loop: any EventLoop) {
        let due = NIODeadline.now() + Self.interval
        loop.scheduleTask(deadline: due) {
            guard !running.isOver.load(ordering: .relaxed) else { return }
            lag.record(.nanoseconds((NIODeadline.now() - due).nanoseconds))
            measure(loop)
        }
    }
}

extension EventLoopLag: CustomStringConvertible {
    /// What runs it logs this, and would otherwise log all that it is made of.
    package var description: String { "EventLoopLag" }
}
