import NIOCore
import ServiceSupport
import Synchronization

/// The places of a listener's connections or of their streams, as ``PlaceRule`` gives them.
final class ConnectionPlaces: Sendable {
    /// How long a client may hold more than its share without authenticating, while places are free.
    ///
    /// A thousand clients behind one address, whose handshakes take a second together, are no attack.
    static let loan = TimeAmount.seconds(2)

    private struct State {
        var rule: PlaceRule
        var closing: [Int: @Sendable () -> Void] = [:]
    }

    private let state: Mutex<State>
    private let metrics: (open: Gauge, refused: Counter)?

    init(_ policy: ConnectionPolicy, metrics: (open: Gauge, refused: Counter)? = nil) {
        let perAddress = policy.maximumConnectionsPerAddress
        state = Mutex(State(rule: PlaceRule(maximum: policy.maximumConnections, perAddress: perAddress)))
        self.metrics = metrics
    }

    /// Takes a place until the channel closes.
    ///
    /// - Parameters:
    ///   - client: The client; nil for a proxy.
    ///   - channel: The connection or stream.
    ///   - connection: The connection's place, for a stream.
    ///   - close: Closes the channel at once, on any thread.
    /// - Returns: The place; nil if the channel must be closed without a response.
    func take(
        for client: ClientNetwork?,
        _ channel: any Channel,
        connection: ConnectionPlace? = nil,
        close: @escaping @Sendable () -> Void
    ) -> ConnectionPlace? {
        let isAuthenticated = connection?.isAuthenticated ?? false
        let (place, yield) = change { state in
            let (place, yielding) = state.rule.add(client)
            if let place {
                state.closing[place.id] = close
                if isAuthenticated { _ = state.rule.authenticate(place.id) }
            }
            return (place, yielding.flatMap { state.closing[$0] })
        }
        yield?()
        if yield != nil || place == nil || place?.standing == .refused { metrics?.refused.increment() }
        guard let place else { return nil }
        channel.closeFuture.whenComplete { [self] _ in
            change { state in
                state.rule.remove(place.id)
                state.closing[place.id] = nil
            }
        }
        if place.standing == .borrowing {
            channel.eventLoop.scheduleTask(in: Self.loan) { [self] in
                guard change({ $0.rule.settle(place.id) }) else { return }
                metrics?.refused.increment()
                close()
            }
        }
        return ConnectionPlace(place.id, of: self, connection, isRefused: place.standing == .refused)
    }

    fileprivate func authenticate(_ id: Int) -> Bool { change { $0.rule.authenticate(id) } }

    fileprivate func touch(_ id: Int) { change { $0.rule.touch(id) } }

    private func change<Result>(_ body: (inout sending State) -> Result) -> Result {
        state.withLock { state in
            defer { metrics?.open.set(Double(state.rule.taken)) }
            return body(&state)
        }
    }
}

/// The place of one connection, or of one stream.
package final class ConnectionPlace: Sendable {
    private let id: Int
    private let places: ConnectionPlaces
    private let connection: ConnectionPlace?
    private let isKept = Atomic<Bool>(false)
    /// Whether it is over the limit, and only gets a response.
    let isRefused: Bool

    fileprivate init(_ id: Int, of places: ConnectionPlaces, _ connection: ConnectionPlace?, isRefused: Bool) {
        self.id = id
        self.places = places
        self.connection = connection
        self.isRefused = isRefused
    }

    /// Whether a request on it has authenticated, so that it yields to no other.
    package var isAuthenticated: Bool { isKept.load(ordering: .relaxed) }

    /// Notes that a request on it has authenticated.
    package func authenticate() {
        guard !isAuthenticated else { return }
        isKept.store(places.authenticate(id), ordering: .relaxed)
        connection?.authenticate()
    }

    /// Notes that a complete request has arrived.
    func touch() {
        guard !isAuthenticated else { return }
        places.touch(id)
        connection?.touch()
    }
}
