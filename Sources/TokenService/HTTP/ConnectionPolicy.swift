import TokenIssuance

/// A listener's limits for the number of connections, and for the duration of each phase of a connection.
package struct ConnectionPolicy: Sendable, Hashable {
    /// The maximum number of connections.
    package var maximumConnections = 2048
    /// The part of the connections that one address may have: an eighth.
    package var share = 8
    var maximumConnectionsPerAddress: Int { max(1, maximumConnections / share) }
    /// The maximum age of a connection; requests in progress are completed.
    ///
    /// An hour: a load balancer spreads clients over new replicas by then, and handshakes cost nothing that counts.
    var maximumAge = Duration.seconds(3600)
    /// The maximum time between a response and the next request's head.
    ///
    /// Longer than the minute for which nginx and AWS's load balancer keep a connection: the side that sends requests has to
    /// close it first.
    package var idle = Duration.seconds(75)
    /// The time to receive a whole request, and the same time again to respond to it.
    ///
    /// The first request's includes the TLS handshake.
    package var request = Duration.seconds(10)

    package init() {}

    /// The maximum size of a request line with all header fields, in bytes.
    static let maximumHeaderSize = 16 * 1024
    /// The maximum number of bytes that wait for the HTTP/1.1 parser: more than a head and one read.
    static let maximumUnparsedSize = 64 * 1024
    /// The maximum number of header fields in a request: each also costs memory beyond its bytes.
    static let maximumHeaderFields = 100
    /// The maximum size of a request's body, in bytes.
    static let maximumBodySize = RoutedRequest.maximumBodySize
}
