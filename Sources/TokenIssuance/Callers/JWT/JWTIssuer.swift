import FleetToken
import JOSE

/// A trusted issuer, for one group of callers.
///
/// A class: as a structure, it made debug builds of Swift 6.3.1 write behind the frame of
/// ``JWTAuthenticator/caller(bearing:)`` (shown by `make address-sanitizer`).
final class JWTIssuer: Sendable {
    /// How far clocks may be apart, in seconds: more than machines with NTP are.
    static let leeway: Int64 = 60

    /// The caller in the configuration whose tokens it issues.
    let caller: CallerConfiguration
    /// The conditions for a token.
    let configuration: JWTIssuerConfiguration
    let keys: IssuerKeys

    /// Creates the issuer of a caller.
    init(_ caller: CallerConfiguration, configuration: JWTIssuerConfiguration, keys: IssuerKeys) {
        self.caller = caller
        self.configuration = configuration
        self.keys = keys
    }

    /// The caller's name in the configuration.
    var name: String { caller.name }

    /// Returns whether a token claims to be from this issuer, byte by byte: equal text may have other bytes.
    func issued(_ token: CallerToken) -> Bool {
        configuration.issuer.hasSameBytes(as: token.claims.issuer)
    }

    /// Checks everything except the signature, so that an invalid token costs no signature verification and no key
    /// fetch.
    func check(_ token: CallerToken, at now: NumericDate) throws(AuthenticationFailure) {
        guard let algorithm = token.algorithm, configuration.algorithms.contains(algorithm) else {
            throw .init(.wrongAlgorithm)
        }
        if let types = configuration.types {
            guard let type = token.type, types.contains(where: { $0.utf8.elementsEqual(type) }) else {
                throw .init(.wrongType)
            }
        }
        let claims = token.claims
        let isForUs = claims.audiences.contains { audience in
            configuration.audiences.contains { $0.hasSameBytes(as: audience) }
        }
        guard isForUs else { throw .init(.wrongAudience) }
        guard now < claims.expiresAt + Self.leeway else { throw .init(.expired) }
        var beginnings = claims.beginnings
        if configuration.checksAuthenticationTime, let value = claims.all["auth_time"] {
            beginnings.append(try CallerClaims.time(value, of: "auth_time", rounded: .up))
        }
        guard beginnings.allSatisfy({ $0 <= now + Self.leeway }) else { throw .init(.notYetValid) }
        for condition in configuration.requiredClaims where !condition.isMet(by: claims.all) {
            let name = condition.path.joined(separator: ".")
            let isMissing = claims.all.claim(at: condition.path) == nil
            throw isMissing
                ? .missingClaim(name, advice: configuration.adviceOnMissingClaim) : .claimMismatch(name)
        }
    }

    /// Checks the signature of a token, and returns the caller.
    ///
    /// - Throws: ``AuthenticationFailure`` unless the signature is good.
    func verify(_ token: CallerToken) async throws(AuthenticationFailure) -> Caller {
        // Cloud Run checks the token and passes it on without its signature.
        guard !token.isSignatureRemoved else { throw .init(.badSignature, advice: .signatureRemoved) }
        let key = try await keys.key(of: token)
        guard let algorithm = token.algorithm, key.algorithms.contains(algorithm) else { throw .init(.wrongAlgorithm) }
        guard key.isValidSignature(token.signature, of: token.signingInput, by: algorithm) else {
            throw .init(.badSignature)
        }
        return Caller(
            method: .jwt,
            name: name,
            subject: token.claims.subject,
            claims: token.claims.all,
            rateLimit: caller.rateLimit,
            isAdmin: caller.isAdmin
        )
    }
}
