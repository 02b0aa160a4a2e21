package import FleetToken
package import ServiceSupport
package import TokenIssuance

extension Report {
    /// Compares the decisions on a file's requests with those that an operator expects.
    package init(decisions path: String, of configuration: ProductionConfiguration) throws(OperatorError) {
        let yaml = try ConfigurationText.read(path)
        let expected = ExpectedDecisions(yaml: yaml, configuration: configuration)
        let authorizer = GrantAuthorizer(grants: configuration.grants)
        var matches: [Problem] = []
        for entry in expected.entries {
            let decision = authorizer.explain(entry.caller, entry.scope)
            if decision.outcome == entry.expected {
                matches.append(Problem("is \(decision.outcome), as expected.", setting: entry.value.path))
            } else {
                entry.value.report("is \(decision.outcome), expected \(entry.expected). \(decision)")
            }
        }
        self.init(
            expected.problems.list.map { Finding(.fail, $0) }
                + matches.map { Finding(.ok, expected.problems.locations.located($0)) },
            of: path,
            success: "All \(expected.entries.count) decisions are as expected."
        )
    }
}

extension ProductionConfiguration {
    /// Returns the decision on a request, without calls to webhooks.
    package func decision(
        caller: String,
        claims: [UInt8]?,
        scope: TokenScope
    ) throws(OperatorError) -> GrantDecision {
        let object: JSONObject
        do {
            object = try claims.map { try JSONParser.parseObject($0) } ?? JSONObject()
        } catch {
            throw OperatorError("Invalid claims: \(error)")
        }
        guard let known = self.caller(named: caller, claims: object) else {
            let names = callers.map(\.name)
            let advice =
                Spelling.suggestion(for: caller, in: names).map { "Did you mean \($0)?" }
                ?? "Callers are \(names.joined(separator: ", "))."
            throw OperatorError("Unknown caller \(caller). \(advice)")
        }
        return GrantAuthorizer(grants: grants).explain(known, scope)
    }
}

extension GrantDecision {
    /// The outcome as operators write it.
    package var outcome: ExpectedDecisions.Outcome {
        if grant != nil { return .allowed }
        return steps.contains { $0.verdict.outcome == .needsWebhook } ? .needsWebhook : .denied
    }

    /// Which grant decides, and why the others do not, for people: whole lines.
    package var text: String {
        let reasons = steps.isEmpty ? ["\(self)"] : steps.map { "\($0.grant): \($0.verdict)".harmlessLine }
        return (["\(outcome)"] + reasons.map { "  \($0)" }).map { "\($0)\n" }.joined()
    }

    /// The same for programs: schema 1, to which later versions only add.
    package var json: JSONValue {
        JSONValue(members: [
            ("schema", .integer(1)), ("outcome", .string(outcome.rawValue)),
            ("grant", grant.map { .string($0) } ?? .null),
            (
                "grants",
                .array(
                    steps.map { step in
                        JSONValue(members: [
                            ("grant", .string(step.grant)), ("verdict", .string(step.verdict.outcome.rawValue)),
                            ("message", .string("\(step.verdict)")),
                        ])
                    }
                )
            ),
        ])
    }
}

extension GrantDecision.Verdict {
    fileprivate var outcome: ExpectedDecisions.Outcome {
        switch self {
        case .allowed: .allowed
        case .needsWebhook: .needsWebhook
        case .denied: .denied
        }
    }
}
