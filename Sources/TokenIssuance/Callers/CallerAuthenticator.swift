import HTTPTypes
import ServiceSupport
import StrictCoding

/// Authenticates callers by any of the configured methods.
///
/// ## How it works
///
/// The request's fields select one method; two credentials are an error, not a choice.
///
/// ```
/// Authorization: Bearer ftk_…  or X-API-Key ──► APIKeyAuthenticator: look-up by ID, digests compared in constant time
/// Authorization: Bearer eyJ…                ──► JWTAuthenticator: claims first, then the issuer's key, then the signature
/// client certificate                        ──► CertificateAuthenticator: the name, verified in the TLS handshake
/// ```
///
/// Only a JWT's signature costs time. An address past its limit has a verification budget for it.
package final class CallerAuthenticator: Authenticator {
    package let tokens: JWTAuthenticator
    let apiKeys: APIKeyAuthenticator
    let certificates: CertificateAuthenticator
    private let metrics: CallerMetrics?

    init(
        tokens: JWTAuthenticator,
        apiKeys: APIKeyAuthenticator,
        certificates: CertificateAuthenticator,
        metrics: CallerMetrics?
    ) {
        self.tokens = tokens
        self.apiKeys = apiKeys
        self.certificates = certificates
        self.metrics = metrics
    }

    package func caller(of call: IncomingCall, limits: CallerLimits) async throws(AuthenticationFailure) -> Caller {
        do throws(AuthenticationFailure) {
            let caller = try await authenticated(call, limits)
            metrics?.accepted(caller)
            return caller
        } catch {
            metrics?.refused(error)
            throw error
        }
    }

    private func authenticated(
        _ call: IncomingCall,
        _ limits: CallerLimits
    ) async throws(AuthenticationFailure) -> Caller {
        let names = call.certificateNames
        let certificateHolder = names.isEmpty ? nil : try certificates.caller(named: names)
        guard let credential = try Credential.presented(in: call.head.headerFields) else {
            guard let certificateHolder else {
                throw .init(names.isEmpty ? .noCredentials : .unknownCertificate)
            }
            return certificateHolder
        }
        // An unknown certificate is ignored: a service mesh gives one to every workload.
        guard certificateHolder == nil else { throw .init(.multipleCredentials) }
        switch credential {
        case .token(let token):
            return try await tokens.caller(bearing: token, allowance: .init(address: call.address, limits: limits))
        case .apiKey(let key): return try apiKeys.caller(presenting: key)
        }
    }
}

/// Authenticates callers.
package protocol Authenticator: Sendable {
    /// Returns the caller of a request.
    ///
    /// - Parameters:
    ///   - call: The request, with the credentials.
    ///   - limits: The limits of the address that the request came from.
    /// - Returns: The caller.
    /// - Throws: ``AuthenticationFailure`` if authentication fails.
    func caller(of call: IncomingCall, limits: CallerLimits) async throws -> Caller
}

/// Accepts every request without authentication: for development, where only this machine can connect.
package struct AnonymousAuthenticator: Authenticator {
    package init() {}

    package func caller(of call: IncomingCall, limits: CallerLimits) -> Caller {
        .anonymous
    }
}

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
