import HTTPTypes
import StrictCoding

/// The credential in a request's header fields.
enum Credential: Hashable {
    /// A JWT.
    case token([UInt8])
    case apiKey(String)

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
        return presented.name == .apiKey ? .apiKey(presented.value) : try bearer(presented.value)
    }

    /// Reads `Bearer`, spaces and a `b64token` (RFC 6750 section 2.1).
    private static func bearer(_ field: String) throws(AuthenticationFailure) -> Credential {
        let bytes = Array(field.utf8)
        let scheme = bytes.prefix { $0 != UInt8(ascii: " ") }
        guard scheme.lowercasedASCII == Array("bearer".utf8) else { throw .init(.unsupportedScheme) }
        let token = Array(bytes[scheme.endIndex...].drop { $0 == UInt8(ascii: " ") })
        guard !token.isEmpty, token.allSatisfy(isTokenCharacter) else { throw .init(.malformedCredentials) }
        return token.starts(with: APIKey.prefix.utf8) ? .apiKey(String(decoding: token, as: UTF8.self)) : .token(token)
    }

    private static func isTokenCharacter(_ byte: UInt8) -> Bool {
        byte.isASCIILetterOrDigit || "-._~+/=".utf8.contains(byte)
    }
}

extension Credential: CustomStringConvertible, CustomReflectable {
    /// What it is, without the secret.
    var description: String {
        switch self {
        case .token: "JWT"
        case .apiKey: "API key"
        }
    }

    /// A mirror without children, for functions such as `dump`.
    var customMirror: Mirror { Mirror(self, children: [:]) }
}

extension HTTPField.Name {
    // A valid field name, spelled out here.
    // swift-format-ignore: NeverForceUnwrap
    static let apiKey = Self("X-API-Key")!
}
