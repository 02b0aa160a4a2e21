import CoreMetrics
import FleetToken

/// How often a caller, and an address whose requests fail to say who asks, may ask.
struct CallerLimits: Sendable {
    let callers: RateLimit?
    let addresses: RateLimit?
    /// Counts who is told to wait; nil for nobody.
    var metrics: LimitMetrics?
    /// A clock that only goes forward, in nanoseconds.
    let clock: @Sendable () -> Int64

    /// No limits: for development.
    static let none = CallerLimits(callers: nil, addresses: nil, clock: { 0 })

    /// Finds out who asks; an address that has failed at that too often is told to wait instead of why.
    ///
    /// Only failures count, and only failures are refused, so that callers behind one address don't limit each other:
    /// whoever guesses keys from behind a proxy, or a network's one address, must not lock out all others there. The
    /// addresses of an IPv6 network count as one, since whoever has one of them has them all.
    func identify(_ address: String, _ authenticate: () async throws -> Caller) async throws -> Caller {
        do {
            return try await authenticate()
        } catch let error as TokenError where error.reason.code == 401 {
            let network = AddressRange.network(of: address)
            if let seconds = await addresses?.take(network, now: clock()) { throw limited(seconds, .address) }
            throw error
        }
    }

    /// Takes a request from a caller's bucket.
    ///
    /// - Throws: ``TokenError`` with reason ``TokenError/Reason/rateLimited`` when it is empty.
    func admit(_ caller: Caller) async throws(TokenError) {
        let key = "\(caller.name)\u{0}\(caller.subject)"
        if let seconds = await callers?.take(key, now: clock()) { throw limited(seconds, .caller) }
    }

    private func limited(_ seconds: Int, _ scope: LimitScopeLabel) -> TokenError {
        metrics?.limited[scope].increment()
        return TokenError(
            .rateLimited,
            "Too many requests. Ask again after the seconds in Retry-After.",
            retryAfter: seconds
        )
    }
}
