import ServiceSupport

/// The limits of a listener's connections, and their counts.
package struct ConnectionLimits: Sendable {
    /// The maximum size of a request line with all header fields, in bytes.
    static let maximumHeaderSize = 16 * 1024
    /// The maximum number of bytes that wait for the HTTP/1.1 parser: more than a head and one read.
    static let maximumUnparsedSize = 64 * 1024
    /// The maximum number of header fields in a request: each also costs memory beyond its bytes.
    static let maximumHeaderFields = 100
    /// The maximum size of a request's body, in bytes, unless a listener allows more.
    package static let maximumBodySize = 16 * 1024
    /// The maximum number of concurrent requests on one HTTP/2 connection; RFC 9113 advises against less.
    static let maximumStreams = 100

    let policy: ConnectionPolicy
    let bodySize: Int
    let connections: ConnectionCounter
    /// Each stream costs as much as an HTTP/1.1 connection, so the same limit applies to their total.
    let streams: ConnectionCounter

    init(
        _ policy: ConnectionPolicy,
        maximumBodySize: Int = Self.maximumBodySize,
        trustedProxies: [AddressRange],
        metrics: ConnectionMetrics? = nil
    ) {
        self.policy = policy
        bodySize = maximumBodySize
        let proxies = ClientAddress(trustedProxies: trustedProxies)
        let counter = { (metrics: ConnectionMetrics?) in
            ConnectionCounter(
                maximum: policy.maximumConnections,
                maximumPerAddress: policy.maximumConnectionsPerAddress,
                metrics: metrics,
                isShared: { AddressRange.bytes(of: $0).map { proxies.isTrusted($0) } ?? false }
            )
        }
        connections = counter(metrics)
        streams = counter(nil)
    }
}
