import ExpiringCache
public import Foundation
public import TokenProvider

/// An app with one token on a simulated clock, to find out when it sends requests to its token server.
///
/// It follows the rules of `CachingTokenProvider` without tasks, timers or a network, so a day of an app
/// takes microseconds, and a program can simulate a fleet. A request to the server takes no time.
///
/// ```swift
/// var client = SimulatedClient()
/// var requests = 0
/// for second in stride(from: 0.0, to: 86_400, by: 10) {
///     if client.requestToken(at: second, jitter: .random(in: 0..<1), lifetime: 3540).isFetch { requests += 1 }
/// }
/// ```
public struct SimulatedClient: Sendable {
    /// What a call for the token came to.
    public struct Outcome: Hashable, Sendable {
        /// Whether the caller gets a token.
        public let hasToken: Bool
        /// Whether the call sends a request to the token server.
        public let isFetch: Bool
    }

    private var cache: SimulatedCache

    /// Creates a client without a token, such as an app that was just started.
    public init(configuration: CachingTokenProvider.Configuration = CachingTokenProvider.Configuration()) {
        cache = SimulatedCache(configuration.cache)
    }

    /// Requests the token, as `token(for:)` does.
    ///
    /// - Parameters:
    ///   - time: The time in seconds since a moment of your choice, from 0; it must not go back.
    ///   - jitter: A random number between 0 and 1, from which the time of the next refresh or retry is drawn.
    ///   - lifetime: The lifetime of a token that the server issues now, in seconds; `nil` if it doesn't respond.
    /// - Returns: Whether there is a token, and whether there is a request.
    public mutating func requestToken(at time: TimeInterval, jitter: Double, lifetime: TimeInterval?) -> Outcome {
        let (hasValue, isFetch) = cache.request(at: time, jitter: jitter, lifetime: lifetime)
        return Outcome(hasToken: hasValue, isFetch: isFetch)
    }

    /// When the refresh of the token becomes due, in seconds; `nil` without a token.
    ///
    /// Until then, calls get the token and send no request.
    public var refreshTime: TimeInterval? { cache.refreshTime }
}
