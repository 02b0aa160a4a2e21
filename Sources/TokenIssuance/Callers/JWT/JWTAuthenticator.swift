import Crypto
import FleetToken
import JOSE

/// Finds out who asks with a JWT.
package struct JWTAuthenticator: Sendable {
    private let issuers: [JWTIssuer]
    private let ownAccounts: [String]
    private let remembered: RememberedCallers
    private let now: @Sendable () -> NumericDate

    /// An authenticator that believes some issuers.
    ///
    /// - Parameters:
    ///   - issuers: The issuers, in the order in which they are tried; several may have the same `iss`.
    ///   - ownAccounts: The e-mail addresses of the service accounts that sign what is minted here.
    ///   - remembered: Where verified callers are kept.
    ///   - now: The wall clock.
    init(
        issuers: [JWTIssuer],
        ownAccounts: [String],
        remembered: RememberedCallers = RememberedCallers(),
        now: @escaping @Sendable () -> NumericDate
    ) {
        self.issuers = issuers
        self.ownAccounts = ownAccounts
        self.remembered = remembered
        self.now = now
    }

    /// Who a token belongs to.
    ///
    /// - Parameters:
    ///   - token: The token.
    ///   - allowance: What an address may still cost. A token that was verified here before costs nothing of it; neither
    ///     does one that is refused for its claims, so that an app with an expired one is always told so.
    /// - Returns: The caller.
    /// - Throws: ``AuthenticationFailure`` unless one of the issuers signed it, for us and for now.
    package func caller(
        bearing token: [UInt8],
        allowance: AddressAllowance
    ) async throws(AuthenticationFailure) -> Caller {
        // Before anything is done with it that costs more the longer it is.
        guard token.count <= CallerToken.maximumSize else { throw .init(.malformedToken) }
        let now = now()
        let digest = SHA256.hash(data: token)
        let (caller, isKnown) = await rememberedCaller(digest, at: now, allowance)
        if let caller { return caller }

        let token = try CallerToken(parsing: token)
        try refuseOwn(token.claims)
        let issuer = try issuer(of: token, at: now)
        do throws(AuthenticationFailure) {
            guard isKnown || allowance.takesExamination() else { throw AuthenticationFailure(.notExamined) }
            let verified = try await issuer.verify(token, allowance)
            remembered.insert(verified, for: digest, until: token.claims.expiresAt, at: now)
            return verified.caller
        } catch {
            throw error.of(issuer.name)
        }
    }

    /// The first issuer that a token is of and meets the conditions of.
    private func issuer(of token: CallerToken, at now: NumericDate) throws(AuthenticationFailure) -> JWTIssuer {
        var failure = AuthenticationFailure(.unknownIssuer)
        for issuer in issuers where issuer.issued(token) {
            do {
                try issuer.check(token, at: now)
                return issuer
            } catch {
                failure = error.of(issuer.name)
            }
        }
        throw failure
    }

    /// A caller whose token was verified lately with the keys that its issuer still has, and whether the token was
    /// verified here at all.
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

    /// Refuses a token of the sort that is minted here, whoever is configured (RFC 8725 section 3.12).
    private func refuseOwn(_ claims: CallerClaims) throws(AuthenticationFailure) {
        let isOwn =
            claims.audiences.contains { $0.utf8.elementsEqual(FleetClaims.audience.utf8) }
            || ownAccounts.contains { $0.utf8.elementsEqual(claims.issuer.utf8) }
        guard !isOwn else { throw .init(.ownToken) }
    }

    /// Fetches the keys of all issuers, so that the first caller doesn't wait for them.
    ///
    /// - Returns: The names of the callers whose keys cannot be had now.
    package func prepare() async -> [String] {
        await withTaskGroup(of: String?.self) { group in
            for issuer in issuers {
                group.addTask { (try? await issuer.keys.current(for: nil)) == nil ? issuer.name : nil }
            }
            return await group.reduce(into: []) { names, name in
                if let name { names.append(name) }
            }
        }
    }
}
