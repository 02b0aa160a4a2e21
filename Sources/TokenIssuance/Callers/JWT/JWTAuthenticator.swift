import FleetToken
import JOSE
import ServiceSupport

/// Authenticates callers by JWT.
package struct JWTAuthenticator: Sendable {
    /// In the order in which they are tried; several may have the same `iss`.
    private let issuers: [JWTIssuer]
    /// The same by their `iss`, so that a request costs the same with many issuers as with one.
    private let issuersByName: [String: [JWTIssuer]]
    /// The email addresses of the service accounts that sign minted tokens.
    private let ownAccounts: [String]
    private let clock: ServiceClock

    /// Creates an authenticator that trusts some issuers.
    init(
        issuers: [JWTIssuer],
        ownAccounts: [String],
        clock: ServiceClock
    ) {
        self.issuers = issuers
        issuersByName = Dictionary(grouping: issuers) { $0.configuration.issuer }
        self.ownAccounts = ownAccounts
        self.clock = clock
    }

    /// Returns the caller that a token belongs to.
    ///
    /// - Throws: ``AuthenticationFailure`` unless one of the issuers signed it, for us and for now.
    package func caller(bearing bytes: [UInt8]) async throws(AuthenticationFailure) -> Caller {
        let token = try CallerToken(parsing: bytes)
        try refuseOwn(token.claims)
        let issuer = try issuer(of: token, at: clock.now)
        do throws(AuthenticationFailure) {
            return try await issuer.verify(token)
        } catch {
            throw error.of(issuer.name)
        }
    }

    /// Returns the first issuer whose identifier and conditions a token matches.
    private func issuer(of token: CallerToken, at now: NumericDate) throws(AuthenticationFailure) -> JWTIssuer {
        var failure = AuthenticationFailure(.unknownIssuer)
        for issuer in issuersByName[token.claims.issuer] ?? [] where issuer.issued(token) {
            do {
                try issuer.check(token, at: now)
                return issuer
            } catch {
                failure = error.of(issuer.name)
            }
        }
        throw failure
    }

    /// Refuses tokens minted by this service, in every configuration (RFC 8725 section 3.12).
    private func refuseOwn(_ claims: CallerClaims) throws(AuthenticationFailure) {
        let isOwn =
            claims.audiences.contains { $0.hasSameBytes(as: FleetClaims.audience) }
            || ownAccounts.contains { $0.hasSameBytes(as: claims.issuer) }
        guard !isOwn else { throw .init(.ownToken) }
    }

    /// Reads keys from their files again at the next request, where a file is valid or gone.
    ///
    /// - Returns: The callers whose file is gone.
    func withdraw() -> [String] {
        issuers.compactMap { issuer -> String? in
            guard case .file(let path) = issuer.keys.plan.source else { return nil }
            let isPresent = KeyFile.isPresent(path)
            let isValid = (try? KeySetFetching.keys(issuer.keys.plan, in: try KeySetFetching.content(of: path))) != nil
            if isValid || !isPresent { issuer.keys.remove() }
            return isPresent ? nil : issuer.name
        }
    }

    /// A caller's issuer whose keys are fetched over the network.
    package struct RemoteIssuer: Sendable {
        /// The caller's name in the configuration.
        package let name: String
        package let hasKeys: Bool
        /// When the keys were last fetched; nil if they never were.
        let lastFetch: NumericDate?
    }

    /// The issuers whose keys are fetched over the network, in the configuration's order.
    package var remoteIssuers: [RemoteIssuer] {
        issuers.filter(\.keys.plan.isRemote).map {
            RemoteIssuer(name: $0.name, hasKeys: $0.keys.areCached, lastFetch: $0.keys.lastFetch)
        }
    }

    /// Fetches the keys that are not cached, so that the first caller doesn't wait for them.
    ///
    /// - Returns: The names of the callers whose keys could not be fetched.
    package func prepare() async -> [String] {
        await withTaskGroup(of: String?.self) { group in
            for issuer in issuers where !issuer.keys.areCached {
                group.addTask { (try? await issuer.keys.current()) == nil ? issuer.name : nil }
            }
            return await group.reduce(into: []) { names, name in
                if let name { names.append(name) }
            }
        }
    }
}
