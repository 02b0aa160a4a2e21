import NIOCore
import ServiceSupport
import Synchronization

/// Limits the number of a listener's connections, in all and for each address.
final class ConnectionLimit: Sendable {
    private struct State {
        var total = 0
        /// An IPv4 address, or an IPv6 /64, which one host controls.
        var byAddress: [String: Int] = [:]
    }

    private let policy: ConnectionPolicy
    private let metrics: (open: Gauge, refused: Counter)?
    private let state = Mutex(State())

    init(_ policy: ConnectionPolicy, metrics: (open: Gauge, refused: Counter)? = nil) {
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
        let isAdmitted = change { state in
            let count = key.map { state.byAddress[$0, default: 0] } ?? 0
            guard state.total < policy.maximumConnections, count < policy.maximumConnectionsPerAddress else {
                return false
            }
            state.total += 1
            if let key { state.byAddress[key] = count + 1 }
            return true
        }
        guard isAdmitted else {
            metrics?.refused.increment()
            return false
        }
        channel.closeFuture.whenComplete { [self] _ in
            change { state in
                state.total -= 1
                guard let key, let count = state.byAddress[key] else { return }
                state.byAddress[key] = count > 1 ? count - 1 : nil
            }
        }
        return true
    }

    private func change<Result>(_ body: (inout sending State) -> Result) -> Result {
        state.withLock { state in
            defer { metrics?.open.set(Double(state.total)) }
            return body(&state)
        }
    }
}
