package import FleetToken
package import JOSE
import ServiceSupport

/// A decoded token for inspection.
///
/// This does not verify the token; ``TokenVerification`` does.
package struct TokenInspection: Sendable {
    /// What its holder should know: a code that stays the same, for scripts, and a text for people.
    package typealias Warning = (code: String, text: String)

    /// The token's parts.
    package let jws: CompactJWS
    /// Its claims, as far as they are readable.
    package let reading: ClaimsReading
    /// The warnings, in the order of the token's parts.
    package let warnings: [Warning]
    package let now: NumericDate

    /// Creates an inspection by decoding a token.
    ///
    /// - Throws: ``JOSEError`` when it is not a token.
    package init(of token: [UInt8], now: NumericDate) throws(JOSEError) {
        jws = try CompactJWS(parsing: token)
        reading = ClaimsReading(payload: jws.payload)
        self.now = now
        warnings = Self.warnings(jws.header, reading, now: now)
    }

    private static func warnings(_ header: JWSHeader, _ reading: ClaimsReading, now: NumericDate) -> [Warning] {
        var warnings: [Warning] = []
        if !header.algorithm.hasSameBytes(as: "RS256") {
            warnings.append(("algorithm", "alg is not RS256; Fleet Engine rejects it."))
        }
        if header.type != "JWT" {
            warnings.append(("type", "typ is not JWT."))
        }
        if header.keyID == nil {
            warnings.append(("keyID", "The header has no kid; Fleet Engine requires it."))
        }
        if reading.hasWildcard {
            let text = "The token gives access to \(reading.scopeInWords): use it in a backend only, never in an app."
            warnings.append(("wildcard", text))
        }
        return warnings
            + reading.problemsInWords(at: now).map { ($0.code.rawValue, $0.text) }
    }
}

extension TokenInspection {
    /// The report for people: lines of text that are harmless on a terminal for every token.
    package var text: String {
        var lines = [
            "Not verified: the token may be forged. Verify its signature with tokenctl verify.",
            "",
            "Header",
            "  \(header.pretty(level: 1))",
            "",
            "Claims",
            "  \(claims?.pretty(level: 1) ?? "Unreadable.")",
            "",
        ]
        if !reading.kinds.isEmpty {
            lines.append("Kind      \(reading.kinds.map(\.rawValue).joined(separator: " or "))")
        }
        lines.append("Access    \(reading.scopeInWords)")
        if let issuedAt = reading.issuedAt {
            // Of a fresh token, too, which would be puzzling without the reason.
            let backdating = "tokend dates tokens back by \(FleetClaims.backdating) seconds"
            lines.append("Issued    \(issuedAt.distance(from: now)) (\(issuedAt.utc)); \(backdating)")
        }
        if let expiresAt = reading.expiresAt {
            lines.append(
                "\(expiresAt > now ? "Expires  " : "Expired  ") \(expiresAt.distance(from: now)) (\(expiresAt.utc))"
            )
        }
        if !warnings.isEmpty {
            lines += ["", "Warnings"] + warnings.map { "  - \($0.text)" }
        }
        return lines.joined(separator: "\n") + "\n"
    }

    /// The report for programs: schema 1, to which later versions only add.
    package var json: JSONValue {
        let warnings = warnings.map { code, text in
            JSONValue(members: [("code", .string(code)), ("message", .string(text))])
        }
        return JSONValue(members: [
            ("schema", .integer(1)), ("verified", .bool(false)), ("header", header), ("claims", claims ?? .null),
            ("kinds", .array(reading.kinds.map { .string($0.rawValue) })),
            ("issuedAt", reading.issuedAt.map { .string($0.rfc3339) } ?? .null),
            ("expiresAt", reading.expiresAt.map { .string($0.rfc3339) } ?? .null),
            ("expiresInSeconds", reading.expiresAt.map { .integer($0 - now) } ?? .null),
            ("warnings", .array(warnings)),
        ])
    }

    private var header: JSONValue {
        // It was parsed when the token was, so it parses again.
        (try? JSONParser.parse(jws.headerJSON)) ?? .null
    }

    private var claims: JSONValue? {
        (try? JSONParser.parseObject(jws.payload)).map { .object($0) }
    }
}
