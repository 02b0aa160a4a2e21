package import JOSE

/// The keys for verifying a token's signature.
package enum VerificationKeys: Sendable {
    /// The key of a set that the token's header names.
    case set(JWKSet)
    /// One key for every key ID.
    case key(RSAPublicKey)

    func verify(_ jws: CompactJWS) throws(JOSEError) {
        switch self {
        case .set(let keys): try jws.verify(with: keys)
        case .key(let key): try jws.verify(with: key)
        }
    }
}
