/// Why a token, key or key set was refused.
package struct JOSEError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kind of error.
    package struct Code: Hashable, Sendable {
        private let name: String

        private init(_ name: String) {
            self.name = name
        }

        /// The token is not a compact JWS as RFC 7515 section 7.1 has it.
        package static let malformedToken = Self("malformedToken")
        /// The token is larger than ``CompactJWS/maximumSize``.
        package static let tooLarge = Self("tooLarge")
        /// The header has a parameter that is never accepted.
        package static let forbiddenHeader = Self("forbiddenHeader")
        /// The header's `alg` is not the key's.
        package static let wrongAlgorithm = Self("wrongAlgorithm")
        /// The header names no key, or an unknown one.
        package static let unknownKey = Self("unknownKey")
        /// The signature is invalid for this key.
        package static let badSignature = Self("badSignature")
        /// The key cannot be read, or is not an RSA key that may be used.
        package static let invalidKey = Self("invalidKey")
        package static let encryptedKey = Self("encryptedKey")
        /// The key set cannot be read.
        package static let invalidKeySet = Self("invalidKeySet")
        /// libcrypto failed at something that cannot fail on valid input.
        package static let cryptoFailure = Self("cryptoFailure")
        /// A library that is found at run time cannot be used.
        package static let library = Self("library")
    }

    package let code: Code
    /// The problem and its solution, without any part of the token or key.
    package let description: String

    package init(_ code: Code, _ description: String) {
        self.code = code
        self.description = description
    }
}
