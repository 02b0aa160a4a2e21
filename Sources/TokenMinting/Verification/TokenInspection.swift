public import FleetToken
public import JOSE

/// A token taken apart to be looked at.
///
/// Nothing here says whether it is genuine: ``TokenVerification`` does.
public struct TokenInspection: Sendable {
    /// The token's parts.
    public let jws: CompactJWS
    /// Its claims, as far as they can be read.
    public let reading: ClaimsReading
    /// What its holder should know, in the order of its parts.
    public let warnings: [String]

    /// Takes a token apart.
    ///
    /// - Throws: ``JOSEError`` when it is not a token.
    public init(of token: [UInt8], now: NumericDate) throws(JOSEError) {
        jws = try CompactJWS(parsing: token)
        reading = ClaimsReading(payload: jws.payload)
        warnings = Self.warnings(jws.header, reading, now)
    }

    private static func warnings(_ header: JWSHeader, _ reading: ClaimsReading, _ now: NumericDate) -> [String] {
        var warnings: [String] = []
        if !header.algorithm.utf8.elementsEqual("RS256".utf8) {
            warnings.append("alg is not RS256; Fleet Engine refuses it.")
        }
        if header.type != "JWT" { warnings.append("typ is not JWT.") }
        if header.keyID == nil { warnings.append("The header has no kid; Fleet Engine needs it.") }
        warnings += reading.problems.map(\.description)
        if reading.hasWildcard {
            warnings.append("It opens every resource of the fleet: it belongs in a backend, never in an app.")
        }
        return warnings + reading.problems(at: now).map(\.description)
    }
}
