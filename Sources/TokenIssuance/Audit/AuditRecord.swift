package import FleetToken
import JOSE
import StrictCoding
import TokenMinting

/// One decision in the audit trail: these fields and no others.
struct AuditRecord: Sendable {
    /// How a request for a token ended.
    enum Decision: String, Sendable {
        /// A token was issued.
        case allow
        /// The caller may not have it, or not now.
        case deny
        /// No token was issued because of an internal error or overload.
        case error

        /// Creates the decision of a refusal.
        init(_ reason: TokenError.Reason) { self = reason.code < 500 ? .deny : .error }
    }

    /// The fields of a token that the trail may contain.
    struct Token: Sendable {
        /// `kid`.
        let keyID: String
        /// `exp`.
        let expiresAt: NumericDate
        /// The SHA-256 of the compact JWS: it identifies a token without granting access.
        let sha256: SHA256Digest
        /// Whether the token was issued before.
        let isReused: Bool
    }

    /// The time of the decision.
    let time: NumericDate
    /// The request's ID in the log.
    let requestID: String
    /// The trace that the request is part of, if any.
    var traceID: String?
    /// The caller; nil if unknown.
    let caller: Caller?
    /// The address that the request came from.
    let address: String
    /// The requested kind of token, if the scope is unknown.
    var kind: TokenKind?
    /// The requested scope; nil if unknown, because the body is read only after authentication.
    let scope: TokenScope?
    let decision: Decision
    /// The grant that allowed it, or the reason why none did.
    let rule: String
    let token: Token?
}

extension AuditRecord {
    /// Returns the record as a JSON line, without the fields that depend on its position in the trail.
    ///
    /// - Parameter ids: How its IDs are shown.
    /// - Returns: The line.
    func line(ids: AuditIDs) -> AuditLineDraft {
        // A line with a token is about 450 bytes long.
        var writer = JSONWriter(capacity: 480)
        writer.object { writer in
            writer.member("time", time.seconds)
            writer.member("requestId", requestID)
            if let traceID {
                writer.member("traceId", traceID)
            }
            writer.member("method", caller?.method.rawValue ?? "none")
            writer.member("caller", caller?.name ?? "")
            writer.member("subject", caller?.subject ?? "")
            writer.member("address", address)
            writer.member("kind", (scope?.kind ?? kind)?.rawValue ?? "")
            writer.name("ids")
            writer.array { writer in
                scope?.forEachID { writer.string(ids.text(of: $0)) }
            }
            writer.member("decision", decision.rawValue)
            writer.member("rule", rule)
            if let token {
                writer.member("keyId", token.keyID)
                writer.member("expiresAt", token.expiresAt.seconds)
                writer.name("tokenSha256")
                token.sha256.withUnsafeBytes { writer.hexadecimal($0) }
                writer.member("reused", token.isReused)
            }
        }
        return AuditLineDraft(object: writer.bytes)
    }
}

extension AuditRecord.Token {
    /// Creates the fields of an issued token.
    init(_ token: MintedToken, isReused: Bool) {
        self.init(keyID: token.keyID, expiresAt: token.expiresAt, sha256: token.sha256, isReused: isReused)
    }
}

/// The form of IDs in the trail, which are personal data.
package enum AuditIDs: Sendable {
    /// Unchanged.
    case plain
    /// As HMAC-SHA-256 with a key: equal IDs give equal values, and only the key's owner can identify them.
    case keyed(Secret)

    func text(of id: ResourceID) -> String {
        switch self {
        case .plain: id.rawValue
        case .keyed(let key):
            "hmac:" + Hexadecimal.text(HMACSHA256.code(for: Array(id.rawValue.utf8), key: key.reveal()))
        }
    }
}
