import Synchronization

/// How many connections a listener holds, and how long each of their phases may take.
package struct ConnectionPolicy: Sendable, Hashable {
    /// The maximum number of connections.
    package var maximumConnections = 2048
    /// The maximum number of connections from one address.
    package var maximumConnectionsPerAddress = 256
    /// The maximum age of a connection; requests in progress are completed.
    package var maximumAge = Duration.seconds(3600)
    /// How long a connection may be silent.
    package var idle = Duration.seconds(60)
    /// How long a request may take to arrive whole, and a TLS handshake to complete.
    package var receive = Duration.seconds(10)
    /// How long a request's response may take.
    package var handle = Duration.seconds(10)

    /// Creates the default policy.
    package init() {}
}

/// The life cycle of the service: serving or draining.
package final class Lifecycle: Sendable {
    private let draining = Atomic<Bool>(false)

    /// Creates the state of a service that is not draining.
    package init() {}

    /// Whether the service is draining: it still serves requests, but expects no new callers.
    package var isDraining: Bool { draining.load(ordering: .relaxed) }

    /// Starts draining.
    package func drain() {
        draining.store(true, ordering: .relaxed)
    }
}
