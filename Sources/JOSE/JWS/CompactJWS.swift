import StrictCoding

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
    /// The payload's bytes.
    package let payload: [UInt8]

    /// The signature's bytes.
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

    /// Checks the signature with a key.
    ///
    /// The key determines the algorithm; a token with another one is refused.
    ///
    /// - Throws: ``JOSEError`` with code ``JOSEError/Code/wrongAlgorithm`` or ``JOSEError/Code/badSignature``.
    package func verify(with key: RSAPublicKey) throws(JOSEError) {
        guard header.isRS256 else {
            throw JOSEError(
                .wrongAlgorithm,
                "The token's alg is not RS256, the only supported algorithm for RSA keys."
            )
        }
        guard key.isValidSignature(signature, for: signingInput) else {
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
            throw JOSEError(.unknownKey, "The key named in the token's header is not in the key set.")
        }
        try verify(with: jwk.key)
    }

    /// Returns what is signed: header and payload in base64url, with the dot between.
    ///
    /// - Parameters:
    ///   - payload: The payload.
    ///   - header: The header in base64url.
    /// - Returns: The bytes, with room for the signature of a key with 2,048 bits, as Google's are.
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
    package var description: String { "compact JWS (\(header.isRS256 ? "RS256" : "other algorithm"))" }
    package var customMirror: Mirror { Mirror(self, children: [(label: String?, value: Any)]()) }
}
