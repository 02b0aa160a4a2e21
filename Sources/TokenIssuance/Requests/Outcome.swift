package import FleetToken
package import TokenMinting

/// How a request for a token ended.
package struct Outcome: Sendable {
    /// The end of a request.
    package enum Ending: Sendable {
        /// The token is issued at this time.
        case issued(MintedToken, at: NumericDate)
        /// There is no token.
        case refused(Refusal)
        /// The client closed the connection, and there is no decision.
        case abandoned
    }

    package let ending: Ending
    /// The authenticated caller; nil if unknown.
    package let caller: Caller?
    /// The requested kind of token, as far as it is known.
    package let kind: TokenKind?

    package init(_ ending: Ending, to caller: Caller? = nil, kind: TokenKind? = nil) {
        self.ending = ending
        self.caller = caller
        self.kind = kind
    }

    /// The refusal, if there is no token.
    package var refusal: Refusal? {
        if case .refused(let refusal) = ending { refusal } else { nil }
    }
}
