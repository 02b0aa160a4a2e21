import FleetToken
import HTTPTypes
package import ServiceSupport

/// Authenticates callers by any of the configured methods.
///
/// ## How it works
///
/// The request's fields select one method; two credentials are an error, not a choice.
///
/// ```
/// Authorization: Bearer ftk_…  or X-API-Key ──► APIKeyAuthenticator: look-up by ID, digests compared in constant time
/// Authorization: Bearer eyJ…                ──► JWTAuthenticator: claims first, then the issuer's key, then the signature
/// ```
///
/// Only a JWT's signature costs time.
package final class CallerAuthenticator: Sendable {
    package let jwts: JWTAuthenticator
    let apiKeys: APIKeyAuthenticator

    /// Creates an authenticator for the callers of a configuration.
    ///
    /// Several may have the same name, and are one caller then. Files are read now, and URLs on demand; the
    /// shared key sets are those from URLs.
    ///
    /// - Throws: ``OperatorError`` with all that is wrong.
    package init(
        callers: [CallerConfiguration],
        ownAccounts: [String],
        fetching: KeySetFetching,
        keySets: SharedKeySets? = nil,
        clock: ServiceClock
    ) throws(OperatorError) {
        var issuers: [JWTIssuer] = []
        var keys: [APIKeyAuthenticator.Keys] = []
        // Files are read again on each reload, not only when their content is old.
        let fileSets = SharedKeySets(fetching)
        let remoteSets = keySets ?? SharedKeySets(fetching)
        var problems: [Problem] = []
        for caller in callers {
            do throws(OperatorError) {
                switch caller.method {
                case .jwt(let configuration):
                    try configuration.check(ownAccounts: ownAccounts)
                    let plan = KeySetPlan(configuration)
                    let keys = (plan.isRemote ? remoteSets : fileSets).keys(of: plan)
                    issuers.append(.init(caller, configuration: configuration, keys: keys))
                case .apiKeys(let path):
                    let records = try OperatorError.within("apiKeys.file") { try APIKeyFile.read(path).records }
                    keys.append((caller, records))
                }
            } catch {
                problems += error.problems.map { $0.within(caller.name) }
            }
        }
        guard problems.isEmpty else { throw OperatorError(problems: problems) }
        jwts = JWTAuthenticator(issuers: issuers, ownAccounts: ownAccounts, clock: clock)
        apiKeys = try APIKeyAuthenticator(keys, clock: clock)
    }

    /// Returns the caller of a request.
    ///
    /// - Throws: ``AuthenticationFailure`` if authentication fails.
    package func caller(of call: IncomingCall) async throws(AuthenticationFailure) -> Caller {
        switch try Credential.presented(in: call.head.headerFields) {
        case nil: throw .init(.noCredentials)
        case .token(let token):
            return try await jwts.caller(bearing: token.reveal())
        case .apiKey(let key): return try apiKeys.caller(presenting: key.reveal())
        }
    }
}

extension CallerAuthenticator {
    /// Revokes the credentials that an operator removed, for a reload that fails for another reason.
    ///
    /// A reload takes effect as a whole, so that a mistake leaves the last good configuration. To take a credential away is no
    /// mistake: an API key that its file does not have any more, and the keys of an issuer whose file has others or is
    /// gone.
    ///
    /// - Returns: What is refused from now on and was not before, a sentence each.
    package func withdraw(from callers: [CallerConfiguration]) -> [String] {
        var changes: [String] = []
        for caller in callers {
            guard case .apiKeys(let path) = caller.method, let ids = APIKeyFile.ids(in: path) else { continue }
            changes += apiKeys.withdraw(allBut: ids, of: caller.name).map {
                "callers.\(caller.name): the API key \($0) is not in \(path) and is revoked."
            }
        }
        changes += jwts.withdraw().map {
            "callers.\($0): the file with the issuer's keys is gone, so its keys are not used."
        }
        return changes
    }
}
