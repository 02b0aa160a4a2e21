public import TestTools

/// What a library read in a token that it had verified.
public struct VerifiedToken: Equatable, Sendable {
    /// A claim inside `authorization`.
    public typealias Value = KindCase.Value

    /// The whole header, whose parameters are all strings.
    public var header: [String: String]
    /// The names of all claims.
    public var claimNames: Set<String>
    /// `iss`.
    public var issuer: String
    /// `sub`.
    public var subject: String
    /// `aud`.
    public var audience: [String]
    /// `iat` in seconds.
    public var issuedAt: Int
    /// `exp` in seconds.
    public var expiresAt: Int
    /// `authorization`.
    public var authorization: [String: Value]
}
