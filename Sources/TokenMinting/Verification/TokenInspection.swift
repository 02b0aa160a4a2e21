package import FleetToken
package import JOSE

/// A token taken apart to be looked at.
///
/// Nothing here says whether it is genuine: ``TokenVerification`` does.
package struct TokenInspection: Sendable {
    /// Something that its holder should know.
    package struct Warning: Hashable, Sendable {
        /// What it is about; stable, for scripts.
        package let code: String
        /// What it is, for people.
        package let text: String
    }

    /// The token's parts.
    package let jws: CompactJWS
    /// Its claims, as far as they can be read.
    package let reading: ClaimsReading
    /// What its holder should know, in the order of its parts.
    package let warnings: [Warning]
    /// What the clock showed.
    package let now: NumericDate

    /// Takes a token apart.
    ///
    /// - Throws: ``JOSEError`` when it is not a token.
    package init(of token: [UInt8], now: NumericDate) throws(JOSEError) {
        jws = try CompactJWS(parsing: token)
        reading = ClaimsReading(payload: jws.payload)
        self.now = now
        warnings = Self.warnings(jws.header, reading, now)
    }

    private static func warnings(_ header: JWSHeader, _ reading: ClaimsReading, _ now: NumericDate) -> [Warning] {
        var warnings: [Warning] = []
        if !header.algorithm.utf8.elementsEqual("RS256".utf8) {
            warnings.append(.init(code: "algorithm", text: "alg is not RS256; Fleet Engine refuses it."))
        }
        if header.type != "JWT" {
            warnings.append(.init(code: "type", text: "typ is not JWT."))
        }
        if header.keyID == nil {
            warnings.append(.init(code: "keyID", text: "The header has no kid; Fleet Engine needs it."))
        }
        if reading.hasWildcard {
            warnings.append(
                .init(
                    code: "wildcard",
                    text: "It opens \(reading.scopeInWords): it belongs in a backend, never in an app."
                )
            )
        }
        return warnings
            + reading.problemsInWords(at: now).map { Warning(code: $0.code.rawValue, text: $0.text) }
    }
}
