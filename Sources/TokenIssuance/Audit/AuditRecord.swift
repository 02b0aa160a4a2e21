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
    /// The issued token, and whether it was issued before.
    let token: (MintedToken, isReused: Bool)?
}

extension AuditRecord {
    /// Returns the record as a JSON line, without the fields that depend on its position in the trail.
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
            if let (token, isReused) = token {
                writer.member("keyId", token.keyID)
                writer.member("expiresAt", token.expiresAt.seconds)
                writer.name("tokenSha256")
                token.sha256.withUnsafeBytes { writer.hexadecimal($0) }
                writer.member("reused", isReused)
            }
        }
        return AuditLineDraft(object: writer.bytes)
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

/// An audit line without its position in the trail.
struct AuditLineDraft: Sendable {
    /// The JSON object of its own members.
    let object: [UInt8]

    /// The line's length, about.
    var size: Int { object.count + 128 }

    private static let opening = Array(#"{"v":1,"sequence":"#.utf8)
    private static let previous = Array(#","previous":""#.utf8)
    private static let closing = Array(#""}"#.utf8)

    /// Appends the whole line and its newline.
    ///
    /// - Returns: The position after it.
    func append(to bytes: inout [UInt8], at position: AuditTrail.Position) -> AuditTrail.Position {
        let start = bytes.endIndex
        bytes.append(contentsOf: Self.opening)
        bytes.append(decimal: position.sequence)
        bytes.append(UInt8(ascii: ","))
        bytes.append(contentsOf: object.dropFirst().dropLast())
        bytes.append(contentsOf: Self.previous)
        position.appendPrevious(to: &bytes)
        bytes.append(contentsOf: Self.closing)
        let digest = SHA256Digest(of: bytes[start...])
        bytes.append(UInt8(ascii: "\n"))
        return AuditTrail.Position(sequence: position.sequence + 1, previous: digest)
    }
}

/// The fields of a written line that the chain needs.
package struct AuditLine {
    /// The sequence number.
    package let sequence: UInt64
    /// The SHA-256 of the line before, in hexadecimal.
    package let previous: String

    package init?(_ line: some Sequence<UInt8>) {
        guard let object = try? JSONParser.parseObject(line),
            object["v"] == .integer(1),
            // The next line's number has to be one, too.
            let sequence = object["sequence"]?.integerValue, (0..<Int64.max).contains(sequence),
            let previous = object["previous"]?.stringValue
        else { return nil }
        self.sequence = UInt64(sequence)
        self.previous = previous
    }
}
