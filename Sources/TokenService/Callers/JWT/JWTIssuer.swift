import Crypto
import FleetToken

/// An issuer whose tokens are believed, for one sort of caller.
struct JWTIssuer: Sendable {
    /// The caller's name in the configuration.
    let name: String
    /// Whether a person's app may be at the other end.
    let isApp: Bool
    /// What must be true of a token.
    let configuration: JWTIssuerConfiguration
    /// The issuer's keys.
    let keys: IssuerKeys

    /// Whether a token says that it is this issuer's.
    func issued(_ token: CallerToken) -> Bool {
        configuration.issuer.utf8.elementsEqual(token.claims.issuer.utf8)
    }

    /// Checks everything about a token, the signature last.
    ///
    /// What is cheap comes first, so that a token which is no good anyway costs no signature and no request for keys.
    ///
    /// - Returns: The fingerprint of the key set that the token was checked with.
    func verify(_ token: CallerToken, at now: NumericDate) async throws(AuthenticationFailure) -> SHA256Digest {
        guard let algorithm = token.algorithm, configuration.algorithms.contains(algorithm) else {
            throw .init(.wrongAlgorithm)
        }
        try checkType(token)
        try checkClaims(token.claims, at: now)
        let (key, set) = try await keys.key(named: token.keyID)
        guard key.algorithms.contains(algorithm) else { throw .init(.wrongAlgorithm) }
        guard key.isValidSignature(token.signature, of: token.signingInput, by: algorithm) else {
            throw .init(.badSignature)
        }
        return set.fingerprint
    }

    private func checkType(_ token: CallerToken) throws(AuthenticationFailure) {
        guard let types = configuration.types else { return }
        guard let type = token.type, types.contains(where: { $0.utf8.elementsEqual(type) }) else {
            throw .init(.wrongType)
        }
    }

    private func checkClaims(_ claims: CallerClaims, at now: NumericDate) throws(AuthenticationFailure) {
        let isForUs = claims.audiences.contains { audience in
            configuration.audiences.contains { $0.utf8.elementsEqual(audience.utf8) }
        }
        guard isForUs else { throw .init(.wrongAudience) }
        guard now < claims.expiresAt + configuration.leeway else { throw .init(.expired) }
        guard claims.beginnings.allSatisfy({ $0 <= now + configuration.leeway }) else { throw .init(.notYetValid) }
        guard configuration.requiredClaims.allSatisfy({ $0.isMet(by: claims.all) }) else { throw .init(.claimMismatch) }
    }

    /// Who a token of this issuer's, once verified, belongs to.
    func caller(of token: CallerToken) -> Caller {
        Caller(method: .jwt, name: name, subject: token.claims.subject, claims: token.claims.all, isApp: isApp)
    }
}
