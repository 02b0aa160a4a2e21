import FleetToken
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

    /// When.
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
    /// How it ended.
    let decision: Decision
    /// The grant that allowed it, or the reason why none did.
    let rule: String
    /// The token, where there is one.
    let token: Token?
}

extension AuditRecord {
    /// How a request ended, with what the record tells of it.
    enum Outcome {
        /// A grant allows the token.
        case allowed(MintedToken, isReused: Bool, by: String)
        /// There is no token; the record has the error reason in the response.
        case refused(any Error)
    }

    /// Creates the record of a request's outcome.
    init(
        _ outcome: Outcome,
        of requested: RequestedToken,
        to caller: Caller?,
        _ context: RequestContext,
        at time: NumericDate
    ) {
        let (decision, rule, token): (Decision, String, Token?)
        switch outcome {
        case .allowed(let minted, let isReused, let grant):
            (decision, rule) = (.allow, grant)
            token = Token(
                keyID: minted.keyID,
                expiresAt: minted.expiresAt,
                sha256: minted.sha256,
                isReused: isReused
            )
        case .refused(let error):
            let reason = ((error as? AuthenticationFailure)?.refusal ?? error as? TokenError)?.reason ?? .internal
            (decision, rule, token) = (Decision(reason), reason.rawValue, nil)
        }
        self.init(
            time: time,
            requestID: context.requestID,
            traceID: context.traceID,
            caller: caller,
            address: context.address,
            kind: requested.kind,
            scope: requested.scope,
            decision: decision,
            rule: rule,
            token: token
        )
    }

    /// Returns the record as a JSON line, without the fields that depend on its position in the trail.
    ///
    /// - Parameter ids: How its IDs are shown.
    /// - Returns: The line.
    func line(ids: AuditIDs) -> AuditLineDraft {
        // A line with a token is about 450 bytes long.
        var writer = JSONWriter(capacity: 480)
        writer.object { writer in
            writer.name("time")
            writer.integer(time.seconds)
            writer.name("requestId")
            writer.string(requestID)
            if let traceID {
                writer.name("traceId")
                writer.string(traceID)
            }
            writer.name("method")
            writer.string(caller?.method.rawValue ?? "none")
            writer.name("caller")
            writer.string(caller?.name ?? "")
            writer.name("subject")
            writer.string(caller?.subject ?? "")
            writer.name("address")
            writer.string(address)
            writer.name("kind")
            writer.string((scope?.kind ?? kind)?.rawValue ?? "")
            writer.name("ids")
            writer.array { writer in
                scope?.forEachID { writer.string(ids.text(of: $0)) }
            }
            writer.name("decision")
            writer.string(decision.rawValue)
            writer.name("rule")
            writer.string(rule)
            if let token {
                writer.name("keyId")
                writer.string(token.keyID)
                writer.name("expiresAt")
                writer.integer(token.expiresAt.seconds)
                writer.name("tokenSha256")
                token.sha256.withUnsafeBytes { writer.hexadecimal($0) }
                writer.name("reused")
                writer.bool(token.isReused)
            }
        }
        return AuditLineDraft(object: writer.bytes)
    }
}
