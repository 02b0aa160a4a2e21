import Metrics
import NIOCore
import ServiceSupport
import Synchronization

/// Limits the number of a listener's connections, in all and for each address.
final class ConnectionLimit: Sendable {
    private struct State {
        var total = 0
        /// By an IPv4 address, or an IPv6 /64, which one host controls.
        var byAddress: [String: Int] = [:]
    }

    private let policy: ConnectionPolicy
    private let metrics: (open: Meter, refused: Counter)?
    private let state = Mutex(State())

    init(_ policy: ConnectionPolicy, metrics: (open: Meter, refused: Counter)? = nil) {
        self.policy = policy
        self.metrics = metrics
    }

    /// Counts a connection until its channel closes, if there is room for it.
    ///
    /// - Parameters:
    ///   - channel: The connection.
    ///   - address: Its address; nil for a proxy, which many clients share: only the total counts.
    /// - Returns: Whether there is room; otherwise the channel must be closed.
    func admits(_ channel: any Channel, from address: String?) -> Bool {
        let key = address.map(AddressRange.network)
        let isAdmitted = state.withLock { state in
            let count = key.map { state.byAddress[$0, default: 0] } ?? 0
            guard state.total < policy.maximumConnections, count < policy.maximumConnectionsPerAddress else {
                return false
            }
            add(1, to: key, in: &state)
            return true
        }
        if isAdmitted {
            channel.closeFuture.whenComplete { [self] _ in state.withLock { add(-1, to: key, in: &$0) } }
        } else {
            metrics?.refused.increment()
        }
        return isAdmitted
    }

    private func add(_ number: Int, to key: String?, in state: inout State) {
        state.total += number
        metrics?.open.set(state.total)
        guard let key else { return }
        let count = state.byAddress[key, default: 0] + number
        state.byAddress[key] = count > 0 ? count : nil
    }
}
