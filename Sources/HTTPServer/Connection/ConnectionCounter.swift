package import ServiceSupport
import Synchronization

/// Counts connections, in total and by address.
///
/// An address may have more than its share as long as more connections are free than it has: a mobile carrier has
/// thousands of users behind one address. (Switches share a buffer among queues in this way.) The addresses of an IPv6
/// network count as one, because one client controls them all.
final class ConnectionCounter: Sendable {
    private struct Counts {
        var total = 0
        var byAddress: [String: Int] = [:]
        /// Connections over the limit that get a response.
        var refused = 0
    }

    private let maximum: Int
    private let maximumPerAddress: Int
    /// Addresses that many callers share, such as a proxy's: for them only the total counts.
    private let isShared: @Sendable (_ address: String) -> Bool
    private let metrics: ConnectionMetrics?
    private let counts = Mutex(Counts())

    init(
        maximum: Int,
        maximumPerAddress: Int,
        metrics: ConnectionMetrics? = nil,
        isShared: @escaping @Sendable (_ address: String) -> Bool
    ) {
        self.metrics = metrics
        self.maximum = maximum
        self.maximumPerAddress = maximumPerAddress
        self.isShared = isShared
    }

    /// Counts a connection, unless the limit is reached.
    func add(_ address: String) -> Bool {
        let network = AddressRange.network(of: address)
        let isAdded = counts.withLock { counts in
            let count = counts.byAddress[network, default: 0]
            guard counts.total < maximum else { return false }
            let isRoom = count < max(maximumPerAddress, maximum - counts.total)
            guard isRoom || isShared(address) else { return false }
            counts.total += 1
            counts.byAddress[network] = count + 1
            return true
        }
        if isAdded { metrics?.open.increment() } else { metrics?.refused.increment() }
        return isAdded
    }

    /// Counts a connection over the limit that gets a response, unless there are too many.
    func addRefused() -> Bool {
        counts.withLock { counts in
            guard counts.refused < max(1, maximum / 8) else { return false }
            counts.refused += 1
            return true
        }
    }

    /// Forgets a connection over the limit.
    func removeRefused() {
        counts.withLock { $0.refused -= 1 }
    }

    /// Forgets a connection that was counted.
    func remove(_ address: String) {
        let network = AddressRange.network(of: address)
        counts.withLock { counts in
            counts.total -= 1
            let count = counts.byAddress[network, default: 1] - 1
            counts.byAddress[network] = count == 0 ? nil : count
        }
        metrics?.open.decrement()
    }
}

/// The metrics of a listener's connections.
package struct ConnectionMetrics: Sendable {
    /// Connections that are open now.
    let open: Gauge
    /// Connections that were refused at once, because there were too many.
    let refused: Counter

    /// Creates the metrics of a listener.
    package init(open: Gauge, refused: Counter) {
        self.open = open
        self.refused = refused
    }
}
