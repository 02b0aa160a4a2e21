import FleetToken
import JOSE
import ServiceSupport
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

    /// The request, with its ID, trace and address.
    let call: IncomingCall
    /// The time of the decision.
    let time: NumericDate
    /// The caller; nil if unknown.
    let caller: Caller?
    /// The requested kind of token, if the scope is unknown.
    var kind: TokenKind?
    /// The requested scope; nil if unknown, because the body is read only after authentication.
    let scope: TokenScope?
    let decision: Decision
    /// The grant that allowed it, or the reason why none did.
    let rule: String
    /// The issued token, and whether it was issued before.
    let token: (MintedToken, isReused: Bool)?
}

extension AuditRecord {
    /// The object of its line.
    var json: [UInt8] {
        // A line with a token is about 450 bytes long.
        var writer = JSONWriter(capacity: 480)
        writer.object { writer in
            writer.member("time", time.seconds)
            writer.member("requestId", call.id)
            if let trace = call.trace {
                writer.member("traceId", trace.traceID)
            }
            writer.member("method", caller?.method.rawValue ?? "none")
            writer.member("caller", caller?.name ?? "")
            writer.member("subject", caller?.subject ?? "")
            writer.member("address", call.address)
            writer.member("kind", (scope?.kind ?? kind)?.rawValue ?? "")
            writer.name("ids")
            writer.array { writer in
                scope?.forEachID { writer.string($0.rawValue) }
            }
            writer.member("decision", decision.rawValue)
            writer.member("rule", rule)
            if let (token, isReused) = token {
                writer.member("keyId", token.keyID)
                writer.member("expiresAt", token.expiresAt.seconds)
                writer.name("tokenSha256")
                token.sha256.withUnsafeBytes { writer.hexadecimal($0) }
                writer.member("reused", isReused)
            }
        }
        return writer.bytes
    }
}
