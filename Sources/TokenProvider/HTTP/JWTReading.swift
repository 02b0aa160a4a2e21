import FleetToken
import StrictCoding

/// The claims of a JWT, read for its scope and lifetime; Fleet Engine verifies the signature.
struct JWTReading {
    private let claims: ClaimsReading

    /// `iat`.
    var issuedAt: NumericDate? { claims.issuedAt }
    /// `exp`.
    var expiresAt: NumericDate? { claims.expiresAt }

    /// Creates a reading of a compact JWS; nil if the token is not one.
    init?(_ token: Secret) {
        let parts = token.reveal().split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        // All three parts are checked, because the token is sent in the SDKs' request headers unchanged.
        guard parts.count == 3, let header = try? Base64URL.decode(parts[0]), !header.isEmpty,
            let payload = try? Base64URL.decode(parts[1]), let signature = try? Base64URL.decode(parts[2]),
            !signature.isEmpty
        else { return nil }
        claims = ClaimsReading(payload: payload)
        guard !claims.problems.contains(where: { $0.code == .malformed }) else { return nil }
    }

    /// Returns whether the token grants access to exactly this scope.
    func grantsAccess(onlyTo scope: TokenScope) -> Bool {
        guard !claims.problems.contains(where: { $0.code == .authorization || $0.code == .invalidID }) else {
            return false
        }
        return claims.authorization.count == scope.claims.count
            && scope.claims.allSatisfy { wanted in claims.authorization.contains { $0.isSame(as: wanted) } }
    }
}

extension ScopeClaim {
    /// Compares two claims, ignoring the order of a batch's tasks.
    fileprivate func isSame(as other: ScopeClaim) -> Bool {
        if name == other.name, case .ids(let ids) = value, case .ids(let otherIDs) = other.value {
            return ids.count == otherIDs.count && Set(ids) == Set(otherIDs)
        }
        return self == other
    }
}
