import FleetToken
package import JOSE

/// The keys of an issuer that tokens can be verified with, by their IDs (RFC 7517 section 5).
package struct IssuerKeySet: Sendable {
    /// The most bytes a set may have: 256 KiB.
    package static let maximumSize = JWKSet.maximumSize

    /// Tells one set from another: the SHA-256 of its JSON and its algorithms.
    let fingerprint: SHA256Digest
    // IDs are visible ASCII, among which Swift's equality is that of the bytes.
    private let keys: [String: VerificationKey]

    /// Creates a set by parsing JSON.
    ///
    /// Keys for other uses, of other types, and without an ID are ignored. An invalid key of a supported type makes the
    /// whole set unusable, and so does a private key, because it was published by mistake.
    ///
    /// - Parameters:
    ///   - json: The set.
    ///   - algorithms: The allowed algorithms; keys for others are ignored.
    ///   - mayBeEmpty: Whether a set with an empty list of keys is valid: an operator's file says so, an issuer errs.
    /// - Throws: ``JOSEError`` when it cannot be read, is too large, names two keys alike, or has no key to verify
    ///   with.
    package init(
        parsing json: [UInt8],
        algorithms: [JWSAlgorithm] = JWSAlgorithm.usual,
        mayBeEmpty: Bool = false
    ) throws(JOSEError) {
        // A key for one of the usual algorithms must be good even if it is not used.
        let considered = JWSAlgorithm.usual + algorithms
        var keys: [String: VerificationKey] = [:]
        let members = try JWKSet.members(of: json)
        for jwk in members {
            guard Self.isForSignatures(jwk), let id = jwk["kid"]?.stringValue, JWSHeader.isValidKeyID(id) else {
                continue
            }
            guard !Self.isPrivate(jwk) else {
                throw .invalidKeySet("it contains a private key, which is therefore compromised")
            }
            guard let key = try VerificationKey(parsing: jwk, for: considered)?.limited(to: algorithms) else {
                continue
            }
            guard keys.updateValue(key, forKey: id) == nil else { throw .invalidKeySet("two keys have the same kid") }
        }
        // An empty set must not replace the last good keys.
        guard !keys.isEmpty || mayBeEmpty && members.isEmpty else {
            throw .invalidKeySet("it has no key that can verify tokens")
        }
        self.keys = keys
        fingerprint = SHA256Digest(of: json + algorithms.flatMap { Array($0.rawValue.utf8) })
    }

    /// Whether it has no key.
    package var isEmpty: Bool { keys.isEmpty }

    /// The key with an ID.
    subscript(id: String) -> VerificationKey? { keys[id] }

    private static func isForSignatures(_ jwk: JSONObject) -> Bool {
        let use = jwk["use"]
        let operations = jwk["key_ops"]
        return (use == nil || use == .string("sig"))
            && (operations == nil || operations?.arrayValue?.contains(.string("verify")) ?? false)
    }

    /// Returns whether a key has a private member of an asymmetric key; `k` belongs to symmetric keys, which are
    /// ignored.
    private static func isPrivate(_ jwk: JSONObject) -> Bool {
        ["d", "p", "q", "dp", "dq", "qi", "oth"].contains { jwk[$0] != nil }
    }
}
