import Foundation
import JWTKit

/// jwt-kit 5, an independent verifier: it gets what an outsider has, the published key set and the token.
///
/// Its key collection falls back to a default key when a token names an unknown one, so this wrapper asks whether the
/// key is there first.
public struct JWTKitVerifier {
    private let keys = JWTKeyCollection()
    private let keyIDs: Set<String>

    /// Reads a JWK Set with jwt-kit.
    public init(jwks: [UInt8]) async throws {
        let set = try JSONDecoder().decode(JWKS.self, from: Data(jwks))
        keyIDs = Set(set.keys.compactMap { $0.keyIdentifier?.string })
        try await keys.add(jwks: set)
    }

    /// Verifies a token's signature by RS256 with the key that its header names; the tests compare the times.
    public func verify(_ token: [UInt8]) async throws -> VerifiedToken {
        let header = try DefaultJWTParser().parse(token, as: Payload.self).header
        guard header.alg == "RS256", let keyID = header.kid, keyIDs.contains(keyID) else {
            throw VerificationFailure("The key set has no RS256 key with the token's kid.")
        }
        let payload = try await keys.verify(token, as: Payload.self)
        return VerifiedToken(
            header: try header.fields.mapValues { try $0.asString.orThrow() },
            claimNames: payload.names,
            issuer: payload.iss.value,
            subject: payload.sub.value,
            audience: payload.aud.value,
            issuedAt: Int(payload.iat.value.timeIntervalSince1970),
            expiresAt: Int(payload.exp.value.timeIntervalSince1970),
            authorization: payload.authorization
        )
    }
}

private struct Payload: JWTPayload {
    let iss: IssuerClaim
    let sub: SubjectClaim
    let aud: AudienceClaim
    let iat: IssuedAtClaim
    let exp: ExpirationClaim
    let authorization: [String: VerifiedToken.Value]
    let names: Set<String>

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Name.self)
        iss = try container.decode(IssuerClaim.self, forKey: Name("iss"))
        sub = try container.decode(SubjectClaim.self, forKey: Name("sub"))
        aud = try container.decode(AudienceClaim.self, forKey: Name("aud"))
        iat = try container.decode(IssuedAtClaim.self, forKey: Name("iat"))
        exp = try container.decode(ExpirationClaim.self, forKey: Name("exp"))
        authorization = try container.decode([String: VerifiedToken.Value].self, forKey: Name("authorization"))
        names = Set(container.allKeys.map(\.stringValue))
    }

    func encode(to encoder: any Encoder) throws {
        throw VerificationFailure("Only verified, never signed.")
    }

    func verify(using algorithm: some JWTAlgorithm) {}
}

private struct Name: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }

    init(_ name: String) { stringValue = name }
    init?(stringValue: String) { self.init(stringValue) }
    init?(intValue: Int) { nil }
}

extension String? {
    fileprivate func orThrow() throws -> String {
        guard let self else { throw VerificationFailure("The header has a parameter that is not a string.") }
        return self
    }
}

/// A verifier's refusal.
private struct VerificationFailure: Error {
    let description: String

    init(_ description: String) {
        self.description = description
    }
}
