import HTTPTypes
import StrictCoding

/// The credential in a request's header fields.
enum Credential: Hashable {
    /// A JWT.
    case token([UInt8])
    /// An API key.
    case apiKey([UInt8])

    /// Returns the credential of a request, or nil.
    ///
    /// - Throws: ``AuthenticationFailure`` if there are several, or the credential is not supported.
    static func presented(in fields: HTTPFields) throws(AuthenticationFailure) -> Credential? {
        let authorization = fields[values: .authorization]
        let apiKeys = fields[values: .apiKey]
        guard authorization.count + apiKeys.count <= 1 else { throw .init(.multipleCredentials) }
        if let field = authorization.first { return try bearer(field) }
        guard let key = apiKeys.first else { return nil }
        return .apiKey(Array(key.utf8))
    }

    /// Reads `Bearer`, spaces and a `b64token` (RFC 6750 section 2.1).
    private static func bearer(_ field: String) throws(AuthenticationFailure) -> Credential {
        let bytes = Array(field.utf8)
        let scheme = bytes.prefix { $0 != UInt8(ascii: " ") }
        guard scheme.lowercasedASCII == Array("bearer".utf8) else { throw .init(.unsupportedScheme) }
        let token = Array(bytes[scheme.endIndex...].drop { $0 == UInt8(ascii: " ") })
        guard !token.isEmpty, token.allSatisfy(isTokenCharacter) else { throw .init(.malformedCredentials) }
        return token.starts(with: APIKey.prefix.utf8) ? .apiKey(token) : .token(token)
    }

    private static func isTokenCharacter(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: "-._~+/=".utf8.contains(byte)
        }
    }
}

extension HTTPField.Name {
    // A valid field name, spelled out here.
    // swift-format-ignore: NeverForceUnwrap
    static let apiKey = Self("X-API-Key")!
}
