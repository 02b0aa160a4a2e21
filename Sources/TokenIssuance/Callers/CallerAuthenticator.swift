package import HTTPTypes

/// Authenticates callers by any of the configured methods.
package struct CallerAuthenticator: Authenticator {
    package let tokens: JWTAuthenticator
    let apiKeys: APIKeyAuthenticator
    let certificates: CertificateAuthenticator
    let metrics: CallerMetrics?

    package func caller(
        of request: HTTPRequest,
        certificateNames: [String],
        allowance: AddressAllowance
    ) async throws(AuthenticationFailure) -> Caller {
        do throws(AuthenticationFailure) {
            let caller = try await knownCaller(of: request, certificateNames: certificateNames, allowance: allowance)
            metrics?.accepted(caller)
            return caller
        } catch {
            metrics?.refused(error)
            throw error
        }
    }

    private func knownCaller(
        of request: HTTPRequest,
        certificateNames: [String],
        allowance: AddressAllowance
    ) async throws(AuthenticationFailure) -> Caller {
        switch try presented(by: request, certificateNames) {
        case .caller(let caller): return caller
        case .token(let token): return try await tokens.caller(bearing: token, allowance: allowance)
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
    private func presented(
        by request: HTTPRequest,
        _ certificateNames: [String]
    ) throws(AuthenticationFailure) -> Presented {
        let certificateHolder = try certificates.caller(named: certificateNames)
        guard let credential = try Credential.presented(in: request.headerFields) else {
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
