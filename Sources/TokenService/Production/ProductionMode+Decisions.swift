package import FleetToken
import Logging
package import ServiceConfiguration
import StrictCoding
import TokenIssuance
import TokenMinting

extension ProductionMode {
    /// Compares decisions with an operator's expectations.
    ///
    /// - Parameter yaml: The file of expected decisions.
    /// - Returns: A line for each that is another, or cannot be read; none when all are as expected.
    package func unexpectedDecisions(yaml: [UInt8]) -> [String] {
        let expected = ExpectedDecisions(yaml: yaml, configuration: configuration)
        for entry in expected.entries {
            let decision = authorizer.decideWithoutWebhooks(entry.caller, entry.scope)
            guard decision.outcome != entry.expected else { continue }
            entry.value.report("is \(decision.outcome), expected \(entry.expected). \(decision)")
        }
        return expected.problems.list.map(\.description)
    }

    /// Explains which grant decides a request, and why the others do not.
    ///
    /// - Parameters:
    ///   - caller: The caller's name in the configuration.
    ///   - claims: The claims' JSON, for callers that have some.
    ///   - scope: The requested scope.
    /// - Returns: One line for the outcome and one for each evaluated grant.
    /// - Throws: ``ConfigurationError`` if the caller is unknown, or the claims are invalid.
    package func explain(caller: String, claims: [UInt8]?, scope: TokenScope) throws(ConfigurationError) -> String {
        let object: JSONObject
        do {
            object = try claims.map { try JSONParser.parseObject($0) } ?? JSONObject()
        } catch {
            throw ConfigurationError("Invalid claims: \(error)")
        }
        guard let known = configuration.caller(named: caller, claims: object) else {
            let names = configuration.callers.map(\.name).joined(separator: ", ")
            throw ConfigurationError("Unknown caller \(caller). Callers are \(names).")
        }
        let decision = authorizer.decideWithoutWebhooks(known, scope)
        let steps = decision.steps.map { "  \($0.grant): \($0.verdict)".harmlessLine }
        return (["\(decision.outcome)"] + steps).joined(separator: "\n")
    }

    /// The authorizer without its webhooks.
    private var authorizer: GrantAuthorizer {
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

extension GrantDecision {
    fileprivate var outcome: ExpectedDecisions.Outcome {
        if grant != nil { return .allow }
        let asks = steps.contains { if case .asks = $0.verdict { true } else { false } }
        return asks ? .webhook : .deny
    }
}
