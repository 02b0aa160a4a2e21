/// A token's payload, as Fleet Engine requires it.
package struct FleetClaims: Hashable, Sendable {
    /// The only audience: a string, with the trailing slash.
    package static let audience = "https://fleetengine.googleapis.com/"

    /// How far `iat` is in the past when a token is minted, to tolerate slow clocks at Google: 60 seconds.
    package static let backdating: Int64 = 60

    /// `iss` and `sub`: the email address of the service account that signs the token.
    package let issuer: String
    /// `authorization`: what the token grants access to.
    package let authorization: [ScopeClaim]
    package let issuedAt: NumericDate
    package let expiresAt: NumericDate
}

extension FleetClaims {
    /// Creates the claims of a token that is minted at `now`.
    ///
    /// `number`, from 0 to 59, is added to `iat`, so that tokens minted in one second differ. `iat` is never later than `now`,
    /// and `exp` stays the same.
    package init(issuer: String, scope: TokenScope, lifetime: TokenLifetime, now: NumericDate, number: Int64 = 0) {
        self.init(
            issuer: issuer,
            authorization: scope.claims,
            issuedAt: now - (Self.backdating - min(max(number, 0), Self.backdating - 1)),
            expiresAt: now + lifetime.seconds
        )
    }

    /// Returns the payload's bytes, which are always the same for the same claims.
    package func encoded() -> [UInt8] {
        // Those of one ID are about 280 bytes long.
        var writer = JSONWriter(capacity: 320)
        writer.object { writer in
            writer.member("iss", issuer)
            writer.member("sub", issuer)
            writer.member("aud", Self.audience)
            writer.member("iat", issuedAt.seconds)
            writer.member("exp", expiresAt.seconds)
            writer.name("authorization")
            writer.object { writer in
                for claim in authorization {
                    writer.name(text: claim.name.rawValue)
                    writer.value(of: claim)
                }
            }
        }
        return writer.bytes
    }
}

extension JSONWriter {
    fileprivate mutating func value(of claim: ScopeClaim) {
        switch claim.value {
        case .id(let id): string(id.rawValue)
        case .every where claim.name == .tasks: array { $0.string("*") }
        case .every: string("*")
        case .ids(let ids):
            array { writer in
                for id in ids { writer.string(id.rawValue) }
            }
        }
    }
}
