/// A library that is not ours and verifies tokens.
///
/// It is given what an outsider has: the published key set and the token.
public protocol TokenVerifier: Sendable {
    /// Reads a JWK Set as it is published.
    init(jwks: [UInt8]) async throws

    /// Verifies a token's signature by RS256 with the key that its header names.
    ///
    /// Whether its time is over is not looked at: the tests compare the times themselves.
    ///
    /// - Throws: An error when the library, or the key set, doesn't bear the token out.
    func verify(_ token: [UInt8]) async throws -> VerifiedToken
}

/// A verifier's refusal.
struct VerificationFailure: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) {
        self.description = description
    }
}

/// The independent verifiers by their names, for parameterised tests.
public enum IndependentVerifier: String, CaseIterable, Sendable {
    /// libjwt, in C on libcrypto and jansson.
    case libjwt
    /// jwt-kit, in Swift on BoringSSL and Foundation.
    case jwtKit

    /// The verifier for a published key set.
    public func verifier(jwks: [UInt8]) async throws -> any TokenVerifier {
        switch self {
        case .libjwt: try LibJWTVerifier(jwks: jwks)
        case .jwtKit: try await JWTKitVerifier(jwks: jwks)
        }
    }
}
