package import FleetToken
package import JOSE
import StrictCoding

/// A decoded token for inspection.
///
/// This does not verify the token; ``TokenVerification`` does.
package struct TokenInspection: Sendable {
    /// Something that its holder should know.
    package struct Warning: Hashable, Sendable {
        /// The subject of a warning.
        package enum Code: Hashable, Sendable {
            case algorithm
            case type
            case keyID
            case wildcard
            case claims(ClaimsProblem.Code)

            /// A stable identifier for scripts.
            package var name: String {
                switch self {
                case .algorithm: "algorithm"
                case .type: "type"
                case .keyID: "keyID"
                case .wildcard: "wildcard"
                case .claims(let code): code.rawValue
                }
            }
        }

        /// The subject.
        package let code: Code
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
            warnings.append(.init(code: .algorithm, text: "alg is not RS256; Fleet Engine rejects it."))
        }
        if header.type != "JWT" {
            warnings.append(.init(code: .type, text: "typ is not JWT."))
        }
        if header.keyID == nil {
            warnings.append(.init(code: .keyID, text: "The header has no kid; Fleet Engine requires it."))
        }
        if reading.hasWildcard {
            warnings.append(
                .init(
                    code: .wildcard,
                    text:
                        "The token gives access to \(reading.scopeInWords): use it in a backend only, never in an app."
                )
            )
        }
        return warnings
            + reading.problemsInWords(at: now).map { Warning(code: .claims($0.code), text: $0.text) }
    }
}
