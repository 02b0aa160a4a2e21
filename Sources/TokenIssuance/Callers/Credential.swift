import FleetToken
import HTTPTypes

/// The credential in a request's header fields.
enum Credential {
    /// A JWT.
    case token(Secret)
    case apiKey(Secret)

    /// Returns the credential of a request, or nil.
    ///
    /// - Throws: ``AuthenticationFailure`` if there are several, or the credential is not supported.
    static func presented(in fields: HTTPFields) throws(AuthenticationFailure) -> Credential? {
        var presented: HTTPField?
        for field in fields where field.name == .authorization || field.name == .apiKey {
            guard presented == nil else { throw .init(.multipleCredentials) }
            presented = field
        }
        guard let presented else { return nil }
        return presented.name == .apiKey ? .apiKey(Secret(presented.value)) : try bearer(presented.value)
    }

    /// Reads `Bearer`, spaces and a `b64token` (RFC 6750 section 2.1).
    private static func bearer(_ field: String) throws(AuthenticationFailure) -> Credential {
        let bytes = Array(field.utf8)
        let scheme = bytes.prefix { $0 != UInt8(ascii: " ") }
        guard scheme.lowercasedASCII == Array("bearer".utf8) else { throw .init(.unsupportedScheme) }
        let token = Array(bytes[scheme.endIndex...].drop { $0 == UInt8(ascii: " ") })
        guard !token.isEmpty, token.allSatisfy(isTokenCharacter) else { throw .init(.malformedCredentials) }
        return token.starts(with: APIKey.prefix.utf8) ? .apiKey(Secret(token)) : .token(Secret(token))
    }

    private static func isTokenCharacter(_ byte: UInt8) -> Bool {
        byte.isASCIILetterOrDigit || "-._~+/=".utf8.contains(byte)
    }
}

extension HTTPField.Name {
    // A valid field name, spelled out here.
    // swift-format-ignore: NeverForceUnwrap
    static let apiKey = Self("X-API-Key")!
}
