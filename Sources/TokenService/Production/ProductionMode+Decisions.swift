package import FleetToken
import Logging
import ServiceConfiguration
package import ServiceSupport
import StrictCoding
import TokenIssuance

extension ProductionMode {
    /// Explains which grant decides a request, and why the others do not.
    ///
    /// - Parameters:
    ///   - caller: The caller's name in the configuration.
    ///   - claims: The claims' JSON, for callers that have some.
    ///   - scope: What is asked for.
    /// - Returns: What was decided, and why.
    /// - Throws: ``ConfigurationError`` when there is no such caller, or the claims cannot be read.
    package func explain(caller: String, claims: [UInt8]?, scope: TokenScope) throws(ConfigurationError) -> Explanation
    {
        let object: JSONObject
        do {
            object = try claims.map { try JSONParser.parseObject($0) } ?? JSONObject()
        } catch {
            throw ConfigurationError("Invalid claims: \(error)")
        }
        guard let known = configuration.caller(named: caller, claims: object) else {
            let names = configuration.callers.map(\.name)
            let advice =
                Spelling.suggestion(for: caller, in: names).map { "Did you mean \($0)?" }
                ?? "Callers are \(names.joined(separator: ", "))."
            throw ConfigurationError("Unknown caller \(caller). \(advice)")
        }
        return Explanation(authorizer.decideWithoutWebhooks(known, scope))
    }

    /// The authorizer without its webhooks.
    var authorizer: GrantAuthorizer {
        GrantAuthorizer(
            grants: configuration.grants,
            privilegedKinds: configuration.privilegedKinds,
            alphabet: configuration.alphabet,
            webhooks: [:],
            logger: Logger(label: "tokend", factory: { _ in SwiftLogNoOpLogHandler() })
        )
    }
}

extension ProductionConfiguration {
    /// The kinds that the operator marked as privileged.
    var privilegedKinds: Set<TokenKind> {
        Set(kinds.filter(\.value.isPrivileged).keys)
    }
}
