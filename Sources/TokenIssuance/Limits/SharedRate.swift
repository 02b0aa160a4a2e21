package import FleetToken
import JOSE
import StrictCoding

/// A rate whose buckets are in a ``RateStore``.
package struct SharedRate: Sendable {
    /// The purpose of the buckets.
    ///
    /// Each purpose has buckets of its own.
    package enum Purpose: String {
        case caller
        case address
    }

    /// How all names in the store begin, so that an access list of the store can name them.
    package static let namespace = "fleet-token:"

    private let store: any RateStore
    private let prefix: String
    private let key: Secret
    private let interval: Int64
    private let capacity: Int64

    /// Creates a shared rate.
    ///
    /// - Parameters:
    ///   - rate: The rate.
    ///   - purpose: The purpose.
    ///   - secret: The secret for deriving names, equal in all replicas, so that users with access to the store cannot
    ///     guess names and addresses; nil for none.
    ///   - store: The store of the buckets.
    package init(_ rate: LimitsConfiguration.Rate, for purpose: Purpose, secret: Secret?, in store: any RateStore) {
        self.store = store
        prefix = "\(Self.namespace)\(purpose.rawValue):"
        key = secret ?? Secret([])
        (interval, capacity) = rate.refill(perMinute: 60e6)
    }

    /// Takes one request from a bucket.
    func take(_ name: String) async -> RateResult {
        await store.take(bucket(of: name))
    }

    func bucket(of name: String) -> RateBucket {
        let code = HMACSHA256.code(for: Array(name.utf8), key: key.reveal())
        return RateBucket(
            key: prefix + String(decoding: Base64URL.encode(code), as: UTF8.self),
            interval: interval,
            capacity: capacity
        )
    }
}
