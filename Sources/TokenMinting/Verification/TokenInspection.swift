package import FleetToken
package import JOSE
import StrictCoding

/// A decoded token for inspection.
///
/// This does not verify the token; ``TokenVerification`` does.
package struct TokenInspection: Sendable {
    /// Something that its holder should know.
    package struct Warning: Hashable, Sendable {
        /// The subject; a stable identifier for scripts.
        package let code: String
        /// A description for people.
        package let text: String
    }

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
            warnings.append(.init(code: "algorithm", text: "alg is not RS256; Fleet Engine rejects it."))
        }
        if header.type != "JWT" {
            warnings.append(.init(code: "type", text: "typ is not JWT."))
        }
        if header.keyID == nil {
            warnings.append(.init(code: "keyID", text: "The header has no kid; Fleet Engine requires it."))
        }
        if reading.hasWildcard {
            warnings.append(
                .init(
                    code: "wildcard",
                    text:
                        "The token gives access to \(reading.scopeInWords): use it in a backend only, never in an app."
                )
            )
        }
        return warnings
            + reading.problemsInWords(at: now).map { Warning(code: $0.code.rawValue, text: $0.text) }
    }
}
