import HTTPTypes
import ServiceSupport

/// Authenticates callers by any of the configured methods.
///
/// A class, for the same reason as ``IssuancePipeline``.
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

    package func caller(
        of request: RequestContext,
        limits: CallerLimits
    ) async throws(AuthenticationFailure) -> Caller {
        switch try presented(by: request) {
        case .caller(let caller): return caller
        case .token(let token): return try await caller(bearing: token, request, limits)
        }
    }

    // Not inlined, so that what only a JWT needs is not part of the task's memory.
    @inline(never)
    private func caller(
        bearing token: [UInt8],
        _ request: RequestContext,
        _ limits: CallerLimits
    ) async throws(AuthenticationFailure) -> Caller {
        do throws(AuthenticationFailure) {
            let caller = try await tokens.caller(bearing: token, allowance: limits.allowance(of: request.address))
            metrics?.accepted(caller)
            return caller
        } catch {
            metrics?.refused(error)
            throw error
        }
    }

    /// What a request says about its caller.
    private enum Presented {
        /// It is this caller.
        case caller(Caller)
        /// A JWT.
        case token([UInt8])
    }

    // Not inlined, so that its variables are not part of the task's memory.
    @inline(never)
    private func presented(by request: RequestContext) throws(AuthenticationFailure) -> Presented {
        do throws(AuthenticationFailure) {
            let presented = try checked(request.head.headerFields, request.certificateNames)
            if case .caller(let caller) = presented { metrics?.accepted(caller) }
            return presented
        } catch {
            metrics?.refused(error)
            throw error
        }
    }

    private func checked(
        _ fields: HTTPFields,
        _ certificateNames: [CertificateName]
    ) throws(AuthenticationFailure) -> Presented {
        let certificateHolder = try certificates.caller(named: certificateNames)
        guard let credential = try Credential.presented(in: fields) else {
            guard let certificateHolder else {
                throw .init(certificateNames.isEmpty ? .noCredentials : .unknownCertificate)
            }
            return .caller(certificateHolder)
        }
        // An unknown certificate is ignored: a service mesh gives one to every workload.
        guard certificateHolder == nil else { throw .init(.multipleCredentials) }
        switch credential {
        case .token(let token): return .token(token)
        case .apiKey(let key): return .caller(try apiKeys.caller(presenting: key))
        }
    }
}
