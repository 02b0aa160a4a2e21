import FleetToken
import HTTPTypes
import Logging

/// Finds out who asks, whichever of the configured ways it is said in.
struct CallerAuthenticator: Authenticator {
    let tokens: JWTAuthenticator
    let apiKeys: APIKeyAuthenticator
    let certificates: CertificateAuthenticator
    let metrics: CallerMetrics?
    let logger: Logger

    func caller(of request: HTTPRequest, certificateNames: [String], requestID: String) async throws -> Caller {
        do throws(AuthenticationFailure) {
            let caller = try await caller(of: request, certificateNames: certificateNames)
            metrics?.accepted(caller)
            return caller
        } catch {
            metrics?.refused(error)
            var metadata: Logger.Metadata = ["request_id": "\(requestID)", "reason": "\(error.code.rawValue)"]
            if let caller = error.caller { metadata["caller"] = "\(caller)" }
            logger.info("Nobody known asks.", metadata: metadata)
            throw error.refusal
        }
    }

    private func caller(
        of request: HTTPRequest,
        certificateNames: [String]
    ) async throws(AuthenticationFailure) -> Caller {
        let certificateHolder = try certificates.caller(named: certificateNames)
        guard let credential = try Credential.presented(in: request.headerFields) else {
            guard let certificateHolder else {
                throw .init(certificateNames.isEmpty ? .noCredentials : .unknownCertificate)
            }
            return certificateHolder
        }
        // A certificate that is nobody's says nothing: a mesh gives one to everything that runs in it.
        guard certificateHolder == nil else { throw .init(.multipleCredentials) }
        switch credential {
        case .token(let token): return try await tokens.caller(bearing: token)
        case .apiKey(let key): return try apiKeys.caller(presenting: key)
        }
    }
}
