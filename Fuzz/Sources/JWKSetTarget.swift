import JOSE

/// A set that was read is written and read again without loss.
@Sendable func fuzzJWKSet(_ bytes: [UInt8]) {
    guard let set = try? JWKSet(parsing: bytes) else { return }
    let encoded = set.encoded()
    guard let again = try? JWKSet(parsing: encoded) else { preconditionFailure("What was written cannot be read.") }
    precondition(again.encoded() == encoded)
}
