/// Why keys cannot be had or used.
///
/// Its text is for the operator, never for a caller.
package struct MintingError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The sort of fault.
    package struct Code: Hashable, Sendable {
        private let name: String

        private init(_ name: String) {
            self.name = name
        }

        /// An address is not one that may be used.
        package static let address = Self("address")
        /// A file cannot be read or written.
        package static let file = Self("file")
        /// A file is not the service account's key that it should be.
        package static let invalidServiceAccount = Self("invalidServiceAccount")
        /// A key set is at an address that may not be asked.
        package static let keySetAddress = Self("keySetAddress")
        /// What was signed is not what was asked for.
        package static let wrongToken = Self("wrongToken")
    }

    /// The sort of fault.
    package let code: Code
    /// What is wrong and what to do about it, without a byte of a key or token.
    package let description: String

    /// An error.
    package init(_ code: Code, _ description: String) {
        self.code = code
        self.description = description
    }
}
