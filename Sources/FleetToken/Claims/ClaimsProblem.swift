/// Something about a token's claims that Fleet Engine would refuse, or that its holder should know.
package struct ClaimsProblem: Hashable, Sendable, CustomStringConvertible {
    /// What kind of problem it is; the raw value is its name in the output of tools.
    package enum Code: String, Hashable, Sendable {
        /// The payload is no JSON object.
        case malformed
        /// `iss` is missing or no address, or `sub` is not the same.
        case issuer
        /// `aud` is not Fleet Engine's.
        case audience
        /// `iat` or `exp` is missing, one of them or `nbf` is no integer, or they are in the wrong order.
        case times
        /// The token has expired.
        case expired
        /// `iat` or `nbf` lies more than ten minutes ahead.
        case notYetValid
        /// `exp` lies more than an hour ahead, or after `iat`.
        case tooLong
        /// `authorization` is missing, empty, or holds something Fleet Engine doesn't know.
        case authorization
        /// An ID that breaks the rules.
        case invalidID
    }

    /// What kind of problem it is.
    package let code: Code
    /// What is wrong, and what it should be.
    package let description: String

    init(_ code: Code, _ description: String) {
        self.code = code
        self.description = description
    }
}
