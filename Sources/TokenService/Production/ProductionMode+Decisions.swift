package import FleetToken
import Logging
package import ServiceConfiguration
import StrictCoding
import TokenIssuance
import TokenMinting

extension ProductionMode {
    /// Compares decisions with what an operator expects.
    ///
    /// - Parameter yaml: The file of expected decisions.
    /// - Returns: A line for each that is another, or cannot be read; none when all are as expected.
    package func unexpectedDecisions(yaml: [UInt8]) -> [String] {
        let expected = ExpectedDecisions(yaml: yaml, configuration: configuration)
        for entry in expected.entries {
            let decision = authorizer.decideWithoutWebhooks(entry.caller, entry.scope)
            guard decision.outcome != entry.expected else { continue }
            entry.value.report("is \(decision.outcome), and \(entry.expected) was expected. \(decision)")
        }
        return expected.problems.list.map(\.description)
    }

    /// Says which grant decides a request, and why the others do not.
    ///
    /// - Parameters:
    ///   - caller: The caller's name in the configuration.
    ///   - claims: The claims' JSON, for callers that have some.
    ///   - scope: What is asked for.
    /// - Returns: A line for the outcome and one for each grant that was looked at.
    /// - Throws: ``ConfigurationError`` when there is no such caller, or the claims cannot be read.
    package func explain(caller: String, claims: [UInt8]?, scope: TokenScope) throws(ConfigurationError) -> String {
        let object: JSONObject
        do {
            object = try claims.map { try JSONParser.parseObject($0) } ?? JSONObject()
        } catch {
            throw ConfigurationError("The claims cannot be read: \(error)")
        }
        guard let known = configuration.caller(named: caller, claims: object) else {
            let names = configuration.callers.map(\.name).joined(separator: ", ")
            throw ConfigurationError("There is no caller \(caller). Callers are \(names).")
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
    /// The kinds of which the operator said that their tokens may open everything.
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
