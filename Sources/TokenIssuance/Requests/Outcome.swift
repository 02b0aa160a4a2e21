package import FleetToken
package import TokenMinting

/// How a request for a token ended.
package struct Outcome: Sendable {
    /// The end of a request.
    package enum Ending: Sendable {
        /// The token is issued at this time; it may have been signed for an earlier request.
        case issued(MintedToken, at: NumericDate, isReused: Bool)
        /// There is no token, and the access log may have a line.
        case refused(Refusal, isRecorded: Bool)
    }

    package let ending: Ending
    /// The authenticated caller; nil if unknown.
    package let caller: Caller?
    /// The requested kind of token, as far as it is known.
    package let kind: TokenKind?

    /// Returns the outcome of a refused request that nothing else is known of.
    package static func refused(_ refusal: Refusal) -> Self {
        Self(ending: .refused(refusal, isRecorded: true), caller: nil, kind: nil)
    }

    /// The refusal, if there is no token.
    package var refusal: Refusal? {
        if case .refused(let refusal, _) = ending { refusal } else { nil }
    }
}
