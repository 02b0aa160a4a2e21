import EngineCoding
import FleetToken

/// Verifies tokens as Fleet Engine documents it, one rule after the other; the first that fails is the reason of the refusal.
struct TokenVerifier: Sendable {
    /// The only audience.
    static let audience = "https://fleetengine.googleapis.com/"
    /// How far ahead of the clock a token may be issued, in seconds.
    static let skew: Int64 = 600
    /// How far ahead of the clock a token may expire, in seconds.
    static let maximumLifetime: Int64 = 3600

    /// The known accounts by their addresses.
    let accounts: [String: Account]

    /// Verifies the token of a request.
    ///
    /// - Parameters:
    ///   - authorization: The field `Authorization`; nil if the request has none.
    ///   - now: The emulator's clock, in seconds since 1970.
    /// - Returns: Whose token it is.
    /// - Throws: ``EngineError`` with the rule that failed.
    func verify(_ authorization: String?, now: Int64) throws(EngineError) -> Principal {
        guard let authorization else {
            throw EngineError(
                .tokenMissing,
                "Method doesn't allow unregistered callers. Send a token in the field Authorization: Bearer."
            )
        }
        let scheme = authorization.utf8.prefix(7).map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }
        guard scheme.elementsEqual("bearer ".utf8) else {
            throw EngineError(.tokenScheme, "The field Authorization is not a Bearer token.")
        }
        let token = try SignedToken(Array(authorization.utf8.dropFirst(7)))
        let claims = token.claims
        guard let email = claims["iss"]?.stringValue, let account = accounts[email] else {
            throw Self.refused(.issuerUnknown, "iss is not a service account that the emulator knows")
        }
        guard let keyID = token.keyID, let key = account.key(keyID) else {
            throw Self.refused(.keyUnknown, "the service account has no key with the token's kid")
        }
        guard claims["sub"]?.stringValue?.hasSameBytes(as: email) == true else {
            throw Self.refused(.subjectMismatch, "sub is not iss")
        }
        guard claims["aud"] == .string(Self.audience) || claims["aud"] == .array([.string(Self.audience)]) else {
            throw Self.refused(.audienceWrong, "aud is not \(Self.audience)")
        }
        guard let issued = claims["iat"]?.integerValue, let expiry = claims["exp"]?.integerValue, issued < expiry else {
            throw Self.refused(.timesMissing, "iat and exp are not whole seconds with exp after iat")
        }
        guard key.verifies(token.signature, of: token.signed) else {
            throw Self.refused(.signatureInvalid, "the signature is invalid")
        }
        try check(issued: issued, expiry: expiry, now: now)
        return Principal(
            email: email,
            role: account.role,
            project: account.project,
            claims: try scope(claims["authorization"])
        )
    }

    private func check(issued: Int64, expiry: Int64, now: Int64) throws(EngineError) {
        guard issued <= now + Self.skew else {
            throw Self.refused(.issuedInFuture, "iat is more than ten minutes in the future")
        }
        guard expiry > now else { throw Self.refused(.expired, "it has expired") }
        guard expiry <= now + Self.maximumLifetime else {
            throw Self.refused(.expiresTooLate, "exp is more than one hour in the future")
        }
    }

    private func scope(_ authorization: JSONValue?) throws(EngineError) -> [ScopeClaim: Principal.Value] {
        guard let authorization else { throw EngineError(.claimsMissing, "JWT does not contain any scopes.") }
        var scope: [ScopeClaim: Principal.Value] = [:]
        for member in authorization.objectValue?.members ?? [] {
            guard let name = ScopeClaim(rawValue: member.name) else { continue }
            let ids: [String]
            switch (name, member.value) {
            case (.tasks, .array(let values)): ids = values.compactMap(\.stringValue)
            case (.tasks, _), (_, .array): continue
            default: ids = [member.value.stringValue].compactMap(\.self)
            }
            if !ids.isEmpty { scope[name] = ids == ["*"] ? .wildcard : .ids(ids) }
        }
        guard !scope.isEmpty else { throw Self.refused(.idMissing, "authorization has no claim with an ID") }
        return scope
    }

    static func refused(_ rule: Rule, _ reason: String) -> EngineError {
        EngineError(rule, "Request had invalid authentication credentials: \(reason).")
    }
}
