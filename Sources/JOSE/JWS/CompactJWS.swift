import FleetToken

/// A JWS in compact serialisation (RFC 7515 section 7.1), read strictly and only once.
///
/// Reading proves nothing about who signed: ``verify(with:)-(JWKSet)`` does.
package struct CompactJWS: Sendable {
    /// The most bytes a token may have: 16 KiB.
    ///
    /// It travels in a header field, where more would not pass anyway.
    package static let maximumSize = 16 * 1024

    package let header: JWSHeader
    /// The header's JSON, as it was signed.
    package let headerJSON: [UInt8]
    package let payload: [UInt8]
    package let signature: [UInt8]
    /// The bytes that are signed: header and payload as they came, with the dot between.
    package let signingInput: [UInt8]

    /// Creates a token by parsing exactly three parts of canonical base64url with a valid header.
    ///
    /// - Throws: ``JOSEError`` that names the invalid part without repeating it.
    package init(parsing token: [UInt8]) throws(JOSEError) {
        guard token.count <= Self.maximumSize else {
            throw JOSEError(.tooLarge, "The token is larger than 16 KiB.")
        }
        let parts = token.split(separator: UInt8(ascii: "."), maxSplits: 3, omittingEmptySubsequences: false)
        guard parts.count == 3 else {
            throw JOSEError(.malformedToken, "Not a token: a token has three parts separated by dots.")
        }
        headerJSON = try Self.decode(parts[0], "header")
        header = try JWSHeader(parsing: headerJSON)
        payload = try Self.decode(parts[1], "payload")
        signature = try Self.decode(parts[2], "signature")
        guard !signature.isEmpty else { throw JOSEError(.malformedToken, "The token has no signature.") }
        signingInput = Array(token[..<parts[1].endIndex])
    }

    private static func decode(_ part: ArraySlice<UInt8>, _ name: String) throws(JOSEError) -> [UInt8] {
        do {
            return try Base64URL.decode(part)
        } catch {
            throw JOSEError(.malformedToken, "The token's \(name) is not base64url: \(error).")
        }
    }

    /// Checks the RS256 signature with an RSA key.
    ///
    /// - Throws: ``JOSEError`` as for ``verify(with:)-(JWK)``.
    package func verify(with key: RSAPublicKey) throws(JOSEError) { try verify(with: JWK(key, keyID: "")) }

    /// Checks the signature with a key.
    ///
    /// The key determines the algorithms; a token with another one is refused.
    ///
    /// - Throws: ``JOSEError`` with code ``JOSEError/Code/wrongAlgorithm`` or ``JOSEError/Code/badSignature``.
    package func verify(with jwk: JWK) throws(JOSEError) {
        guard let algorithm = header.signatureAlgorithm, jwk.algorithms.contains(algorithm) else {
            let names = jwk.algorithms.map(\.rawValue).joined(separator: " or ")
            throw JOSEError(.wrongAlgorithm, "The token's alg is not \(names), which the key is for.")
        }
        guard jwk.isValidSignature(signature, of: signingInput, by: algorithm) else {
            throw JOSEError(.badSignature, "The signature is invalid for this key.")
        }
    }

    /// Checks the signature with the key of a set that the header names.
    ///
    /// - Throws: ``JOSEError``, with code ``JOSEError/Code/unknownKey`` when the header names none of the set.
    package func verify(with keys: JWKSet) throws(JOSEError) {
        guard let keyID = header.keyID else {
            throw JOSEError(.unknownKey, "The token's header has no kid.")
        }
        guard let jwk = keys[keyID] else {
            let unusable = keys.unusable.first { $0.keyID?.hasSameBytes(as: keyID) ?? false }
            let problem = unusable.map { "cannot be used. \($0.reason)" } ?? "is not in the key set."
            throw JOSEError(.unknownKey, "The key named in the token's header \(problem)")
        }
        try verify(with: jwk)
    }

    /// Returns what is signed: the encoded header, and the payload in base64url, with the dot between.
    ///
    /// There is room for the signature of a key with 2,048 bits, as Google's are.
    package static func signingInput(payload: [UInt8], encodedHeader header: [UInt8]) -> [UInt8] {
        var input: [UInt8] = []
        input.reserveCapacity(header.count + Base64URL.length(payload.count) + Base64URL.length(256) + 2)
        input += header
        input.append(UInt8(ascii: "."))
        Base64URL.append(payload, to: &input)
        return input
    }

    /// Returns a token: what was signed, with its signature.
    package static func token(_ signingInput: consuming [UInt8], signature: [UInt8]) -> [UInt8] {
        signingInput.append(UInt8(ascii: "."))
        Base64URL.append(signature, to: &signingInput)
        return signingInput
    }
}

extension CompactJWS: CustomStringConvertible, CustomReflectable {
    /// The algorithm; nothing of the token.
    package var description: String {
        "compact JWS (\(header.signatureAlgorithm == .rs256 ? "RS256" : "other algorithm"))"
    }
    package var customMirror: Mirror { Mirror(self, children: [(label: String?, value: Any)]()) }
}
