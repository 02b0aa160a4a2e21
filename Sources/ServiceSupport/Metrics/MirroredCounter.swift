package import Metrics
import Synchronization

/// A counter of what is counted elsewhere, such as by the kernel.
package final class MirroredCounter: Sendable {
    private let counter: FloatingPointCounter
    private let shown = Mutex(0.0)

    package init(_ counter: FloatingPointCounter) {
        self.counter = counter
    }

    /// Shows the number as it is now.
    package func show(_ total: Double) {
        shown.withLock { shown in
            counter.increment(by: total - shown)
            shown = total
        }
    }
}
