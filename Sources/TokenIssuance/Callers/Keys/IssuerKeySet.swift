import FleetToken
package import JOSE

/// The keys of an issuer that tokens can be verified with.
package struct IssuerKeySet: Sendable {
    private let published: JWKSet
    // IDs are visible ASCII, among which Swift's equality is that of the bytes.
    private let keys: [String: JWK]

    /// Creates a set by parsing JSON.
    ///
    /// - Parameters:
    ///   - json: The set.
    ///   - algorithms: The allowed algorithms; keys for others are ignored.
    ///   - mayBeEmpty: Whether a set with an empty list of keys is valid: an operator's file says so, an issuer errs.
    /// - Throws: ``JOSEError`` as for ``JWKSet/init(parsing:for:)``, and if the set has a symmetric key, which would be a
    ///   published secret, or no key to verify with.
    package init(
        parsing json: [UInt8],
        algorithms: [JWSAlgorithm] = JWSAlgorithm.usual,
        mayBeEmpty: Bool = false
    ) throws(JOSEError) {
        published = try JWKSet(parsing: json, for: algorithms)
        guard !published.hasSymmetricKey else {
            throw .invalidKeySet("it has a symmetric key, a secret that is therefore compromised")
        }
        let isEmpty = published.ignoredCount == 0 && published.unusable.isEmpty
        // An empty set must not replace the last good keys.
        guard !published.keys.isEmpty || mayBeEmpty && isEmpty else {
            let reasons = published.unusable.prefix(3).map { " \($0)" }.joined()
            throw JOSEError(.invalidKeySet, "The key set has no key that can verify tokens.\(reasons)")
        }
        keys = Dictionary(published.keys.map { ($0.keyID, $0) }) { first, _ in first }
    }

    /// Whether it has no key.
    package var isEmpty: Bool { keys.isEmpty }

    /// The keys that should be used and cannot.
    package var unusableKeys: [JWKSet.UnusableKey] { published.unusable }

    /// The key with an ID.
    subscript(id: String) -> JWK? { keys[id] }

    /// The key of a token: the one that it names; without a name, the one for its algorithm that verifies it, if there is no
    /// other.
    subscript(token: CallerToken) -> JWK? {
        if let id = token.keyID { return keys[id] }
        guard let algorithm = token.algorithm, let key = published.onlyKey(for: algorithm) else { return nil }
        // Another key may have been published since.
        return key.isValidSignature(token.signature, of: token.signingInput, by: algorithm) ? key : nil
    }
}
