/// Why a token, key or key set was refused.
public struct JOSEError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The sort of fault.
    public struct Code: Hashable, Sendable {
        private let name: String

        private init(_ name: String) {
            self.name = name
        }

        /// The token is not a compact JWS as RFC 7515 section 7.1 has it.
        public static let malformedToken = Self("malformedToken")
        /// The token is larger than ``CompactJWS/maximumSize``.
        public static let tooLarge = Self("tooLarge")
        /// The header has a parameter that is never accepted.
        public static let forbiddenHeader = Self("forbiddenHeader")
        /// The header's `alg` is not the key's.
        public static let wrongAlgorithm = Self("wrongAlgorithm")
        /// The header names no key, or one that is not in the set.
        public static let unknownKey = Self("unknownKey")
        /// The signature is not the key's.
        public static let badSignature = Self("badSignature")
        /// The key cannot be read, or is not an RSA key that may be used.
        public static let invalidKey = Self("invalidKey")
        /// The key is encrypted with a passphrase.
        public static let encryptedKey = Self("encryptedKey")
        /// The key set cannot be read.
        public static let invalidKeySet = Self("invalidKeySet")
        /// libcrypto failed at something that cannot fail on valid input.
        public static let cryptoFailure = Self("cryptoFailure")
    }

    /// The sort of fault.
    public let code: Code
    /// What is wrong and what to do about it, without a byte of the token or key.
    public let description: String

    /// An error.
    public init(_ code: Code, _ description: String) {
        self.code = code
        self.description = description
    }
}
