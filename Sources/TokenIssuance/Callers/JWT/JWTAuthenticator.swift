import ExpiringCache
import FleetToken
import JOSE
import ServiceSupport
import StrictCoding
import Timing

/// Authenticates callers by JWT.
package struct JWTAuthenticator: Sendable {
    /// In the order in which they are tried; several may have the same `iss`.
    private let issuers: [JWTIssuer]
    /// The same by their `iss`, so that a request costs the same with many issuers as with one.
    private let issuersByName: [String: [JWTIssuer]]
    /// The email addresses of the service accounts that sign minted tokens.
    private let ownAccounts: [String]
    private let remembered: RememberedCallers
    private let clock: ServiceClock

    /// Creates an authenticator that trusts some issuers.
    init(
        issuers: [JWTIssuer],
        ownAccounts: [String],
        remembered: RememberedCallers = RememberedCallers(),
        clock: ServiceClock
    ) {
        self.issuers = issuers
        issuersByName = Dictionary(grouping: issuers) { $0.configuration.issuer }
        self.ownAccounts = ownAccounts
        self.remembered = remembered
        self.clock = clock
    }

    /// Returns the caller that a token belongs to.
    ///
    /// A token verified before uses nothing of the address's allowance, nor does a token refused for its claims, so that an
    /// app with an expired token always gets that error.
    ///
    /// - Throws: ``AuthenticationFailure`` unless one of the issuers signed it, for us and for now.
    package func caller(
        bearing token: [UInt8],
        allowance: AddressAllowance
    ) async throws(AuthenticationFailure) -> Caller {
        let now = clock.now
        let digest = SHA256Digest(of: token)
        let (caller, isKnown) = await rememberedCaller(digest, at: now, allowance)
        if let caller { return caller }

        let token = try CallerToken(parsing: token)
        try refuseOwn(token.claims)
        let issuer = try issuer(of: token, at: now)
        do throws(AuthenticationFailure) {
            guard isKnown || allowance.takesVerification() else { throw AuthenticationFailure(.notExamined) }
            let verified = try await issuer.verify(token, allowance)
            remembered.insert(verified, for: digest, until: token.claims.expiresAt, at: now)
            return verified.caller
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

    /// Returns a caller whose token was recently verified with keys that its issuer still has, and whether the token
    /// was verified here at all.
    private func rememberedCaller(
        _ digest: SHA256Digest,
        at now: NumericDate,
        _ allowance: AddressAllowance
    ) async -> (Caller?, isKnown: Bool) {
        guard let verified = remembered.caller(for: digest, at: now) else {
            return (nil, remembered.knows(digest))
        }
        guard let keys = try? await verified.keys.current(for: allowance), keys.fingerprint == verified.fingerprint
        else { return (nil, true) }
        return (verified.caller, true)
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
            let isValid = (try? IssuerKeySet(parsing: try KeyFile.read(path), mayBeEmpty: true)) != nil
            if isValid || !isPresent { issuer.keys.cache.remove(issuer.keys.plan) }
            return isPresent ? nil : issuer.name
        }
    }

    /// The callers whose issuer's keys are fetched over the network, in the configuration's order, with their state.
    package var remoteIssuers: [(name: String, hasKeys: Bool)] {
        issuers.filter(\.keys.plan.isRemote).map { ($0.name, $0.keys.areCached) }
    }

    /// Fetches the keys that are not cached, so that the first caller doesn't wait for them.
    ///
    /// - Returns: The names of the callers whose keys could not be fetched.
    package func prepare() async -> [String] {
        await withTaskGroup(of: String?.self) { group in
            for issuer in issuers where !issuer.keys.areCached {
                group.addTask { (try? await issuer.keys.current(for: nil)) == nil ? issuer.name : nil }
            }
            return await group.reduce(into: []) { names, name in
                if let name { names.append(name) }
            }
        }
    }
}
