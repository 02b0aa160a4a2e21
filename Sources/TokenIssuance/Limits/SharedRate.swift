import Crypto
package import FleetToken
import JOSE
package import ServiceConfiguration
import StrictCoding

/// A rate whose buckets are in a ``RateStore``.
package struct SharedRate: Sendable {
    /// What the buckets are for.
    ///
    /// Each purpose has buckets of its own.
    package enum Purpose: String {
        case caller
        case address
    }

    private let store: any RateStore
    private let prefix: String
    private let key: SymmetricKey
    private let interval: Int64
    private let capacity: Int64

    /// A rate.
    ///
    /// - Parameters:
    ///   - rate: The rate.
    ///   - purpose: What it is for.
    ///   - prefix: What all names in the store begin with.
    ///   - secret: What the names are made with, the same in all replicas, so that who can read the store cannot try
    ///     out names and addresses; nil where there is none.
    ///   - store: Where the buckets are.
    package init(
        _ rate: LimitsConfiguration.Rate,
        for purpose: Purpose,
        prefix: String,
        secret: Secret?,
        in store: any RateStore
    ) {
        self.store = store
        self.prefix = "\(prefix)\(purpose.rawValue):"
        key = SymmetricKey(data: secret?.reveal() ?? [])
        // Rounded up, and the capacity a multiple of it, so that nobody gets more than the rate or the burst.
        interval = Int64((60e6 / rate.perMinute).rounded(.up))
        capacity = interval * Int64(rate.burst)
    }

    /// Takes one request from somebody's bucket.
    func take(_ name: String) async -> RateAnswer {
        await store.take(bucket(of: name))
    }

    /// Somebody's bucket.
    func bucket(of name: String) -> RateBucket {
        let code = HMAC<SHA256>.authenticationCode(for: Array(name.utf8), using: key)
        return RateBucket(
            key: prefix + String(decoding: Base64URL.encode(Array(code)), as: UTF8.self),
            interval: interval,
            capacity: capacity
        )
    }
}
