/// Why a token, key or key set was refused.
package struct JOSEError: Error, Hashable, Sendable, CustomStringConvertible {
    package enum Code: Hashable, Sendable {
        /// The token is not a compact JWS as RFC 7515 section 7.1 has it.
        case malformedToken
        /// The token is larger than ``CompactJWS/maximumSize``.
        case tooLarge
        /// The header has a parameter that is never accepted.
        case forbiddenHeader
        /// The header's `alg` is not the key's.
        case wrongAlgorithm
        /// The header names no key, or an unknown one.
        case unknownKey
        /// The signature is invalid for this key.
        case badSignature
        /// The key cannot be read, or is not an RSA key that may be used.
        case invalidKey
        case encryptedKey
        case invalidKeySet
        /// libcrypto failed at something that cannot fail on valid input.
        case cryptoFailure
    }

    package let code: Code
    /// The problem and its solution, without any part of the token or key.
    package let description: String

    package init(_ code: Code, _ description: String) {
        self.code = code
        self.description = description
    }
}
