package import FleetToken
import JOSE
import StrictCoding

/// A rate whose buckets are in a store outside this process, which replicas share.
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

    /// Takes one request from a bucket.
    ///
    /// It never waits long and never throws: the store may be unavailable.
    package typealias Store = @Sendable (RateBucket) async -> RateResult

    private let store: Store
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
    package init(_ rate: LimitsConfiguration.Rate, for purpose: Purpose, secret: Secret?, in store: @escaping Store) {
        self.store = store
        prefix = "\(Self.namespace)\(purpose.rawValue):"
        key = secret ?? Secret([])
        (interval, capacity) = rate.refill(perMinute: 60e6)
    }

    /// Takes one request from a bucket.
    func take(_ name: String) async -> RateResult {
        await store(bucket(of: name))
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

/// A bucket in a shared store: by how much it is emptied, and how much it holds.
package struct RateBucket: Sendable, Hashable {
    /// The name in the store, which reveals no ID.
    package let key: String
    /// The microseconds in which one request is refilled.
    package let interval: Int64
    /// The microseconds in which an empty bucket is refilled.
    package let capacity: Int64

    /// Creates a rate bucket.
    package init(key: String, interval: Int64, capacity: Int64) {
        self.key = key
        self.interval = interval
        self.capacity = capacity
    }
}

/// The result of a call of a shared store.
package enum RateResult: Sendable, Hashable {
    /// The bucket had a request.
    case taken
    /// The bucket will have a request after these seconds.
    case empty(seconds: Int)
    /// The store is unavailable; use local limits.
    case unavailable
}
