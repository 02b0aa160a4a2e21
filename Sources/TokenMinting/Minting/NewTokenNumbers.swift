import FleetToken

/// Numbers the tokens of one second that must differ from those before.
///
/// A signature with RSA depends on nothing but the claims, so a token that is minted again within a second is the same: a
/// caller who reports a rejected token would get it back. Token 0 is the one that may be reused.
struct NewTokenNumbers<Key: Hashable & Sendable>: Sendable {
    /// The maximum number of new tokens for a key within a second.
    static var maximum: Int64 { FleetClaims.backdating - 1 }

    private var second: NumericDate?
    private var last: [Key: Int64] = [:]

    init() {}

    /// Returns the number of the next token of a key; nil if there were too many within this second.
    mutating func next(_ key: Key, at now: NumericDate) -> Int64? {
        if second != now { (second, last) = (now, [:]) }
        let number = (last[key] ?? 0) + 1
        guard number <= Self.maximum else { return nil }
        last[key] = number
        return number
    }
}
