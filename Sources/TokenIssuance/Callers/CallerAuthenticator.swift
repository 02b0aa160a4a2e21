import HTTPTypes
import ServiceSupport

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
        let certificateHolder = try certificates.caller(named: call.certificateNames)
        guard let credential = try Credential.presented(in: call.head.headerFields) else {
            guard let certificateHolder else {
                throw .init(call.certificateNames.isEmpty ? .noCredentials : .unknownCertificate)
            }
            return certificateHolder
        }
        // An unknown certificate is ignored: a service mesh gives one to every workload.
        guard certificateHolder == nil else { throw .init(.multipleCredentials) }
        switch credential {
        case .token(let token):
            return try await tokens.caller(bearing: token, allowance: limits.allowance(of: call.address))
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
