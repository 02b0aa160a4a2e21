/// A problem in a token's claims that Fleet Engine would refuse, or that a developer should know.
package struct ClaimsProblem: Hashable, Sendable, CustomStringConvertible {
    /// The kind of a problem; the raw value is its name in the output of tools.
    package enum Code: String, Hashable, Sendable {
        case malformed
        /// `iss` is missing or not an address, or `sub` differs from it.
        case issuer
        /// `aud` is not Fleet Engine's.
        case audience
        /// `iat` or `exp` is missing, a time is not an integer, or the times are in the wrong order.
        case times
        case expired
        /// `iat` or `nbf` is more than ten minutes in the future.
        case notYetValid
        /// `exp` is more than an hour in the future, or more than an hour after `iat`.
        case tooLong
        /// `authorization` is missing, empty, or contains a claim or value that Fleet Engine doesn't know.
        case authorization
        case invalidID
    }

    package let code: Code
    /// A description of the problem and of the expected value.
    package let description: String

    init(_ code: Code, _ description: String) {
        self.code = code
        self.description = description
    }
}
